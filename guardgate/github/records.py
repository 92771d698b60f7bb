"""What GitHub's API answers, read as hostile data: the fields that are used, each with its form. Frozen records."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasPath, AwareDatetime, BaseModel, ConfigDict, Field

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
Login = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.\[\]-]{1,120}$")]
FullName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$")]
Id = Annotated[int, Field(gt=0, lt=2**63)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
#: JSON has no type for a time, so only here a text becomes something else.
Moment = Annotated[AwareDatetime, Field(strict=False)]
State = Literal["error", "failure", "pending", "success"]


class Record(BaseModel):
    """A frozen part of an answer; unknown keys are ignored, and known ones are what they say they are."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class Label(Record):
    """A label by its name."""

    name: str


class Pull(Record):
    """A pull request now. `author` and `head_repo` are None when they are gone."""

    number: Id
    state: Literal["open", "closed"]
    draft: bool = False
    title: str
    labels: tuple[Label, ...] = ()
    author: Login | None = Field(None, validation_alias=AliasPath("user", "login"))
    head_sha: Sha = Field(validation_alias=AliasPath("head", "sha"))
    head_ref: str = Field(validation_alias=AliasPath("head", "ref"))
    head_repo: FullName | None = Field(None, validation_alias=AliasPath("head", "repo", "full_name"))
    base_sha: Sha = Field(validation_alias=AliasPath("base", "sha"))
    base_ref: str = Field(validation_alias=AliasPath("base", "ref"))
    base_repo: FullName = Field(validation_alias=AliasPath("base", "repo", "full_name"))

    @property
    def fork(self) -> bool:
        """Whether its code comes from another repository, or from one that is gone."""
        return self.head_repo is None or self.head_repo.casefold() != self.base_repo.casefold()

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of its labels."""
        return tuple(label.name for label in self.labels)


class Permission(Record):
    """What somebody may do. `permission`: admin, write, read or none; `role_name` may be a role of the organisation."""

    permission: str
    role_name: str
    login: Login | None = Field(None, validation_alias=AliasPath("user", "login"))

    @property
    def writes(self) -> bool:
        """Whether it is write, maintain or admin, or an organisation's role that contains one of them."""
        return self.permission in ("write", "admin") and self.role_name not in ("none", "read", "triage")


class CommitStatus(Record):
    """One status of a commit."""

    id: Id
    state: State
    context: str
    description: str | None
    target_url: str | None = None
    creator: Login | None = Field(None, validation_alias=AliasPath("creator", "login"))
    created_at: Moment

    @property
    def order(self) -> tuple[datetime, int]:
        """What sorts statuses from the first to the last."""
        return self.created_at, self.id


class Comment(Record):
    """One comment on an issue or a pull request. Its body is foreign text."""

    id: Id
    body: str = ""
    html_url: str
    author: Login | None = Field(None, validation_alias=AliasPath("user", "login"))
    created_at: Moment


class Issue(Record):
    """One issue. Its texts are foreign."""

    number: Id
    state: Literal["open", "closed"]
    title: str
    body: str | None = None
    html_url: str
    author: Login | None = Field(None, validation_alias=AliasPath("user", "login"))
    pull_url: str | None = Field(None, validation_alias=AliasPath("pull_request", "url"))

    @property
    def is_pull(self) -> bool:
        """GitHub lists pull requests as issues too."""
        return self.pull_url is not None


class Artifact(Record):
    """One artifact of a workflow run. What it holds is hostile."""

    id: Id
    name: str
    size: Count = Field(validation_alias="size_in_bytes")
    expired: bool
    created_at: Moment | None = None
    run: Id | None = Field(None, validation_alias=AliasPath("workflow_run", "id"))
    head_sha: Sha | None = Field(None, validation_alias=AliasPath("workflow_run", "head_sha"))


class Artifacts(Record):
    """One page of artifacts."""

    artifacts: tuple[Artifact, ...]


class Content(Record):
    """A file at a commit, as JSON carries it."""

    type: Literal["file"]
    path: str
    sha: Sha
    size: Count
    encoding: Literal["base64"]
    content: str


class Changed(Record):
    """A file that differs between two commits."""

    filename: str
    status: str
    previous: str | None = Field(None, validation_alias="previous_filename")


class Comparison(Record):
    """How two commits differ. GitHub lists at most 300 files, so a full list may be cut."""

    status: Literal["ahead", "behind", "diverged", "identical"]
    ahead_by: Count
    behind_by: Count
    merge_base: Sha = Field(validation_alias=AliasPath("merge_base_commit", "sha"))
    files: tuple[Changed, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the list of files is surely whole."""
        return len(self.files) < 300


class Account(Record):
    """Who somebody is."""

    login: Login


class Viewer(Record):
    """Who a token speaks for, as the GraphQL API says it."""

    login: Login = Field(validation_alias=AliasPath("data", "viewer", "login"))
