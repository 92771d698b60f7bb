"""`guardgate review`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from guardgate.cli.common import newest
from guardgate.cli.printer import Printer, printer
from guardgate.errors import Refused
from guardgate.marks import MARKS_FILE
from guardgate.report.escape import terminal
from guardgate.results import open_results


@click.command("review")
@click.argument("results", required=False)
@click.option("--marks", type=click.Path(path_type=Path), default=Path(MARKS_FILE), show_default=True,
              help="File that marks go to, for `guardgate gate --marks`.")  # fmt: skip
@click.option("--by", default="", help="Your name, as marks show it; the page asks for it otherwise.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="any that is free", help="Port to use.")
@click.option("--anchors", type=click.Path(path_type=Path), help="Only write the marks as anchors to this new file.")
@click.pass_context
def command(
    context: click.Context, results: str | None, marks: Path, by: str, port: int, anchors: Path | None
) -> int:  # fmt: skip
    """Read a RESULTS file (default: the newest in guardgate-results/) in a browser, and mark attempts by hand.

    Serves the page of `guardgate report --format html` on 127.0.0.1, at an address that only you are told. Ctrl-C ends
    it, and it then exits 0; 3 where it could not serve or write.
    """
    from guardgate.reviewing import Desk, serving  # noqa: PLC0415 - only this command

    path = Path(newest([results] if results else []))
    desk = Desk(open_results(path), marks, by)
    desk.marks()  # a file that is damaged is told before anything is read
    if anchors is not None:
        return _written(anchors, desk.anchors(), printer(context))
    with serving(desk, port) as address:
        printer(context).out(f"Open {address}\nMarks go to {terminal(str(marks))}. Ctrl-C ends it.\n")
        asyncio.run(_until_ended())
    return 0


def _written(path: Path, text: str, out: Printer) -> int:
    if path.exists():
        raise Refused(str(path), "a file that exists", "a new one", "choose another name, and join the two by hand")
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    out.out(f"wrote {terminal(str(path))}: read the labels, then name the file in guardgate.yaml under anchors\n")
    return 0


async def _until_ended() -> None:
    from guardgate.stopping import Stop, signals  # noqa: PLC0415 - only this command

    stop = Stop()
    with signals(stop):
        await stop.now.wait()
