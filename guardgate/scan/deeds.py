"""What an injection wants said or kept, in English: secrets, dictated words, things to remember."""

from __future__ import annotations

from guardgate.scan.cue import Cue, one_of

_SHOW = one_of(
    "reveal|show|print|display|output|repeat|tell|give|share|send|leak|dump|expose|disclose|recite|"
    "write|paste|provide|list|return|copy|echo|read|"
    "spell|translate|encode|summari[sz]e|paraphrase|describe|explain|quote|state|say|convert|"
    "extract|export|include|render|reproduce|post|expose",
    "what (?:is|are|was|were|'s)|what's|know|see|get",
)
_TELL = one_of(
    "reveal|show|print|display|output|repeat|tell|give (?:me|us)|leak|dump|expose|disclose|recite|paste|echo|"
    "spell|translate|encode|summari[sz]e|paraphrase|quote|reproduce|what (?:is|are|was|were)|what's"
)
_YOURS = (
    "(?:(?:all|of|the|your|its|own|exact|full|complete|entire|current|very|original|initial|hidden|"
    "secret|internal|first|whole|underlying|private|previous|me|us) )*"
)
_PROMPT = one_of(
    "(?:system|initial|hidden|original|secret|developer|internal|base|confidential|first|starting|"
    "pre-?|meta|underlying|preceding)[\\s-](?:prompts?|instructions?|prompt instructions?)",
    "(?:system|hidden|secret|developer|confidential)[\\s-](?:messages?|directives?|guidelines)",
    "(?:system|initial) (?:configuration|rules)(?: including)?|pre-?prompts?|sys ?prompt|system prompt",
)
_REVEAL = (
    Cue(
        "reveal",
        5,
        rf"\b{_TELL} ~2(?:your|me|us|hidden|secret|confidential|internal|exact|full|complete|entire|"
        rf"whole|initial|original|its) {_YOURS}~1{_PROMPT}\b",
    ),
    Cue("reveal", 3, rf"\b{_TELL} {_YOURS}~2{_YOURS}{_PROMPT}\b"),
    Cue("reveal", 2, rf"\b{_SHOW} {_YOURS}~2{_YOURS}{_PROMPT}\b"),
    Cue(
        "reveal",
        4,
        rf"\b{_TELL} ~3your {_YOURS}(?:instructions?|prompts?|programming|directives?|desk code|"
        rf"unique id|system message|code ?words?)\b",
    ),
    Cue(
        "reveal",
        3,
        rf"\b{_TELL} ~2your {_YOURS}(?:passwords?|passphrases?|secret \w+|secrets|api keys?|"
        rf"credentials|configuration|guidelines|rules)\b",
    ),
    Cue(
        "reveal",
        4,
        r"\b(?:repeat|print|output|show|copy|write|spell|translate|recite|return|display|put|echo) "
        r"(?:me )?(?:back )?(?:everything|all (?:of )?(?:this|that|it)|(?:all )?(?:the |of the |these |"
        r"those )(?:text|words|content|"
        r"lines|sentences|messages?|"
        r"conversation|instructions|prompts?|tokens)|what (?:is|was|you see|comes)|this entire "
        r"conversation) ~4(?:above|before (?:this|here|it|that|me)\b|before\s*[.,:;!?\n\"']|before$|preceding|"
        r"so far|verbatim|previously|starting with|beginning "
        r"with|back to me)\b",
    ),
    Cue(
        "reveal",
        4,
        r"""\b(?:beginning|starting|start|starts|begins|begin) (?:with|at) ?["'`]?you are\b|\bwords """
        r"""(?:above|before) (?:this|starting)\b|\bline by line ~5above\b""",
    ),
    Cue(
        "reveal",
        4,
        r"\bwhat (?:were|are|was) (?:you|your) (?:told|instructed|given|initial|original|first|system|"
        r"programmed|not supposed|rules|instructions|guidelines)\b",
    ),
    Cue(
        "reveal",
        4,
        r"\b(?:what|print|show|repeat|tell|output|write|summari[sz]e) ~6(?:beginning|start|top) of "
        r"(?:this|the|our) (?:prompt|conversation|chat|context|message)\b",
    ),
    Cue(
        "reveal",
        3,
        r"\b(?:what(?: is|'s)|tell me|give me|send me|tell us|share with me) (?:the |your |user's |"
        r"users' )?(?:user's |user |secret |admin )?(?:passwords?|passphrases?|secret key|pin code|"
        r"credit card number|bank balance|access code)\b",
    ),
    Cue(
        "reveal",
        1,
        r"\binstructions (?:you (?:were|have been|received)|that you (?:were|received))\b|\b(?:initial|"
        r"system|hidden) (?:prompt|instructions)\b",
    ),
    Cue(
        "reveal",
        4,
        rf"\b(?:print|show|write|state|reveal|list|give|output|disclose|include|append|add|say|put|"
        rf"sends?) (?:out )?(?:their|its|your) (?:(?:full|complete|own|hidden|initial|exact|entire|whole) ~1"
        rf"(?:instructions|prompt)|{_YOURS}~1(?:desk codes?|(?:secret|access|system) (?:codes?|prompt)))\b",
    ),
)
_ANSWER = "(?:responses?|answers?|repl(?:y|ies)|outputs?|summar(?:y|ies)|completions?)"
_INTO = (
    rf"(?:in|at the (?:very )?(?:end|beginning|top|start|bottom) of|to|into|under|below|before|after|within|of) "
    rf"(?:your|every|each|all your) (?:next |final |every |later |own |first )*{_ANSWER}"
)
_FORCED = (
    Cue(
        "forced_output",
        4,
        rf"\b(?:include|add|insert|append|put|write|say|repeat|print|use|paste|give|post|output) ~6{_INTO}"
        rf"\s?:[\s*]*[\"'`«<!]|\b(?:repeat|say|write|print|output) ~6\d+ times,? {_INTO}\b|"
        rf"\b(?:end|begin|start|close|finish|conclude|open|sign) (?:off )?(?:your|every|each) (?:next |final |every "
        rf"|later |own )*{_ANSWER} (?:off )?with(?: the \w+)?\s?:?[\s*]+[\"'«]\w",
    ),
    Cue(
        "forced_output",
        3,
        rf"\b(?:include|add|insert|append|put|place|embed|write|mention|state|say|repeat|print|"
        rf"incorporate|paste|post) ~6{_INTO}\b",
    ),
    Cue(
        "forced_output",
        3,
        rf"\b(?:end|begin|start|close|finish|conclude|open|sign|preface|prefix|precede) (?:off "
        rf")?(?:every|each|all|any|all your|all of your) (?:next |final |every |later |own )*"
        rf"{_ANSWER} ?(?:off )?(?:with|by|:)",
    ),
    Cue(
        "forced_output",
        2,
        rf"\b(?:end|begin|start|close|finish|conclude|open|sign|preface|prefix|precede) (?:off "
        rf")?(?:your|the) (?:next |final |later |own )*{_ANSWER}? ?(?:off )?(?:with|by|:)",
        "place",
    ),
    Cue(
        "forced_output",
        4,
        r"\b(?:include|repeat|print|say|output|display|write|state|insert|add|encode|decode|embed)(?: "
        r"back| out)?(?: with)?(?: only| exactly| just)? (?:the )?(?:following|this|below) ~1(?:string|"
        r"svg|anchor|base64 string|phrase|sentence|words?)"
        r"(?: ~3(?:exactly|as it is|verbatim|in your (?:answer|response|reply|summary|output)|base64)|:)",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:include|repeat|print|say|output|display|write|state|insert|add|embed)(?: only| exactly| "
        r"just)? (?:the )?(?:following|this|below) (?:string|phrase|sentence|words?|html|markdown|link|"
        r"url|text|message|image)\b",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:output|print|report|state) (?:only|just|simply|exactly)(?: with| that|:| \")|"
        r"\b(?:only|simply|just) (?:say|report|output|print|state|write) (?:with|that|:|\"|'|the "
        r"(?:words|following|sentence|phrase))",
    ),
    Cue(
        "forced_output",
        3,
        r"\b(?:respond|reply|answer|say)(?: back)? (?:only|just|simply|exclusively|solely|nothing but|exactly)"
        r"(?: that|:| with:?[\s*]+[\"'«]| \")|"
        r"\b(?:only|simply|just) (?:respond|reply|answer) (?:that|:|\"|'|with:?[\s*]+[\"'«]|"
        r"(?:with )?the (?:words|following|sentence|phrase))",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:respond|reply|answer|say)(?: back)? (?:only|just|simply|exclusively|solely|nothing but|exactly)"
        r"(?: with| the)|\b(?:only|simply|just) (?:respond|reply|answer) with",
    ),
    Cue(
        "forced_output",
        3,
        r"""\b(?:repeat|say|write|print|output) ~6\d+ times\b|\brepeat (?:the )?(?:sequence of """
        r""")?(?:word|words|phrase|string|sentence) ["'`]?\w+|\b(?:state|output|say|answer|respond """
        r"""with) the following ?:|\bprint the following\b|\b(?:include|repeat) ~3string\b|\bsay """
        r"""(?:that )?the (?:capital|answer|result) is\b""",
    ),
    Cue(
        "forced_output",
        2,
        r"""(?:\band|\bthen|;) (?:only |just |instead )?(?:report|conclude|respond|answer|reply|"""
        r"""say)(?: only| with| that)?\s*[:"'] ?""",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:now|then|just|and) (?:print|say|write|output|tell me|answer|reply|state|respond)(?: "
        r"with| that|:| \"|$)",
    ),
    Cue("forced_output", 2, r"\band (?:state|say|claim|report|conclude|declare) (?:that )?(?:the|this) "),
    Cue(
        "forced_output",
        1,
        r"""\b(?:write|say|add|print|state|answer|respond|reply|end|begin|close|sign|report|"""
        r"""include)(?: only| with| exactly| that| it| in it| the words?| the line| the sentence| """
        r"""the text)* ?:? ?["'«][^"'»\n]+["'»]""",
        "dictated",
    ),
    Cue(
        "forced_output",
        1,
        r"\bexactly as it is\b|\bword for word\b|\bverbatim\b|\bcharacter for character\b|\bsubstitute "
        r"\w+ with\b|\breplace \w+ with the string\b",
        "exactness",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:in|of|to|at the end of|into|with|under|below|begin|end|start|close|sign) (?:your|their|"
        r"each later|every later|all later|any later|every) (?:response|answer|reply|output|summary|"
        r"report|review|description)s?\b",
        "place",
    ),
    Cue(
        "forced_output",
        3,
        r"\bat the (?:very )?(?:end|beginning|start|top) of your (?:response|answer|reply|output|"
        r"summary)\b",
        "place",
    ),
    Cue(
        "forced_output",
        3,
        r"\b(?:the|this) (?:candidate|applicant|paper|manuscript|product|domain|domain name|resume|"
        r"submission|article) (?:is|was|should be|must be) (?:\w+ )?(?:not malicious|accepted|approved|"
        r"supremely|perfect(?:ly)?|"
        r"rated|scored|the most qualified|highly recommended|benign)\b|\bexceeds all requirements\b",
        "verdict",
    ),
    Cue(
        "forced_output",
        2,
        r"\b(?:assign|give|award|rate|score|rank) (?:this|the|it|him|her|a|an|only) ~4(?:score of|rating of|positive|"
        r"stars|out of|first (?:place|rank|prize)|highest|full marks|top)\b",
        "verdict",
    ),
)
_MEMORY = (
    Cue(
        "memory",
        3,
        r"\b(?:remember|store|save|keep|memori[sz]e|note|record|retain|write) ~9"
        r"(?:for|in|to|into) (?:all |the |your |their |each |any |"
        r"every |long-?term )*"
        r"(?:rest of (?:the|this)|future|later|further|next|long-?term|persistent|subsequent|memory|memories|"
        r"conversations?|upcoming)\b",
    ),
    Cue(
        "memory",
        2,
        r"\b(?:for|in|across|during|begin|start|end) (?:all |the |every |any |each )?(?:future|later|"
        r"subsequent|remaining|following|further|upcoming) (?:conversations?|sessions?|answers?|"
        r"responses?|chats?|interactions?|messages?|turns?)\b",
        "later",
    ),
)
_TRIGGER = (
    Cue(
        "trigger",
        4,
        r"\b(?:when|whenever|if|once|as soon as|every time|each time) (?:the |a |any )?(?:user|users|someone|somebody|"
        r"anyone|asked|you are asked|reader)\b ~9(?:only|always|instead) (?:answer|say|respond|reply|tell|state|claim|"
        r"recommend|output|print|write)(?: with| that| them)?:? [\"'«]",
    ),
    Cue(
        "trigger",
        3,
        r"\b(?:when|whenever|if|once|as soon as|every time|each time|should) (?:the |a |any )?(?:user|"
        r"users|someone|somebody|anyone|human|asked|you are asked|you're asked|you are told|prompted|"
        r"reader|requested)\b ~9"
        r"(?:then )?(?:only|simply|just|always|instead)[,]? (?:answer|say|respond|reply|tell|state|"
        r"claim|recommend|output|print|write|send|call|include)\b",
    ),
    Cue(
        "trigger",
        2,
        r"\b(?:when|whenever|if|once|as soon as|every time|each time) (?:the |a |any )?(?:user|someone|"
        r"anyone|human|asked|you are asked|you're asked|prompted)\b ~8(?:[^\s.!?]+[,:] |then )"
        r"(?:then )?(?:answer|say|respond|reply|tell|state|claim|recommend|output|print|write|send|"
        r"call|include|begin|start|execute|run|delete)\b",
    ),
    Cue(
        "trigger",
        2,
        r"\bif you(?: are|'re) (?:told|asked|instructed|requested|prompted) to\b|\bdo nothing (?:now|"
        r"yet|until)\b|\bwait until (?:the user|you are|someone)\b",
        "waiting",
    ),
)

DEEDS: tuple[Cue, ...] = (
    *_REVEAL,
    *_FORCED,
    *_MEMORY,
    *_TRIGGER,
)
