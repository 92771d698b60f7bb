"""The one door: it prints, and it decides the exit code. Commands are imported when they are named."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

import click

from guardgate import __version__
from guardgate.cli.printer import Printer, undelivered

#: Every command: its module, and the line that `--help` shows.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "check": ("guardgate.cli.check", "Validate rules, attacks and documents without a model call."),
        "run": ("guardgate.cli.run", "Play the attacks against the real target; exit 0, 1, 2 or 3."),
        "ci": ("guardgate.cli.ci", "Do what the event of a CI job asks for: the action without its container."),
        "gate": ("guardgate.cli.gate", "Recompute the exit code of a results file, without a call."),
        "diff": ("guardgate.cli.diff", "Compare a run with an earlier one; exit 0, 1, 2 or 3."),
        "scan": ("guardgate.cli.scan", "Look for injection patterns in documents, without a model."),
        "report": ("guardgate.cli.report", "Write a results file as a report."),
        "compare": ("guardgate.cli.compare", "Say what became weaker between two versions of a project."),
        "calibrate": ("guardgate.cli.calibrate", "Test a judge on labelled replies."),
        "review": ("guardgate.cli.review", "Read a run in a browser, and mark attempts by hand."),
        "mark": ("guardgate.cli.mark", "Sign an opinion on what a judge decided or left open."),
        "promote": ("guardgate.cli.promote", "Pin a failure as a new case for review."),
        "show": ("guardgate.cli.show", "Show one attempt in full."),
        "init": ("guardgate.cli.init", "Write a small working project."),
        "suites": ("guardgate.cli.suites", "List the suites that ship with guardgate."),
        "schema": ("guardgate.cli.schema", "Print the JSON Schema of a file."),
        "backends": ("guardgate.cli.backends", "List the ways to reach a target."),
    }
)


class _Lazy(click.Group):
    """Knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from guardgate.errors import did_you_mean  # noqa: PLC0415 - only for a mistake

            hint = did_you_mean(args[0], list(COMMANDS))
            raise click.UsageError(f"no command {args[0]!r}; {hint}`guardgate --help` lists them", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Lazy,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 every attempted rule held; 1 a soft rule fell below its threshold; 2 a hard rule broke; "
    "3 it could not complete, so it says nothing either way.",
)
@click.version_option(__version__, prog_name="guardgate", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.pass_context
def group(context: click.Context, debug: bool) -> None:
    """guardgate keeps a chatbot's or an agent's written rules true."""
    context.obj = Printer(debug=debug)


def run_command_line(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0, 1, 2 or 3, and nothing else."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    debug = "--debug" in arguments
    try:
        code = group.main(args=list(arguments), prog_name="guardgate", standalone_mode=False)
    except click.exceptions.Exit as leave:
        return 0 if leave.exit_code == 0 else 3
    except click.ClickException as mistake:
        return _usage(mistake)
    except click.Abort as error:  # an EOFError became this; signals never come here
        return _failed(_reason(error.__cause__ or error), debug)
    except OSError as error:
        return _failed(f"the system says: {error}", debug)
    except SystemExit:  # click's own answer to a reader that left
        return _failed(_reason(undelivered("standard output", "nobody reads it any more")), debug)
    except Exception as error:  # noqa: BLE001 - the one door out: whatever it was, the code is 3
        return _failed(_reason(error), debug)
    return code if code in (0, 1, 2, 3) else 3


def _usage(mistake: click.ClickException) -> int:
    where = getattr(mistake, "ctx", None)
    _say(f"guardgate: {mistake.format_message()}")
    _say(f"See `{where.command_path if where else 'guardgate'} --help`.")
    return 3


def _reason(error: BaseException) -> str:
    from guardgate.errors import GuardgateError  # noqa: PLC0415 - only for an error

    if isinstance(error, GuardgateError):
        return str(error)
    return f"a fault of guardgate itself: {type(error).__name__}: {error}; `guardgate --debug ...` shows where"


def _failed(reason: str, debug: bool) -> int:
    if debug:
        import traceback  # noqa: PLC0415 - only for an error

        _say(traceback.format_exc())
    _say(f"guardgate: {reason}")
    _say("guardgate: exit 3: it could not complete, so it says nothing either way")
    return 3


def _say(text: str) -> None:
    from guardgate.errors import Refused  # noqa: PLC0415 - only for an error

    try:
        Printer(debug=False).error(text)
    except Refused:
        sys.stderr = None  # nobody listens; the code still says it
