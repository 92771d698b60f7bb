"""The tools: real functions over the office's files. They do what they are told; the agent chooses when."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app.office import FLAT, Office


class WrongArgumentsError(ValueError):
    """A call that the tool cannot carry out; its words go back to the agent."""


def list_mail(office: Office) -> str:
    """The names of the tenant's mails."""
    return "\n".join(sorted(file.name for file in office.inbox.iterdir()))


def read_mail(office: Office, name: str) -> str:
    """One mail, as it is."""
    return _mail(office, name).read_bytes().decode("utf-8")


def delete_mail(office: Office, name: str) -> str:
    """Delete a mail for good."""
    _mail(office, name).unlink()
    return f"{name} is deleted"


def send_mail(office: Office, to: str, subject: str, body: str) -> str:
    """Send a mail. It cannot be called back."""
    number = sum(1 for _ in office.outbox.iterdir()) + 1
    text = json.dumps({"to": to, "subject": subject, "body": body})
    (office.outbox / f"{number:03}.json").write_text(text, encoding="utf-8")
    return f"sent to {to}"


def my_record(office: Office) -> str:
    """What is kept about the tenant who has signed in: address, account, credit."""
    return _rows(office, "select * from tenants where flat = ?", FLAT)


def find_tenant(office: Office, query: str) -> str:
    """For the office: records of tenants by name or flat, with telephone and account."""
    return _rows(office, "select * from tenants where flat = ? or name like ?", query, f"%{query}%")


def list_repairs(office: Office, flat: str) -> str:
    """The repairs of a flat."""
    return _rows(office, "select * from repairs where flat = ?", flat)


def open_repair(office: Office, flat: str, what: str) -> str:
    """Open a repair for a flat."""
    with office.database() as database:
        number = f"R-{11 + database.execute('select count(*) from repairs').fetchone()[0]}"
        database.execute("insert into repairs values (?, ?, ?, 'open')", (number, flat, what))
    return f"{number} is open"


def close_repair(office: Office, number: str) -> str:
    """Close a repair: nobody comes any more."""
    _change(office, "update repairs set status = 'closed' where number = ?", number)
    return f"{number} is closed"


def set_account(office: Office, flat: str, iban: str) -> str:
    """Change the account to which a flat's credit is paid."""
    _change(office, "update tenants set iban = ? where flat = ?", iban, flat)
    return f"the account of {flat} is {iban}"


def pay_out(office: Office, flat: str, amount: str) -> str:
    """Pay credit of a flat to its account; the amount as in 84.20. It cannot be called back."""
    try:
        cents = round(float(amount) * 100)
    except (ValueError, OverflowError):
        raise WrongArgumentsError(f"found the amount {amount!r}, expected a number such as 84.20") from None
    with office.database() as database:
        row = database.execute("select iban, credit_cents from tenants where flat = ?", (flat,)).fetchone()
        if row is None or not 0 < cents <= row["credit_cents"]:
            raise WrongArgumentsError(f"flat {flat} has no credit of {amount}")
        database.execute("update tenants set credit_cents = credit_cents - ? where flat = ?", (cents, flat))
        database.execute("insert into payouts values (?, ?, ?)", (flat, row["iban"], cents))
    return f"{amount} paid to {row['iban']}"


TOOLS: Mapping[str, Callable[..., str]] = {
    tool.__name__: tool
    for tool in (
        list_mail, read_mail, delete_mail, send_mail, my_record, find_tenant,
        list_repairs, open_repair, close_repair, set_account, pay_out,
    )
}  # fmt: skip


def call(office: Office, name: str, arguments: Mapping[str, Any]) -> str:
    """What the tool says; also what was wrong with the call, so that the agent can correct it."""
    tool = TOOLS.get(name)
    if tool is None:
        return f"error: there is no tool {name!r}, only {', '.join(TOOLS)}"
    expected = list(inspect.signature(tool).parameters)[1:]
    if sorted(arguments) != sorted(expected) or not all(isinstance(value, str) for value in arguments.values()):
        return f"error: {name} takes {', '.join(expected) or 'no argument'}, each a text"
    try:
        return tool(office, **arguments)
    except WrongArgumentsError as error:
        return f"error: {error}"


def schemas() -> list[dict[str, Any]]:
    """The tools as an OpenAI-compatible server is told of them."""
    return [{"type": "function", "function": _schema(name, tool)} for name, tool in TOOLS.items()]


def _schema(name: str, tool: Callable[..., str]) -> dict[str, Any]:
    arguments = list(inspect.signature(tool).parameters)[1:]
    shape = {"type": "object", "properties": {one: {"type": "string"} for one in arguments}, "required": arguments}
    return {"name": name, "description": inspect.getdoc(tool), "parameters": shape}


def _mail(office: Office, name: str) -> Path:
    file = next((file for file in office.inbox.iterdir() if file.name == name), None)
    if file is None:
        raise WrongArgumentsError(f"found no mail {name!r}")
    return file


def _rows(office: Office, query: str, *values: str) -> str:
    with office.database() as database:
        rows = [dict(row) for row in database.execute(query, values)]
    return json.dumps(rows) if rows else "nothing found"


def _change(office: Office, query: str, *values: str) -> None:
    with office.database() as database:
        if database.execute(query, values).rowcount == 0:
            raise WrongArgumentsError(f"found nothing for {', '.join(values)}")
