"""Uncertainty: from rows that add up to intervals, influence, checks and advice with support.

``estimate`` is the way in: one coefficient on one study, with its interval, its reason where it is undefined, and
its recipe. Everything here needs numpy and scipy only.
"""
