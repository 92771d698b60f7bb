"""Markup that a reader of the page does not see: comments, styles that hide, titles, alternative texts."""

from __future__ import annotations

from guardgate.scan.cue import Cue, Hit, compiled, hits, nets
from guardgate.scan.elements import elements, joined
from guardgate.scan.prose import prose

#: Blanks, and at most one line end.
_GAP = r"[ \t]*\n?[ \t]*"
#: The title of a link goes over a few lines at most, none of them empty.
_TITLE = (
    r"""(?:"(?:[^"\\\n]|\\[^\n])*(?:\n(?:[^"\\\n]|\\[^\n])+){0,3}"|"""
    r"""'(?:[^'\\\n]|\\[^\n])*(?:\n(?:[^'\\\n]|\\[^\n])+){0,3}'|\((?:[^()\\\n]|\\[^\n])*\))"""
)
#: Each leaves open no more than a tag or a paragraph, so that a page is gone through once.
_SPANS = (
    r"<!\s?-{1,2}(?:[^-]|-[^-]|--[^>])*(?:-->|\z)",
    r"\[(?://|comment|hidden|_|_metadata_)[^\]\n]{0,80}\]:\s*(?:#|<>)?[^\n]*",
    rf"\]\({_GAP}(?:<[^<>\n]*>|[^()\s<]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+\n?|\n)[ \t]*{_TITLE}{_GAP}\)",
    rf"\[[^\[\]\n]+\]:{_GAP}(?:<[^<>\n]*>|[^\s<]+)(?:[ \t]+\n?|\n)[ \t]*{_TITLE}[ \t]*(?:\n|\z)",
    r"!\[[^\]\n]{20,}\]\(",
    r"""\b(?:alt|title|aria-label|content|placeholder|data-[\w.:-]+|summary|"""
    r"""value|label|longdesc|aria-(?:description|roledescription|placeholder|valuetext))\s*=\s*"""
    r"""(?:"[^"<>]{16,}"|'[^'<>]{16,}')""",
    r"""::?(?:before|after)\s*\{[^{}]{0,400}content\s*:\s*(?:"[^"\n]{12,}"|'[^'\n]{12,}')""",
    # Instructions to a program, but not those of PHP and XML's own.
    r"<\?(?:[a-oq-wyz]|p[^h]|x[^m]|xml-)[^<>]*\?>",
    r"<(?:desc|metadata|title)\b[^>]*>[^<]*",
    r"\\(?:color\{white\}|textcolor\{white\}|phantom)[^\n]*|(?m:^)%[^\n]*",
)
_PATTERN = "|".join(f"(?:{span})" for span in _SPANS)
_FAR = 200
#: What shows an order only where nobody is meant to read.
_ORDERS = nets(
    (
        Cue(
            "hidden_markup",
            2,
            r"\b(?:i want you to|you are (?:an?|now)|you (?:will|must) (?:now|only|always|never|answer|"
            r"respond|reply|ignore|say)|act as|tell me|give me|show me|answer (?:me|with|only|the)|respond "
            r"(?:to|with|only)|"
            r"reply with|pretend|imagine|ignore|forget|disregard|say (?:that|\"|')|print (?:the|\"|')|"
            r"output (?:the|only)|your (?:task|role|answer|response|instructions?|prompt|new)|"
            r"write (?:me|an?|the) (?:poem|story|essay|article|text|summary|joke|review|tweet|headline|"
            r"plea|speech)|translate (?:this|the)|as an ai|password|repeat (?:the|after|everything))\b",
            "order",
        ),
        Cue(
            "hidden_markup",
            2,
            r"(?:^|[\s(>])(?:du bist|schreib|sag mir|gib mir|antworte|vergiss|tu es|vous êtes|dis-moi|"
            r"écris|eres|dime|escribe|responde|você|diga|escreva|sei|dimmi|scrivi|ты|напиши|ответь)[\s,:]",
            "order",
        ),
    )
)


def hidden_in(data: bytes) -> tuple[tuple[int, int], ...]:
    """Where markup hides something, sorted, without overlap."""
    if not any(mark in data for mark in (b"<", b"](", b"]:", b"\\", b"![")):
        return ()
    spans = [match.span() for match in compiled(_PATTERN).finditer(data)]
    return joined([*spans, *elements(data)])


def orders_in(data: bytes, spans: tuple[tuple[int, int], ...]) -> list[Hit]:
    """What reads as an order, in hidden places only."""
    return [
        hit
        for start, end in spans
        if end - start > 12
        for hit in hits(_ORDERS, data, start, end)
        if data[start : start + 1] != b"<" or not data[start + 1 : start + 2].isalpha() or _said(data, hit, start, end)
    ]


def _said(data: bytes, hit: Hit, start: int, end: int) -> bool:
    """Whether it stands in a sentence, and is no button or heading of a part that is shown later."""
    begin = max(data.rfind(b">", max(start, hit.start - _FAR), hit.start) + 1, start, hit.start - _FAR)
    stop = data.find(b"<", hit.end, min(end, hit.end + _FAR))
    return prose(data[begin : stop if stop >= 0 else min(end, hit.end + _FAR)].decode("utf-8", "replace"))


#: A page, or a text in Markdown.
_MARKED_UP = (
    r"</?[a-z][\w:-]*(?:\s[^<>]*)?/?>|(?m:^)#{1,6}\s|(?m:^)\s*(?:```|~~~)|\]\(|`|(?m:^)\s*[-*+]\s|"
    r"(?m:^)\.\.\s|::\s*\n|\*\*[^*\n]+\*\*|(?m:^)\||(?m:^)(?:-{3,}|={3,}|~{3,})\s*$"
)
_TO_SOMEBODY = (
    r"\?|\b(?:i|me|my|you|your|yourself|du|dir|dich|dein\w*|sie|ihnen|ich|mir|je|moi|vous|votre|tu|"
    r"toi|yo|me|usted|tus?|io|mi|lei|eu|você|seu)\b|я|ты|вы|你|您|我|あなた|私|당신"
)
#: What those write who look after a page.
_UPKEEP = (
    r"\b(?:generated|automatic\w*|auto\w*|edit|todo|fixme|licen[sc]e\w*|copyright|spdx|toc|badges?|"
    r"lint\w*|markdownlint|prettier|template|remove this|comments?|section|version)\b"
)
_COMMENT = r"<!\s?-{1,2}\s*|\s*-->|\[[^\]\n]*\]:\s*(?:#|<>)?|<[^<>]*>"


def secrets_in(data: bytes, spans: tuple[tuple[int, int], ...]) -> list[Hit]:
    """Sentences in comments and behind styles, in a text that has no other markup: nobody comments a letter."""
    kept = [(start, end) for start, end in spans if data[start : start + 1] in (b"<", b"[") and data[:start].strip()]
    kept = [(start, end) for start, end in kept if data[start - 1 : start] not in (b'"', b"'", b"`")]
    if not kept or any(compiled(_MARKED_UP).search(part) for part in _outside(data, kept)):
        return []
    return [Hit(start, end, "hidden_markup", 4, "sentence") for start, end in kept if _letter(_inner(data[start:end]))]


def _letter(text: str) -> bool:
    """Whether it is a sentence to somebody: it asks, or says I or you, and is no note of those who keep the page."""
    data = text.encode("utf-8", "replace")
    return prose(text) and bool(compiled(_TO_SOMEBODY).search(data)) and not compiled(_UPKEEP).search(data)


def _outside(data: bytes, spans: list[tuple[int, int]]) -> list[bytes]:
    edges = [0, *(edge for span in spans for edge in span), len(data)]
    parts = [data[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    # The end tag of a hidden element stands outside.
    return [part.split(b">", 1)[-1] if part.startswith(b"</") else part for part in parts]


def _inner(span: bytes) -> str:
    return str(compiled(_COMMENT).sub(b" ", span).decode("utf-8", "replace"))
