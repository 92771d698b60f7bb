"""What a file is by its bytes and its name: text, and in which encoding, or something that holds none."""

from __future__ import annotations

import codecs
import re

from guardgate.scan import STRINGS

#: So much of a file is looked at.
HEAD = 8192
#: So many bytes of a piece are looked at again with the next one.
OVERLAP = 64
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SUFFIXES = """
.png .jpg .jpeg .gif .bmp .ico .webp .tif .tiff .avif .heic .psd .mp3 .wav .flac .ogg .opus .m4a .mp4 .mov .avi .mkv
.webm .zip .gz .bz2 .xz .zst .7z .rar .tar .tgz .jar .war .whl .egg .deb .rpm .dmg .iso .pdf .doc .docx .xls .xlsx .ppt
.pptx .odt .ods .odp .epub .ttf .otf .woff .woff2 .eot .pyc .pyo .so .dll .dylib .exe .o .a .lib .class .wasm .bin .db
.sqlite .sqlite3 .npy .npz .parquet .pkl .pt .onnx .safetensors .gguf .mo .idx .pack
"""
_BINARY = frozenset(_SUFFIXES.split())
_TEXTS = """
.md .markdown .mdx .mdc .txt .rst .html .htm .xhtml .tex .eml .log .adoc .org .srt .vtt .svg
"""
_TEXT = STRINGS | frozenset(_TEXTS.split())
#: How images, archives, programs and databases begin.
_MAGIC = (
    *(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"\0\0\1\0", b"PK\3\4", b"PK\5\6"),
    *(
        b"\x1f\x8b\x08",
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
        b"7z\xbc\xaf",
        b"Rar!\x1a\x07",
        b"%PDF-",
        b"\xd0\xcf\x11\xe0",
    ),
    *(b"\x7fELF", b"MZ\x90\0", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\0asm", b"OggS\0"),
    *(
        b"SQLite format 3\0",
        b"ID3\3",
        b"ID3\4",
        b"wOFF\0",
        b"wOF2\0",
        b"\0\1\0\0\0",
        b"OTTO\0",
        b"!<arch>\n",
        b"\x93NUMPY",
    ),
    *(b"\0\0\0\1Bud1", b"GGUF\3", *(b"BZh%d1AY&SY" % level for level in range(1, 10))),
)
_PRINTABLE = re.compile(rb"[\t\n\r -~]")
#: Of what holds no text, fewer bytes than this can be read.
_READABLE = 0.9
#: Letters of two bytes, of which one is a control character: UTF-16 of another script, or somebody hides words.
_WIDE = re.compile(rb"(?:[\x00-\x09\x0b\x0c\x0e-\x1f][^\n]){16}", re.DOTALL)
_CONTROLS = bytes((*range(1, 9), 11, 12, *range(14, 32)))
_CONTROL = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f]")
#: In UTF-16 no text has so many bytes in a row that are ASCII.
_NARROW = re.compile(rb"[\t\n\r -~]{32}")


def holds_no_text(head: bytes, suffix: str) -> bool:
    """Whether it is an image, an archive, a program: its ending and its beginning say so, or one and all of its bytes.

    A name alone proves nothing, nor do a few bytes: whoever wrote the file may want it to be overlooked.
    """
    if head.startswith(tuple(mark for mark, _ in _MARKS)) or suffix in _TEXT or (b"\0" not in head and _is_utf8(head)):
        return False
    begins = head.startswith(_MAGIC) or (suffix in (".pyc", ".pyo") and head[2:4] == b"\r\n")
    signs = (suffix in _BINARY) + begins
    return signs == 2 or (signs == 1 and len(_PRINTABLE.findall(head)) < _READABLE * len(head))


def encoding_of(head: bytes) -> str:
    """UTF-8, or UTF-16 where its mark stands at the beginning or where every other byte is zero."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    even, odd = head[::2].count(0), head[1::2].count(0)
    pairs = len(head) // 2
    if pairs and odd * 2 > pairs and even * 8 < pairs:
        return "utf-16-le"
    return "utf-16-be" if pairs and even * 2 > pairs and odd * 8 < pairs else "utf-8-sig"


def mixed(data: bytes, encoding: str) -> bool:
    """Whether a part of a file reads as text of another encoding than the whole."""
    if encoding != "utf-8-sig":
        return _NARROW.search(data) is not None
    if len(data.translate(None, _CONTROLS)) == len(data):
        return False
    return any(len(_CONTROL.findall(run[0])) >= 4 for run in _WIDE.finditer(data))


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeError:
        return False
    return True
