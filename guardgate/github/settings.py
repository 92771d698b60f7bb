"""Where GitHub's API is and who asks, from the environment of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from guardgate.github.failure import ApiFailure

PUBLIC = "https://api.github.com"
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_TOKEN = re.compile(r"[\x21-\x7e]{1,4096}")


@dataclass(frozen=True, slots=True)
class Settings:
    """One repository at one base address. `ca_bundle`: certificates that count beside the public ones."""

    base: str
    repository: str
    token: str = field(repr=False)
    ca_bundle: Path | None = None


def settings(environ: Mapping[str, str], token: str, ca_bundle: Path | None = None) -> Settings | ApiFailure:
    """The settings that the environment gives (`GITHUB_API_URL`, `GITHUB_REPOSITORY`), or what is wrong with them."""
    base = (environ.get("GITHUB_API_URL") or PUBLIC).rstrip("/")
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not _is_base(base):
        return _wrong("GITHUB_API_URL is no address of an API", "https://api.github.com or https://HOST/api/v3")
    if not _REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        return _wrong("GITHUB_REPOSITORY names no repository", "owner/name")
    if not _TOKEN.fullmatch(token):
        found = "the token has characters that no token has" if token else "there is no token"
        return _wrong(found, "the input github-token, by default the token of the job")
    return Settings(base, repository, token, ca_bundle)


def _is_base(base: str) -> bool:
    try:
        parts = urlsplit(base)
        port_is_sound = parts.port is None or parts.port > 0
    except ValueError:
        return False
    plain = not (parts.query or parts.fragment or "@" in parts.netloc or "/../" in f"{parts.path}/")
    sound = base.isascii() and not re.search(r"[\s\x00-\x1f\x7f\\]", base)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port_is_sound and plain and sound


def _wrong(found: str, expected: str) -> ApiFailure:
    return ApiFailure("settings", f"found: {found}; expected {expected}; GitHub was not asked")
