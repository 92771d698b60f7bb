"""The published schema of SARIF 2.1.0, out of a package of npm."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema

from tests.support import npm

SCHEMA = npm.Member(
    package="@microsoft/jest-sarif",
    version="1.0.0-beta.0",
    integrity="sha512-A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjpVnSmwWGBukASkiQ9A==",
    name="package/lib/schemas/sarif-2.1.0-rtm.5.json",
    sha256="2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8",
)


@cache
def _validator() -> Any:
    return jsonschema.Draft4Validator(
        json.loads(npm.read(SCHEMA)), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
    )


def faults(sarif: Any) -> list[str]:
    """What the schema says against it."""
    return [f"{list(error.absolute_path)}: {error.message[:200]}" for error in _validator().iter_errors(sarif)]
