"""Terminologies: concepts with their names and broader concepts, from packages or from files a user brings."""
