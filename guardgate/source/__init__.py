"""YAML and JSON files in, plain data out, with places; and the hashes of what was read."""

from guardgate.source.compose import MAX_BYTES, MAX_DEPTH, MAX_NODES
from guardgate.source.document import Document, parse, read
from guardgate.source.files import Reason, inside, read_text
from guardgate.source.hashes import fingerprint, sha256
from guardgate.source.places import locate, place

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "Document",
    "Reason",
    "fingerprint",
    "inside",
    "locate",
    "parse",
    "place",
    "read",
    "read_text",
    "sha256",
]
