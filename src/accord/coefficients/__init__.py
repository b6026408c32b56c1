"""Coefficients: sufficient statistics per unit, and how a summed row becomes a number.

A coefficient is two functions. ``tally`` gives one row of sufficient statistics per unit; ``finish`` turns summed
rows into observed, expected and value. Rows add up, so resampling, influence, clusters, subsets and partitions
never touch the raw data. Importing this package needs numpy and scipy only.
"""
