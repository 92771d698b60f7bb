"""The least that any client must do: so many POSTs, so many in flight, each answer read as JSON.

python benchmarks/bare_client.py URL CALLS IN_FLIGHT
"""

from __future__ import annotations

import asyncio
import sys

import aiohttp


async def main(url: str, calls: int, in_flight: int) -> None:
    """Every call once."""
    numbers = iter(range(calls))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight)) as session:

        async def slot() -> int:
            done = 0
            for number in numbers:
                async with session.post(url, json={"message": f"turn {number}"}) as response:
                    done += "answer" in await response.json()
            return done

        done = sum(await asyncio.gather(*(slot() for _ in range(in_flight))))
    print(f"{done} answers")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
