"""What can be wrong with the text of a file, in plain words."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Fault(NamedTuple):
    """A problem of a text, before it has a file and a place."""

    code: str
    found: str
    expected: str
    todo: str


QUOTE = "put the text in quotes, or write it as a block after |"
_SYNTAX = "yaml-syntax"

#: (words of the parser, mark that helps: where the thing began or where it went wrong, fault).
TABLE: tuple[tuple[str, Literal["start", "here"], Fault], ...] = (
    (
        "nesting depth",
        "here",
        Fault("yaml-depth", "values nested far too deep", "at most 64 levels", "flatten the file"),
    ),
    (
        "another document",
        "here",
        Fault(
            "yaml-documents",
            "a second document after ---",
            "one document a file",
            "split the file, or put text that holds --- in quotes",
        ),
    ),
    (
        "<document start>",
        "here",
        Fault(
            _SYNTAX, "text after the end of the document", "nothing more", "remove it, or correct the lines before it"
        ),
    ),
    (
        "undefined alias",
        "here",
        Fault(
            "yaml-alias",
            "a value that begins with *, which refers to an anchor that does not exist",
            "a text in quotes",
            "put the text in quotes",
        ),
    ),
    (
        "scanning an alias",
        "start",
        Fault("yaml-alias", "a value that begins with *", "a text in quotes", "put the text in quotes"),
    ),
    (
        "scanning an anchor",
        "start",
        Fault("yaml-alias", "a value that begins with &", "a text in quotes", "put the text in quotes"),
    ),
    (
        "duplicate anchor",
        "here",
        Fault(
            "yaml-alias", "an anchor that is defined twice", "one definition of each anchor", "rename one of the two"
        ),
    ),
    (
        "directive",
        "start",
        Fault(_SYNTAX, "a line that begins with %", "a key or a list entry", "put the text in quotes"),
    ),
    (
        "tag handle",
        "here",
        Fault("yaml-tag", "a value that begins with !", "a text in quotes", "put the text in quotes"),
    ),
    (
        "scanning a tag",
        "start",
        Fault("yaml-tag", "a value that begins with !", "a text in quotes", "put the text in quotes"),
    ),
    (
        "',' or ']'",
        "start",
        Fault(
            _SYNTAX,
            "a list in [ ] that is not closed, or lacks a comma",
            "a ] at its end and a comma between entries",
            "close it, and put texts with [ ] { } , : or # in quotes",
        ),
    ),
    (
        "',' or '}'",
        "start",
        Fault(
            _SYNTAX,
            "a mapping in { } that is not closed, or lacks a comma",
            "a } at its end and a comma between entries",
            "close it, and put texts with [ ] { } , : or # in quotes",
        ),
    ),
    (
        "a quoted scalar",
        "start",
        Fault(
            _SYNTAX,
            "a quoted text that does not end",
            "a closing quote like the opening one",
            'close it; inside \'...\' a \' is written twice, inside "..." a " is written \\"',
        ),
    ),
    (
        "mapping values are not allowed",
        "here",
        Fault(
            _SYNTAX,
            "a ':' where no key can stand",
            "one 'key: value' on a line, in line with its neighbours",
            "put a text that holds ': ' in quotes, or correct the indentation",
        ),
    ),
    (
        "sequence entries are not allowed",
        "here",
        Fault(
            _SYNTAX,
            "a '-' where no list can begin",
            "the list on lines of its own, below its key",
            "start a new line, or put the text in quotes",
        ),
    ),
    (
        "expected '-' indicator",
        "here",
        Fault(
            _SYNTAX,
            "a line that does not fit the list around it",
            "'- ' in line with the other entries",
            "correct the indentation",
        ),
    ),
    (
        "expected key",
        "here",
        Fault(
            _SYNTAX,
            "something that does not fit the mapping around it",
            "a key in line with the other keys",
            "correct the indentation, or put the whole text in quotes",
        ),
    ),
    (
        "expected <block end>",
        "here",
        Fault(
            _SYNTAX,
            "something that does not fit the lines around it",
            "a key or '- ' in line with its neighbours",
            "correct the indentation, or put the whole text in quotes",
        ),
    ),
    (
        "expected ':'",
        "start",
        Fault(
            _SYNTAX,
            "a line that is neither 'key: value' nor part of a text",
            "'key: value'",
            "add the key, or indent the line below the text it continues",
        ),
    ),
    (
        "node content",
        "here",
        Fault(_SYNTAX, "a sign where a value should stand", "a value", "remove it, or put the text in quotes"),
    ),
    (
        "line break",
        "here",
        Fault(
            _SYNTAX,
            "something after | or > that is no block header",
            "a new line after | or >",
            "start the block on the next line, or put the text in quotes",
        ),
    ),
    (
        "incompatible YAML document",
        "here",
        Fault(_SYNTAX, "a %YAML line of another version", "YAML 1.2", "remove the line"),
    ),
)

START = Fault(_SYNTAX, "", "a value that begins with a letter, a digit or a quote", QUOTE)
AFTER_QUOTE = Fault(
    _SYNTAX,
    "text after a closing quote",
    "one pair of quotes around the whole text",
    'correct the quotes; inside \'...\' a \' is written twice, inside "..." a " is written \\"',
)
EMPTY = Fault("yaml-empty", "an empty file", "a mapping with keys and values", "fill the file or remove it")
TAB = Fault(_SYNTAX, "a tab", "spaces", "indent with spaces, everywhere in the file")
ESCAPE = Fault(
    _SYNTAX,
    "an escape after \\ that YAML does not know",
    'one such as \\n, \\" or \\u00e9',
    "write \\\\ for a backslash, or put the text in '...' where \\ is an ordinary sign",
)
CODE = Fault(
    _SYNTAX,
    "an escape that is no character",
    "\\uXXXX or \\UXXXXXXXX, with one code for one character",
    "write the character itself, or its code after \\U",
)
OTHER = Fault(_SYNTAX, "text that YAML cannot read", "valid YAML", QUOTE)
