"""Reading annotations from files and dataframes; ``read`` is the front door."""

from accord.readers.reading import read

__all__ = ["read"]
