"""The service beside an annotation tool: HTTP API, pages, and the programs ``accord serve`` and ``accord worker``."""
