"""Exports of other annotation tools: one file a format, each read as the tasks that all answers come in."""
