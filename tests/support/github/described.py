"""Requests and answers held against the description that GitHub publishes, where a copy of it is there."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.support.project import ROOT
from tests.support.server import Answer, Seen

#: A cut copy that may lie beside the project.
COPY = ROOT.parent / "shared" / "github" / "openapi-subset.json"
HOST = "http://127.0.0.1"
#: Calls that no description holds: another API, and the storage behind it.
_BESIDE = ("/graphql", "/storage/")


class Description:
    """GitHub's description. whole: a call that it does not have is a problem too."""

    def __init__(self, document: dict[str, Any], *, whole: bool) -> None:
        self.document = document
        self.whole = whole
        self._loaded: dict[str, Any] = {}

    def problems(self, seen: Seen, answer: Answer, prefix: str) -> list[str]:
        """What the request and its answer do that is not described, in words."""
        from openapi_core.exceptions import OpenAPIError  # noqa: PLC0415 (half a second, and only where there is one)
        from openapi_core.templating.paths.exceptions import PathNotFound  # noqa: PLC0415
        from openapi_core.testing import MockRequest, MockResponse  # noqa: PLC0415

        path = _quoted(seen.path, prefix)
        line = f"{seen.method} {path}"
        if any(path.removeprefix(prefix).startswith(start) for start in _BESIDE):
            return []
        kind = seen.headers.get("Content-Type", "application/json")
        method = seen.method.lower()
        request = MockRequest(HOST, method, path, args=dict(seen.query), data=seen.body or None, content_type=kind)
        api = self._api(prefix)
        try:
            api.validate_request(request)
        except PathNotFound:
            return [f"{line}: not described"] if self.whole else []
        except OpenAPIError as error:
            return [f"{line}: {_words(error)}"]
        if not self._has(method, path.removeprefix(prefix), answer.status):
            return [] if answer.status >= 400 else [f"{line}: {answer.status} is not described"]
        told = answer.headers.get("content-type", "application/json").partition(";")[0]
        try:
            api.validate_response(request, MockResponse(answer.data, answer.status, content_type=told))
        except OpenAPIError as error:
            return [f"{line}: {answer.status}: {_words(error)}"]
        return []

    def _api(self, prefix: str) -> Any:
        from openapi_core import Config, OpenAPI  # noqa: PLC0415

        if prefix not in self._loaded:
            document = {**self.document, "servers": [{"url": f"{HOST}{prefix}"}]}
            # the description itself is not what is tested, and to validate 13 MB takes minutes
            config = Config(spec_validator_cls=None)  # type: ignore[arg-type]
            self._loaded[prefix] = OpenAPI.from_dict(document, config=config)
        return self._loaded[prefix]

    def _has(self, method: str, path: str, status: int) -> bool:
        steps = path.split("/")
        for template, operations in self.document["paths"].items():
            names = template.split("/")
            same = len(names) == len(steps) and all(
                one == other or one.startswith("{") for one, other in zip(names, steps, strict=True)
            )
            if same and str(status) in operations.get(method, {}).get("responses", {}):
                return True
        return False


def _quoted(path: str, prefix: str) -> str:
    """The path with its last step as one step: names of labels and files may hold slashes."""
    below = path.removeprefix(prefix)
    for start, steps in (("labels", 6), ("contents", 4)):
        parts = below.split("/", steps + 1)
        if len(parts) > steps + 1 and parts[steps] == start:
            return prefix + "/".join([*parts[:-1], quote(parts[-1], safe="")])
    return path


def _words(error: Exception) -> str:
    causes = getattr(error.__cause__, "schema_errors", None) or [error.__cause__ or error]
    return "; ".join(str(getattr(one, "message", one))[:300] for one in causes[:5])


@cache
def shared() -> Description | None:
    """The description beside the project, or None: tests do not need it."""
    return Description(load(COPY), whole=False) if COPY.is_file() else None


def load(file: Path) -> dict[str, Any]:
    """The document in a file."""
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document
