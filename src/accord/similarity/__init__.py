"""Similarity of values: what a coefficient needs to know about any two answers.

``core`` holds the contract and the closed forms (numpy only); the other modules turn metrics into similarities.
"""
