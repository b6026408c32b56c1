"""``python -m accord``."""

from accord.cli import main

main()
