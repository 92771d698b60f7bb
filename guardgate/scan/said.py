"""Everything that was said before is to be dropped, with words between "everything" and "before", in four languages."""

from __future__ import annotations

from guardgate.scan.cue import Cue

#: Adverts say "forget all you knew about pumps"; these say that something was said.
SAID: tuple[Cue, ...] = (
    Cue(
        "override",
        4,
        r"\b(?:vergiss|vergesst|vergessen sie|ignoriere?|ignorieren sie) (?:bitte )?(?:alles|all das),? was ~4"
        r"(?:zuvor|vorher|bisher|davor|bislang|bis jetzt|oben|früher) ~2"
        r"(?:gesagt|geschrieben|gegeben|aufgetragen|angewiesen|befohlen|steht|stand)",
        "said",
    ),
    Cue(
        "override",
        4,
        r"\b(?:oubli(?:e|ez)|ignor(?:e|ez)) tout ce ~5(?:dit|écrit|demandé|donné|ordonné|indiqué)e?s? ~1"
        r"(?:avant|auparavant|précédemment|jusqu'ici|jusqu'à présent|plus haut|plus tôt|ci-dessus)",
        "said",
    ),
    Cue(
        "override",
        4,
        r"\b(?:dimentica(?:te|re)?|dimentichi|ignora(?:te|re)?|ignori) tutto (?:quello|ciò|quanto) ~5"
        r"(?:dett|scritt|chiest|ordinat|indicat)[oaie] ~1(?:prima|finora|in precedenza|precedentemente|sopra|fino a)",
        "said",
    ),
)
SAID_SCRIPTS: tuple[Cue, ...] = (
    Cue(
        "override",
        4,
        r"(?:забудь(?:те)?|игнорируй(?:те)?) (?:все|всё),? (?:то,? )?что ~4"
        r"(?:(?:сказан|написан|говорил|сказал|велел)[^\s]{0,4} ~1(?:раньше|ранее|до этого|прежде|выше|до сих пор)|"
        r"(?:раньше|ранее|до этого|прежде|выше|до сих пор) ~2(?:сказан|написан|говорил|сказал|велел))",
        "said",
    ),
)
