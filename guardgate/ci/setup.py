"""The app inside the container: installed by the workflow's own commands, as a user without a token."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from guardgate.backends.identity import Identity, give, identity
from guardgate.ci.child import Ended, run
from guardgate.errors import Refused

#: What an installation needs of the job: where packages and Pythons come from, and through which proxy.
_WANTED = ("PATH", "LANG", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
           "SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX",
           "UV_PYTHON_INSTALL_MIRROR", "UV_PYTHON_DOWNLOADS_JSON_URL")  # fmt: skip
#: What to do where uv could not fetch the Python that the app asks for; uv itself says no more than an address.
_FETCH = ("; the app asks for a Python that the image lacks: let the job reach github.com, "
          "or name a mirror of uv's builds in UV_PYTHON_INSTALL_MIRROR")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Installed:
    """The environment of the app, and its interpreter. `room`: the folder of all that was made for it."""

    room: Path

    @property
    def folder(self) -> Path:
        """Where the app is installed."""
        return self.room / "env"

    @property
    def python(self) -> Path:
        """The interpreter that `python` targets use."""
        return self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no environment. `interrupted`: the signal that ended the job, if one did."""

    reason: str
    interrupted: str | None = None


def install(
    script: str, workspace: Path, project: str, environ: Mapping[str, str], say: Callable[[str], None]
) -> Installed | Failed:
    """Make an environment under the runner's temporary folder and run the commands in the workspace.

    Returns why not, with the end of what the commands said, where one of them failed or the job was cancelled.
    Whoever gets an environment takes it away again with `remove`.
    """
    made = Installed(_room(environ.get("RUNNER_TEMP", "")))
    (made.room / "home").mkdir()
    give(made.room)
    failed = _filled(made, script, workspace, _environment(environ, made, project), say)
    if failed is None:
        return made
    remove(made)
    return failed


def _room(temp: str) -> Path:
    """A new folder of root's own. Older runners name a folder of the host that the container does not have."""
    there = temp if temp and Path(temp).is_dir() else None
    return Path(tempfile.mkdtemp(prefix="guardgate-app-", dir=there))


def remove(made: Installed) -> None:
    """Take away all that was made: a runner of another user could not. What cannot go stays, and harms no verdict."""
    shutil.rmtree(made.room, ignore_errors=True)


def _filled(
    made: Installed, script: str, workspace: Path, env: Mapping[str, str], say: Callable[[str], None]
) -> Failed | None:
    """Run the commands as the user of the children; why not, where one of them failed."""
    child = identity()
    options = child.options if child else {}
    for command in (_venv(made, env), ["/bin/sh", "-eu", "-c", script]):
        try:
            ended = run(command, workspace, env, say, **options)
        except OSError as error:
            return Failed(f"setup: {command[0]} could not be started: {error.strerror}")
        if ended.interrupted or ended.code:
            return _failed(ended, child)
    if not made.python.exists():
        return Failed("setup: the environment has no Python any more; install into $VIRTUAL_ENV")
    return None


def _environment(environ: Mapping[str, str], made: Installed, project: str) -> dict[str, str]:
    """PATH, HOME, LANG, the way to the packages, and where to install. No secret, no token."""
    kept = {name: environ[name] for name in _WANTED if environ.get(name)}
    home = str(made.room / "home")
    return kept | {
        "PATH": os.pathsep.join((str(made.python.parent), kept.get("PATH", os.defpath))),
        "HOME": home,
        "TMPDIR": home,
        "VIRTUAL_ENV": str(made.folder),
        "UV_PROJECT_ENVIRONMENT": str(made.folder),
        "UV_CACHE_DIR": str(made.room / "cache"),
        "UV_PYTHON_INSTALL_DIR": str(made.room / "python"),
        "UV_SYSTEM_CERTS": "1",
        "UV_LINK_MODE": "copy",
        "UV_NO_PROGRESS": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "GUARDGATE_PROJECT": project,
    }


def _venv(made: Installed, env: Mapping[str, str]) -> list[str]:
    """uv where it is, as in the image: it can bring another Python. Else our own venv."""
    uv = shutil.which("uv", path=env["PATH"])
    if uv:
        return [uv, "venv", "--quiet", "--seed", str(made.folder)]
    if sys.platform == "win32":
        raise Refused("input setup", "Windows", "Linux, as in the image", "install the app in a step of its own")
    return [sys.executable, "-I", "-m", "venv", str(made.folder)]


def _failed(ended: Ended, child: Identity | None) -> Failed:
    whom = f" (as user {child.uid})" if child else ""
    why = f"interrupted by {ended.interrupted}" if ended.interrupted else f"exit code {ended.code}"
    fetch = _FETCH if not ended.interrupted and any(map(_no_python, ended.tail)) else ""
    return Failed(f"setup{whom}: {why}; the last it said: {_last(ended.tail)}{fetch}", ended.interrupted)


def _last(tail: Sequence[str]) -> str:
    """The line that tells why: the last one, but for checksums, which uv prints below its error."""
    said = [line for line in tail if line.strip()]
    wrong = [line for line in said if "Hash mismatch" in line]
    return (wrong or said or ["nothing"])[-1]


def _no_python(line: str) -> bool:
    """Whether this is uv's word for a Python that it could not fetch, or that is another one than its list says."""
    return "cpython-" in line and ("Failed to" in line or "Hash mismatch" in line)
