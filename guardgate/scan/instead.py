"""What an injection puts in place of the user's wish, in English: whose order goes, who is meant, what is hushed."""

from __future__ import annotations

from guardgate.scan.cue import Cue

_READER = "(?:assistant|ai|a\\.i\\.|bot|chatbot|llm|language model|machine|copilot|agent|model)"
_DOES = (
    "(?:read|load|process|check|prepare|sort|list|summari|handl|review|condens|translat|index|pars|assess|digest|"
    "rank|screen|grad|scor|answer|describ|evaluat|analy|crawl|moderat|classif)"
)
_USER = "(?:user|owner|operator|master|human|customer|client|reader|sender|principal)"
_WISH = "(?:orders?|instructions?|requests?|tasks?|wish(?:es)?|commands?|questions?|prompts?|jobs?|assignments?)"
_QUIT = (
    "(?:drop|abandon|stop|leave|set aside|pause|halt|quit|forget(?: about)?|suspend|ignore|disregard|give up|put down)"
)
_FLAWS = (
    "(?:problems?|weakness(?:es)?|issues?|flaws?|errors?|bugs?|findings|vulnerabilit\\w+|limitations|concerns?|risks?|"
    "shortcomings|mistakes)"
)

_WHO = (
    Cue(
        "addressed",
        3,
        rf"(?:^|[\n!?>*(\"']|[.] )\s*(?:dear |attention |hey |hello |ok(?:ay)? )?{_READER}s?, (?:you|please|once|now|"
        r"before|after|if|when|as soon as|ignore|forget|drop|stop|do not|don't|write|say|tell|reply|send|remember)\b|"
        rf"\byou, (?:the |dear |my )?{_READER},",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:any|the|every|each|all|whichever) (?:\w+ )?{_READER}s? (?:that|who|which) (?:is |are |was |will |may )?"
        rf"{_DOES}\w* (?:from |about |through )?(?:this|these|my)\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:instructions?|notes?|messages?|tasks?|orders?|requests?|directives?|lines?|commands?|text|words?) "
        rf"(?:for|to) (?:the|any|all|every|whichever|our|your) (?:\w+ )?{_READER}s?(?: ~6{_DOES}\w*)?[^\s.:]*\s?:",
    ),
    Cue(
        "addressed",
        3,
        r"\b(?:for|to) (?:all |any |the )?(?:automated|automatic|ai|virtual|digital|llm|machine)(?:-\w+)? (?:\w+ )?"
        r"(?:tools?|systems?|software|readers?|assistants?|agents?|reviewers?|screeners?|bots?|scanners?|parsers?)\s?:",
    ),
    Cue(
        "addressed",
        3,
        r"(?:^|[\n#*>(!;]|[.] )\s*(?:ai|llm|automated|virtual) \w+ (?:reviewers?|assistants?|agents?|graders?|"
        r"screeners?|"
        r"summari[sz]ers?|bots?|models?|readers?)\s?: \w",
    ),
)
_INSTEAD = (
    Cue("override", 3, rf"\b{_QUIT} (?:whatever|your|the {_USER}'s|their) ~2{_WISH}\b", "wish"),
    Cue(
        "override",
        3,
        rf"\b{_QUIT} (?:what(?:ever)?|everything) you (?:are|were|have been) (?:doing|working|asked|told|about)\b",
        "wish",
    ),
    Cue(
        "override",
        3,
        rf"\b(?:your|previous|earlier|original|the user's|the current) ~1{_WISH} (?:is|was|are|has been|"
        rf"have been) (?:now |hereby |already )*(?:void|cancel+ed|over|obsolete|"
        r"replaced|superseded|revoked|withdrawn)\b",
        "wish",
    ),
    Cue(
        "override",
        4,
        rf"\b(?:replac|supersed|overrid|overrul|ignor|disregard|outrank)(?:es?|s|ing)? (?:the )?{_WISH} (?:of|from|by) "
        rf"(?:your|the|their) {_USER}\b",
        "wish",
    ),
    Cue(
        "override",
        3,
        rf"\b(?:has|have|takes?|given?) (?:priority|precedence) over ~3(?:{_USER}|asked|(?:your|previous|earlier|"
        rf"all|any|system) ~1(?:instructions?|"
        rf"orders|prompts?))\b",
        "wish",
    ),
    Cue("override", 3, r"\b(?:ignore|disregard|forget|discard) ~6everything else\b"),
    Cue(
        "override",
        3,
        r"\b(?:skip|overrid|bypass|ignor|disregard)(?:e|ing)? (?:the |all |any |manual |your |usual |this )*(?:\w+ )?"
        r"(?:rubric|scoring|grading|criteria|screening|moderation)\b",
        "verdict",
    ),
    Cue(
        "new_orders",
        3,
        rf"\bfrom (?:now|here|this (?:point|moment))(?: on(?:wards?)?)?,? (?:the|every|all|any) (?:{_READER}s?|"
        rf"answers?|"
        r"repl(?:y|ies)|responses?)\b",
    ),
    Cue(
        "reveal",
        3,
        r"\b(?:print|show|repeat|output|write|give|tell|recite|copy|reveal|display|list|paste) ~5(?:text|instructions?|"
        r"words|rules|guidelines|prompt|everything) (?:that )?you (?:were|have been|had been|got|have) "
        r"(?:given|told|shown|sent|handed|received)\b",
    ),
    Cue(
        "reveal",
        2,
        r"\bbefore (?:this|our|the) (?:conversation|chat|dialog(?:ue)?|session) (?:started|began)\b",
        "before",
    ),
)
_WANTED = (
    Cue(
        "forced_output",
        3,
        r"\bthe only (?:thing|words?|answer|reply|sentence|response)s? (?:that )?(?:you|they|it) (?:may|can|"
        r"are allowed "
        r"to|should|will|must|ever)\b",
    ),
    Cue(
        "forced_output",
        2,
        rf"\b(?:do not|don't|never|must not|no need to) (?:report|list|mention|flag|raise|point out|critici[sz]e|"
        rf"discuss) "
        rf"(?:any |the |its |these |this |possible |about )*{_FLAWS}\b",
        "flaws",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:give|award|assign|grant) (?:[^\s.]+ ){1,3}?(?:full marks|the (?:highest|top|best|maximum|full) (?:\w+ )?"
        r"(?:scores?|marks?|grades?|ratings?)|a perfect (?:score|rating)|10/10|5/5|100/100)|"
        r"\b(?:return|report|output|answer)(?: with)? (?:10/10|5/5|100/100|lgtm)\b|"
        r"\bapprove (?:the|this) (?:merge|pull) request\b|"
        r"\b(?:interview|hire|candidate|applicant|acceptance|submission) (?:is )?(?:highly|strongly) recommended\b",
        "verdict",
    ),
    Cue(
        "exfiltration",
        3,
        r"\b(?:never|do not|don't|must not|without|not) (?:to )?(?:reveal|mention|say|tell|admit|disclos|explain)\w* ~3"
        r"that you (?:were|have been|are|got) (?:told|asked|instructed|given|ordered)\b",
        "secrecy",
    ),
    Cue(
        "exfiltration",
        2,
        r"\b(?:do not|don't|never|must not) (?:tell|inform|alert|notify|warn) (?:the |your |his |her )?(?:\w+ )?"
        r"(?:owner|user|boss|manager|sender|author|recipient)\b",
        "secrecy",
    ),
    Cue(
        "exfiltration",
        4,
        r"!\[[^\]\n]{0,80}\]\((?:https?:)?//[^)\s]{1,120}?=(?:the_?)?(?:conversation|chat|chat_?history|history|"
        r"secrets?|"
        r"prompt|context|summary|passwords?|transcript|user_?\w+)[)\s&]",
        "image",
    ),
    Cue(
        "command",
        2,
        r"\bauthorized_keys\b|/etc/(?:shadow|sudoers)\b",
    ),
    Cue("fake_turn", 4, r"#{2,} ?[(\[{<]\s?system[\s_-]?(?:message|prompt|instructions?|note)?\s?[)\]}>]", "tokens"),
    Cue(
        "fake_turn",
        4,
        r"</(?:document|context|data|untrusted\w*|tool_results?|search_results?|webpage|e-?mail|content|input)>\s*"
        r"<(?:system|assistant|instructions?|user)\b",
        "tokens",
    ),
    Cue(
        "role",
        3,
        r"\b(?:scenario|world|case|situation) where (?:we|you) (?:ignore|disregard|pretend|forget)\b",
        "fiction",
    ),
    Cue(
        "role",
        2,
        r"\b(?:scenario|world|case|situation) where (?:we|you) (?:state|say|claim|answer|report)\b",
        "fiction",
    ),
)

INSTEAD: tuple[Cue, ...] = (*_WHO, *_INSTEAD, *_WANTED)
