"""A stand-in for GitHub's API on a loopback socket: it remembers, it enforces, and it fails on demand."""

from tests.support.github.fake import BOT, REPOSITORY, TOKEN, GitHub
from tests.support.github.shapes import moment, sha_of

__all__ = ["BOT", "REPOSITORY", "TOKEN", "GitHub", "moment", "sha_of"]
