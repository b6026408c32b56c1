"""Equivalence of free texts: how far two texts say the same, from 0 to 1.

``protocol`` is the contract; ``lexical`` compares the wording; ``mutual`` turns entailment into equivalence, ``cached``
keeps paid-for scores, ``as_metric`` makes a metric of a model. Nothing here knows coefficients.
"""
