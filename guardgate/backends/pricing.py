"""Tokens with their price."""

from __future__ import annotations

from guardgate.model.project import Price
from guardgate.record import Usage


def priced(tokens_in: int | None, tokens_out: int | None, usd: float | None, price: Price | None) -> Usage:
    """Tokens with their price in US dollars: by the target's own `price` where it has one, else `usd`, as reported."""
    if price is not None and tokens_in is not None and tokens_out is not None:
        usd = (tokens_in * price.input + tokens_out * price.output) / 1e6
    return Usage(tokens_in, tokens_out, usd)
