"""Standard modules that the sandbox's interpreter lacks, written in the part of Python that it has.

Sources only: they are read as text and run inside the sandbox, never imported by Accord.
"""
