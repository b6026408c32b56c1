"""Placeholder until the peer environments are known."""


def compare(rounds):
    return ()
