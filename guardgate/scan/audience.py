"""Those who process a text by machine, spoken to by what they do: "tools that sort tickets: ..."."""

from __future__ import annotations

from guardgate.scan.cue import Cue, one_of

_KIND = (
    "(?:ai|automated|automatic|digital|virtual|reviewing|recruiting|coding|reading|calling|summari[sz]ing|machine|"
    "llm|voice|calendar|artificial|assistant)"
)
_WHO = (
    "(?:assistants?|agents?|reviewers?|models?|readers?|systems?|bots?|assessors?|colleagues?|clerks?|summari[sz]ers?)"
)
_DOES = (
    "(?:read|load|process|check|prepare|sort|list|write|extract|summari|handle|review|condens|"
    "assist|answer|cannot|sum|"
    "translat|index|pars|assess|digest|build|draft|rank|screen|collect|open|receiv)"
)
_AGENTS = "(?:assistants?|agents?|models?|bots?|llms?|ais?|chatbots?)"
_MANY_AGENTS = "(?:assistants|agents|models|bots|llms|ais|chatbots)"
_THINGS = "(?:tools?|software|systems?|programs?|machines?|readers)"

AUDIENCE: tuple[Cue, ...] = (
    Cue(
        "addressed",
        3,
        rf"\b{_KIND} (?:note )?{_WHO}(?:,? (?:that|who|which|about|reading|of|in|and) "
        rf"~7[^\s:]*)?\s?:(?:\s|$)",
        "audience",
    ),
    Cue("addressed", 3, rf"\b{_AGENTS} (?:that|who|which) {_DOES}\w* ~7[^\s:]*:(?:\s|$)", "audience"),
    Cue("addressed", 2, rf"\b{_THINGS} (?:that|who|which) (?:{_DOES}\w*|are programs) ~7[^\s:]*:(?:\s|$)", "audience"),
    Cue(
        "addressed",
        2,
        rf"\b(?:(?:for|to|dear) (?:the |all |any |our ){_AGENTS}|(?:for|to|dear) {_MANY_AGENTS})\s?[,:]",
        "audience",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:{_AGENTS}|{_KIND} {_WHO}) (?:that|who|which) {_DOES}\w* ~7(?:must|may|has to|have to|also|now|keep|"
        r"store|add|count|list|state|reply|replies|answers?|adds?|begin|ends?|sign|closes?)\b",
        "audience",
    ),
    Cue("addressed", 3, r"(?:^|\n)\W*(?:assistants|llms|chatbots|bots)\s?: ", "audience"),
    Cue(
        "forced_output",
        2,
        r"\b(?:add|list|include|cite|count|name) ~6(?:to the references|as (?:a |the |its |number |"
        r"main |most important )+"
        r"(?:sources?|references?|\d))\b",
        "citation",
    ),
    Cue(
        "reveal",
        2,
        r"\b(?:answer|reply|respond|state|give|print|include|add|need) ~3(?:your|their) [\w-]+ codes?\b|"
        r"\b(?:the )?code (?:of|that) your (?:desk|office)\b|\bcode that your office\b",
        "code",
    ),
    Cue(
        "forced_output",
        2,
        one_of(
            r"\b(?:reply|answer|sentence|words?|line|wording|report|review|starts?|ends?|opens?|signs?|"
            r"closed?|begins?) "
            r"(?:has to open |to open )?(?:is |with |the )*[:\s]?[\"«„][^\"»“\n]{12,160}[^\"»“\n?][\"»“]",
            r"\b(?:reply|answer|sentence|words|line|wording) '[^'\n]{12,160}'",
        ),
        "dictated",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:your|their) (?:whole |one |only |next |entire )?(?:answer|reply|output|assessment|"
        r"remarks|digest|report|text)"
        r" (?:about|is|has|have|must|together|with)\b|\b(?:at the top of|above|at the end of|preface|open) "
        r"(?:your|their|what you|what they)\b|\bas the first line\b|\bon a line of its own\b",
        "place",
    ),
    Cue(
        "exfiltration",
        2,
        r"\b(?:(?:does not|do not|don't) (?:need|have) to|need not) (?:see|be told|know about|bother the|go into) |"
        r"\b(?:no reason|not) to mention\b|\bbefore a (?:person|human) sees\b|\bmust not comment\b|"
        r"\bleave ~6out of (?:it|your)\b",
        "hush",
    ),
)
