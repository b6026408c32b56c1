"""A running Label Studio server: read its projects, keep up with changes, understand its webhooks."""

from accord.labelstudio.client import Client
from accord.labelstudio.pull import Pulled, Stamp, pull, stamps_of
from accord.labelstudio.webhooks import Event, parse_event, token_matches

__all__ = ["Client", "Event", "Pulled", "Stamp", "parse_event", "pull", "stamps_of", "token_matches"]
