"""What a file is by its first bytes and its name: text, and in which encoding, or something that holds none."""

from __future__ import annotations

import codecs

#: So much of a file is looked at.
HEAD = 8192
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
_TEXT = frozenset(_TEXTS.split())
#: How images, archives, programs and databases begin.
_MAGIC = (
    *(
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"RIFF",
        b"II*\0",
        b"MM\0*",
        b"\0\0\1\0",
        b"PK\3\4",
        b"PK\5\6",
        b"\x1f\x8b",
    ),
    *(
        b"BZh",
        b"\xfd7zXZ",
        b"\x28\xb5\x2f\xfd",
        b"7z\xbc\xaf",
        b"Rar!",
        b"%PDF-",
        b"\xd0\xcf\x11\xe0",
        b"\x7fELF",
        b"MZ",
    ),
    *(b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\0asm", b"SQLite format 3\0", b"OggS", b"ID3"),
    *(b"wOFF", b"wOF2", b"\0\1\0\0\0", b"OTTO", b"!<arch>", b"PAR1", b"\x93NUMPY", b"\0\0\0\1Bud1", b"GGUF"),
)


def holds_no_text(head: bytes, suffix: str) -> bool:
    """Whether it is an image, an archive, a program: by its ending or its beginning, and by bytes that no text has.

    A name for texts, or bytes alone, are not enough: whoever wrote the file may want it to be overlooked.
    """
    if head.startswith(tuple(mark for mark, _ in _MARKS)):
        return False
    known = suffix in _BINARY or (suffix not in _TEXT and head.startswith(_MAGIC))
    return known and (b"\0" in head or not _is_utf8(head))


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


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeError:
        return False
    return True
