"""`ca-bundle`: a company's own certificates beside the public ones, in one file for every program of the job."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from guardgate.errors import Refused


@contextmanager
def certified(environ: Mapping[str, str], workspace: Path, bundle: str) -> Iterator[Mapping[str, str]]:
    """The environment in which OpenSSL finds both, as `SSL_CERT_FILE`; unchanged without a bundle. Raises Refused."""
    if not bundle:
        yield environ
        return
    import certifi  # noqa: PLC0415 - only with certificates of one's own

    public = Path(environ.get("SSL_CERT_FILE") or certifi.where())
    try:
        both = public.read_bytes() + b"\n" + (workspace / bundle).read_bytes()
    except OSError as error:
        raise Refused(
            "input ca-bundle", f"{bundle!r}, which cannot be read ({error.strerror})", "a file with certificates",
            "name a file in the workspace",
        ) from error  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="guardgate-certificates-") as folder:
        Path(folder).chmod(0o755)  # the app's installation, a user of its own, reads it too
        place = Path(folder) / "bundle.pem"
        place.write_bytes(both)
        place.chmod(0o644)
        yield {**environ, "SSL_CERT_FILE": str(place)}
