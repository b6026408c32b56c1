"""The text benchmark: how well each measure of equivalence recovers agreement that is known.

Annotators are simulated over a terminology, so the true agreement of every study is known from its concepts. What a
measure makes of the texts alone is compared with it, under settings that are the same for all measures.
"""
