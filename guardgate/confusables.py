"""Characters that look like an ASCII letter or digit and that NFKC leaves as they are.

Chosen from the facts of Unicode Technical Standard #39, Unicode Security Mechanisms (data file
confusables.txt), for the scripts in which look-alikes are met: Cyrillic, Greek, Armenian, Coptic,
Cherokee, Lisu, Latin extensions and phonetic letters. Added: ASCII letters with a stroke or
hook, and enclosed letters. A digit never becomes a letter.
"""

from __future__ import annotations

_LOOKALIKES = {
    "a": "ΑАᎪꓮᗅ ⍺ɑαаᴀ",
    "b": "ΒВᏴꓐᗷꞴ ƄƅЬьᏏвʙᏼƀɓ",
    "c": "СⲤᏟꓚ ᴄⲥсƈ",
    "d": "ᎠꓓᗞᗪᏧꓒ ԁᴅđɗɖ",
    "e": "ΕЕⴹᎬꓰ ℮ꬲеҽεєᴇɛ",
    "f": "ϜᖴꓝꞘ ꬵꞙẝքϝƒꜰ",
    "g": "ԌᏀᏳꓖ ɡᶃցԍɢɠǥ",
    "h": "ΗНⲎᎻᕼꓧ һհᏂнʜħɦⲏ",
    "i": "ΙІⲒ ıɪɩιіꙇᎥⲓɨ",
    "j": "ЈͿᎫᒍꓙ ϳјᴊȷʝɉ",
    "k": "ΚКⲔᏦᛕꓗ κкⲕᴋĸƙ",
    "l": "ⳐᏞᒪꓡ ǀӀӏƖꓲʟłƚɫɭ",
    "m": "ΜМϺⲘᎷᗰꓟ мᴍⲙɱϻ",
    "n": "ΝⲚꓠ ηոռɴⲛɲɳƞŋпᴨ",
    "o": "ΟОՕⲞⵔꓳ οоօσᴏᴑꬽⲟჿøɵө〇",
    "p": "ΡРⲢᏢᑭꓑ ρрⲣᴘƥþ⍴",
    "q": "ⵕ ԛգզɋʠ",
    "r": "ƦᎡᏒᖇꓣ ꭇꭈᴦⲅгʀɍɼɾ",
    "s": "ЅՏᏕᏚꓢ ѕꜱʂ",
    "t": "ΤТⲦᎢꓔ⊤ τтᴛŧⲧƭʈ",
    "u": "Սᑌꓴ∪ ʋυսᴜꭎꭒꞟμʉ",
    "v": "ѴⴸᏙᐯꓦ∨ νѵᴠ",
    "w": "ԜᏔᎳꓪ ɯᴡѡԝաωⲱ",
    "x": "ΧХⲬⵝᚷꓫ᙭ χхⲭ×ᕁᕽ⨯",
    "y": "ΥУҮⲨᎩᎽꓬ ɣʏỿꭚγуүყⲩƴɏ",
    "z": "ΖᏃꓜ ᴢζƶʐʑ",
    "3": "ЗӠƷȜⳌ зӡʒȝⳍ",
    "ae": "Æ æᴁ",
    "oe": "Œ œɶ",
}


def _table() -> dict[int, str]:
    table = {ord(char): ascii_ for ascii_, row in _LOOKALIKES.items() for char in row if char != " "}
    # Negative circled and squared letters, and regional indicators: rows of 26 that begin with A.
    for first in (0x1F150, 0x1F170, 0x1F1E6):
        table.update({first + n: chr(ord("a") + n) for n in range(26)})
    return table


#: For `str.translate`: code of a look-alike -> lower-case ASCII.
CONFUSABLES: dict[int, str] = _table()
#: The lunate sigma looks like c, but NFKC makes a common sigma of it.
BEFORE_NFKC: dict[str, str] = {"\u03f2": "c", "\u03f9": "c"}
