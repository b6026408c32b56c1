"""Trains, calibrates, exports and evaluates the offline text model; see README.md in this folder."""
