"""Where a call goes: whether address and headers can be used, and through which proxy."""

from __future__ import annotations

import re
from collections.abc import Mapping

from yarl import URL


def fault_of(url: str, headers: Mapping[str, str], environ: Mapping[str, str]) -> str | None:
    """Why no call can be made with these, or None."""
    todo = "correct the target's url or base_url"
    if not _is_sound(url):
        return f"{url!r} is no address; expected http:// or https:// with a host; {todo}"
    if URL(url).raw_user is not None and any(name.lower() == "authorization" for name in headers):
        return "the address holds a user, and there is a key or an Authorization header too; take one of them away"
    for name, value in headers.items():
        # a secret that ends in a newline would otherwise break the header
        if re.search("[\r\n\0\ud800-\udfff]", name + value):
            return f"the header {name!r} has a line break or an unprintable character; correct the variable behind it"
    proxy = _proxy_name(URL(url), environ)
    if proxy and not _is_sound(proxy):
        return f"the proxy of the environment, {proxy!r}, is no http address; correct {URL(url).scheme}_proxy"
    return None


def proxy_for(url: URL, environ: Mapping[str, str]) -> URL | None:
    """The proxy that the environment names for this address; none for this machine itself."""
    named = _proxy_name(url, environ)
    return URL(named) if named else None


def _proxy_name(url: URL, environ: Mapping[str, str]) -> str | None:
    named = environ.get(f"{url.scheme}_proxy") or environ.get(f"{url.scheme.upper()}_PROXY")
    if not named or url.host in ("localhost", "127.0.0.1", "::1"):
        return None
    if _is_direct(url.host or "", environ.get("no_proxy") or environ.get("NO_PROXY") or ""):
        return None
    return named if "://" in named else f"http://{named}"


def _is_direct(host: str, no_proxy: str) -> bool:
    names = [name.strip().lstrip(".").lower() for name in no_proxy.split(",")]
    return "*" in names or any(host == name or host.endswith(f".{name}") for name in names if name)


def _is_sound(url: str) -> bool:
    try:
        parsed = URL(url)
        # the resolver raises for a name that this refuses
        host = (parsed.raw_host or "").encode("idna")
        return parsed.scheme in ("http", "https") and bool(host) and bool(parsed.port)
    except ValueError:
        return False
