"""The tags of two public lists: the OWASP Top 10 for LLM applications 2025, and the techniques of MITRE ATLAS 5.6.0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from guardgate.attacks import TABLE

#: Every entry of the list, with its name.
_OWASP: Mapping[str, str] = MappingProxyType(
    {
        "LLM01": "Prompt Injection",
        "LLM02": "Sensitive Information Disclosure",
        "LLM03": "Supply Chain",
        "LLM04": "Data and Model Poisoning",
        "LLM05": "Improper Output Handling",
        "LLM06": "Excessive Agency",
        "LLM07": "System Prompt Leakage",
        "LLM08": "Vector and Embedding Weaknesses",
        "LLM09": "Misinformation",
        "LLM10": "Unbounded Consumption",
    }
)
#: Every technique by its number (101), and how many sub-techniques it has (69): .000, .001 and so on.
_TECHNIQUES = (
    *range(9), *range(10, 22), 24, 25, 29, 31, *range(34, 38), *range(40, 45), *range(46, 113),
)  # fmt: skip
_SUBS: Mapping[int, int] = MappingProxyType(
    {0: 3, 2: 3, 5: 3, 8: 6, 10: 6, 11: 4, 16: 3, 17: 1, 18: 3, 24: 3, 34: 3, 43: 5, 48: 5, 51: 3, 52: 2, 67: 1}
    | {69: 3, 80: 2, 84: 4, 85: 2, 91: 1, 95: 1, 112: 2}
)
#: Names of the techniques that the shipped attack classes carry.
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "AML.T0051.001": "LLM Prompt Injection: Indirect",
        "AML.T0053": "AI Agent Tool Invocation",
        "AML.T0054": "LLM Jailbreak",
        "AML.T0056": "Extract LLM System Prompt",
        "AML.T0057": "LLM Data Leakage",
        "AML.T0065": "LLM Prompt Crafting",
        "AML.T0067.000": "LLM Trusted Output Components Manipulation: Citations",
        "AML.T0068": "LLM Prompt Obfuscation",
        "AML.T0073": "Impersonation",
        "AML.T0077": "LLM Response Rendering",
        "AML.T0080.000": "AI Agent Context Poisoning: Memory",
        "AML.T0086": "Exfiltration via AI Agent Tool Invocation",
        "AML.T0092": "Manipulate User LLM Chat History",
        "AML.T0094": "Delay Execution of LLM Instructions",
        "AML.T0110": "AI Agent Tool Poisoning",
    }
)
#: What a tag of one of these lists begins with.
FAMILIES = ("owasp", "atlas")


def _atlas() -> Iterable[str]:
    for number in _TECHNIQUES:
        yield f"AML.T{number:04}"
        yield from (f"AML.T{number:04}.{sub:03}" for sub in range(_SUBS.get(number, 0)))


#: Every tag of the two lists, with its name ("": the name is not kept here).
KNOWN: Mapping[str, str] = MappingProxyType(
    {f"owasp:{key}": name for key, name in _OWASP.items()} | {f"atlas:{key}": _NAMES.get(key, "") for key in _atlas()}
)


def of_a_list(tag: str) -> bool:
    """Whether a tag claims to be of one of the two lists."""
    return tag.partition(":")[0].lower() in FAMILIES


def public(attack: str, *more: Iterable[str]) -> tuple[str, ...]:
    """The tags of the two lists that a case has: of its class, of its rule and its own, in the order of the lists."""
    row = TABLE.get(attack)
    found = {*(row.tags if row else ()), *(tag for tags in more for tag in tags)}
    return tuple(tag for tag in KNOWN if tag in found)
