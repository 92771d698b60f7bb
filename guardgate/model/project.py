"""guardgate.yaml: one system under test."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from guardgate.model.base import Count, Id, Model, Name, One, Params, Seconds, Seq, Share, Text, Whole

Env = Seq[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(=[^\x00]*)?$")]]
Path_ = Annotated[str, Field(pattern=r"^\$")]


class Price(Model):
    """US dollars for a million tokens."""

    input: Annotated[float, Field(ge=0)] = Field(description="US dollars for a million input tokens.")
    output: Annotated[float, Field(ge=0)] = Field(description="US dollars for a million output tokens.")


class _Named(Model):
    """What every target and judge can say."""

    env: Env = Field(
        (), description="Environment of its process: NAME takes it from here (a secret), NAME=value sets it."
    )
    params: Params = Field(default_factory=dict, description="Parameters of each call, such as temperature.")
    family: Text | None = Field(
        None, description="Family of the model, for the caveat that judge and target are related."
    )
    optional: bool = Field(False, description="true: when unavailable it leaves the plan, and the report names it.")
    concurrency: Count | None = Field(None, description="Most calls in flight here; the run's own limit counts too.")
    max_rpm: Count | None = Field(None, description="Most calls a minute.")
    price: Price | None = Field(None, description="Price, where it is not known otherwise.")
    document: Literal["message", "field"] = Field(
        "message", description="message: the document is framed into the first turn. field: handed over on its own."
    )
    framing: Literal["plain", "tagged", "warned"] = Field(
        "plain", description="How a document is put into the first turn; plain: after the task, nothing else."
    )
    system: Text | None = Field(None, description="File with the system prompt; a case's agent replaces it.")


class ScriptedTarget(_Named):
    """Replies by a script, for tests and first steps; no model."""

    backend: Literal["scripted"] = Field(description="Kind of the backend.")
    script: Text = Field(
        description="File with entries {when: regex, say: text}; the first that matches the last turn replies."
    )


class PythonTarget(_Named):
    """A callable or a graph in the app's own interpreter."""

    backend: Literal["python"] = Field(description="Kind of the backend.")
    entry: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*$")] = Field(
        description="module:attribute of a graph, builder, factory or (async) callable."
    )
    python: Text | None = Field(None, description="The app's interpreter; left out: guardgate's own.")
    history: bool = Field(
        False, description="true: send the whole conversation with each turn (a graph without a checkpointer)."
    )


class ToolPaths(Model):
    """Where an HTTP reply shows tool calls."""

    path: Path_ = Field(description="JSONPath to the list of calls.")
    name: Text = Field("name", description="Key of the tool's name in one call.")
    arguments: Text = Field("arguments", description="Key of its arguments in one call.")
    result: Text | None = Field(None, description="Key of its result in one call.")


class Stream(Model):
    """How a streamed HTTP reply is cut into events, and how it ends."""

    format: Literal["sse", "lines"] = Field(description="sse: Server-Sent Events. lines: one JSON a line.")
    end: Text = Field(description="The data of the last event; a stream without it is no answer.")


class HttpTarget(_Named):
    """Any HTTP endpoint, described by a request template and paths into the reply."""

    backend: Literal["http"] = Field(description="Kind of the backend.")
    url: Text = Field(description="Where to send the request.")
    method: Literal["POST", "PUT", "GET"] = Field("POST", description="HTTP method.")
    headers: dict[str, str] = Field(
        default_factory=dict, description="Headers; keys come from ${NAME}, never literally."
    )
    request: Params = Field(
        description="JSON body; {turn} {messages} {session} {system} {task} {document} and params are filled in once."
    )
    reply: Path_ = Field(description="JSONPath to the text of the reply; in a stream: of each event, joined.")
    session: Path_ | None = Field(None, description="JSONPath to the session id, if the server makes it.")
    tool_calls: ToolPaths | None = Field(None, description="Where the reply shows tool calls.")
    state: Path_ | None = Field(None, description="JSONPath to the state.")
    error: Path_ | None = Field(
        None,
        description="JSONPath to an error; content there means that the call failed. "
        "Left out: the key `error` of the answer.",
    )
    stream: Stream | None = Field(None, description="How the reply is streamed; left out: one JSON body.")


class _Modelled(_Named):
    """A backend that names a model of a provider."""

    model: Text = Field(description="Name of the model.")
    api_key: Text | None = Field(None, description="Key, as ${NAME}; a literal key is an error.")
    base_url: Text | None = Field(None, description="Address of the server, ending before /chat/completions.")


class OpenAITarget(_Modelled):
    """Any server that speaks OpenAI's chat completions."""

    backend: Literal["openai"] = Field(description="Kind of the backend.")
    stream: bool = Field(False, description="true: read the reply as a stream.")


class LiteLLMTarget(_Modelled):
    """Any provider, through litellm."""

    backend: Literal["litellm"] = Field(description="Kind of the backend.")


class ClaudeTarget(_Named):
    """The claude command line."""

    backend: Literal["claude_cli"] = Field(description="Kind of the backend.")
    model: Text | None = Field(None, description="Name of the model.")
    home: Literal["fresh", "inherit"] = Field("fresh", description="fresh: an empty HOME. inherit: the user's login.")


class CodexTarget(_Named):
    """The codex command line."""

    backend: Literal["codex_cli"] = Field(description="Kind of the backend.")
    model: Text | None = Field(None, description="Name of the model.")
    home: Literal["fresh", "inherit"] = Field("fresh", description="fresh: an empty HOME. inherit: the user's login.")


class CommandTarget(_Named):
    """Any program."""

    backend: Literal["command"] = Field(description="Kind of the backend.")
    command: Annotated[Seq[Text], Field(min_length=1)] = Field(description="Program and arguments; no shell.")
    input: Literal["json", "text"] = Field("json", description="What the program reads on its standard input.")


Target = Annotated[
    ScriptedTarget
    | PythonTarget
    | HttpTarget
    | OpenAITarget
    | LiteLLMTarget
    | ClaudeTarget
    | CodexTarget
    | CommandTarget,
    Field(discriminator="backend"),
]


class Limits(Model):
    """Bounds of a run; one that is hit makes the run incomplete."""

    call_seconds: Seconds = Field(60, description="Longest wait for one reply.")
    attempt_seconds: Seconds = Field(300, description="Longest time for one attempt, retries included.")
    run_minutes: Annotated[float, Field(gt=0, le=10_080)] = Field(60, description="Longest time for the run.")
    calls: Count | None = Field(None, description="Most calls to targets and judges.")
    tokens: Count | None = Field(None, description="Most tokens, input and output.")
    cost_usd: Annotated[float, Field(gt=0)] | None = Field(None, description="Most US dollars.")


class Run(Model):
    """A named grid: targets x params x transforms, repeated."""

    targets: Annotated[Seq[Name], Field(min_length=1)] = Field(description="Names of the systems under test.")
    judges: Seq[Name] = Field((), description="Names of the judges that score each reply.")
    agreement: Literal["unanimous", "majority"] = Field("unanimous", description="How a panel of judges decides.")
    escalate: Name | None = Field(None, description="The judge that is asked when the panel does not decide.")
    transforms: Seq[Name] = Field(
        ("none",), description="Ways to write the attack texts (docs/transforms.md); none is the text as written."
    )
    params: dict[Name, Annotated[Seq[Any], Field(min_length=1)]] = Field(
        default_factory=dict, description="Values by parameter; each combination is a cell."
    )
    exclude: Seq[Params] = Field((), description="Cells to leave out, by target, transform and params.")
    repeats: Count = Field(1, description="How often each case is played in each cell.")
    seed: Whole = Field(0, description="Seed of the transforms that use chance.")
    concurrency: Count = Field(8, description="Most attempts in flight.")
    limits: Limits = Field(default_factory=Limits, description="Bounds of the run.")


class Anchors(Model):
    """Human-labelled replies that a judge must score right before it may judge."""

    file: Text | None = Field(None, description="File with anchors of your own.")
    floor: Share = Field(
        0.9,
        description="Lowest agreement with all labels; of each label of a criterion it is at least half, besides. "
        "0 switches the test of the judges off.",
    )


class UseSuite(Model):
    """A suite that ships with guardgate, with its rules mapped onto rules of the project."""

    use: Text = Field(description="The suite: guardgate:NAME. `guardgate suites` lists them.")
    rules: dict[Id, Id] = Field(
        default_factory=dict,
        description="Rules of the suite, each with the rule of the project that takes its place; "
        "rules that are not named come with the suite.",
    )
    without: Seq[Id] = Field((), description="Rules of the suite that are left out, with their cases.")
    judged: bool = Field(False, description="true: judges are asked as well, with the criteria that the suite has.")
    canary: Annotated[Seq[Text], Field(min_length=1)] = Field(
        (), description="Secrets in your bot's instructions, for the rules of the suite that look for one."
    )


def _how_named(value: object) -> str:
    return "text" if isinstance(value, str) else "full"


#: A pattern of suite files, or `guardgate:NAME`; or the latter as a mapping.
SuiteEntry = Annotated[Annotated[Text, Tag("text")] | Annotated[UseSuite, Tag("full")], Discriminator(_how_named)]


class Project(Model):
    """One system under test: its rules, attacks, targets, judges and runs."""

    version: One = Field(description="Version of this file format.")
    constraints: Text = Field(description="The file with the rules.")
    suites: Annotated[Seq[SuiteEntry], Field(min_length=1)] = Field(
        description="Suite files, with * and ** as wildcards; guardgate:NAME is a suite that ships."
    )
    targets: dict[Name, Target] = Field(default_factory=dict, description="Systems under test, by name.")
    judges: dict[Name, Target] = Field(default_factory=dict, description="Judges, by name.")
    runs: dict[Name, Run] = Field(default_factory=dict, description="Runs by name; `guardgate run` plays `default`.")
    anchors: Anchors | None = Field(None, description="Labelled replies that test the judges.")
    translations: dict[Name, Text] = Field(
        default_factory=dict,
        description="Files with translated turns, by name; the transform translation.NAME sends them.",
    )
    allow_quotes: bool = Field(False, description="true: the redacted report may hold a judge's verified quotes.")
    attacks: dict[Name, Text] = Field(
        default_factory=dict, description="Attack classes of your own, with a sentence each."
    )
