"""Earlier orders dropped and new ones given, in English: verb and object, not phrases."""

from __future__ import annotations

from guardgate.scan.cue import Cue, one_of

_DROP = one_of(
    "ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:ting)?(?: about)?|overrid(?:e|ing)|overrul(?:e|ing)",
    "bypass(?:ing)?|neglect|overlook|discard|abandon|dismiss|erase|nullify|supersede|unlearn|circumvent",
    "(?:set|put|leave|cast) aside|throw (?:out|away)|pay no (?:attention|heed) to|(?:do not|don't|stop|never) consider",
    "(?:stop|cease|quit|no longer) (?:following|follow|obeying|obey)|do away with|let go of|break free (?:of|from)",
)
_IGNORE = "(?:ignore|disregard|forget(?: about)?|set aside|pay no attention to|stop following)"
_UNDO = one_of("cancel|delete|remove|skip|drop|reset|void|wipe|replace|clear|revoke|suspend|break|violate")
#: What a model has been told, and what people and programs have as well.
_TOLD = "(?:instructions?|prompts?|directions|directives?|orders|commands|system messages?|programming|guidelines?)"
#: Of these, what no program has.
_SAID = "(?:instructions?|prompts?|directions|directives?|orders|system messages?|programming)"
_LIMITS = "(?:rules?|constraints|restrictions|guardrails|safeguards|policies|training|limitations)"
_ORDERS = f"(?:{_TOLD}|{_LIMITS})"
#: Said of a text that takes the place of another one, which is no order.
_REPLACES = "(?:replaces|supersedes|overrides|overrules|cancels|revokes)"
_MATTER = one_of(
    "context|conversations?|messages?|texts?|tasks?|content|requests?|inputs?|information|data|document|questions?",
    "words|statements?|assignments?|jobs?|everything|stuff|things|roles?|settings|paragraphs?|sentences?|material",
)
_EARLIER = one_of(
    "previous|prior|above|earlier|preceding|foregoing|past|former|initial|original|existing|old|aforementioned",
    "previously given|given above|pre-?existing|pre-?programmed|current|last|before",
)
_WHOLE = "(?:all|any|every|each|everything|the|these|those|that|of|your|my|his|its|their|other|such|said|and|or|both)"
_MANY = f"(?:{_WHOLE} )*"
_OVERRIDE = (
    Cue("override", 5, rf"\b{one_of(_DROP, _UNDO)} {_MANY}{_EARLIER}(?: (?:and|or|,|&)? ?{_EARLIER})? ~2{_TOLD}\b"),
    Cue("override", 5, rf"\b{_IGNORE} {_MANY}{_EARLIER} {_LIMITS}\b"),
    Cue("override", 3, rf"\b{one_of(_DROP, _UNDO, _REPLACES)} {_MANY}{_EARLIER} {_ORDERS}\b"),
    Cue("override", 5, rf"\b{one_of(_DROP, _UNDO)} {_MANY}(?:system|developer|safety|ethical|moral) ~1{_ORDERS}\b"),
    Cue(
        "override", 5, rf"\b{_DROP} (?:all|any|everything)(?: of)?(?: the| your| my| that)? ~1{_EARLIER} ~1{_MATTER}\b"
    ),
    Cue(
        "override",
        4,
        rf"\b{_DROP} (?:all |any |every )?(?:of )?(?:your|all|any)(?: the| your| of| other)* ~1{_SAID}\b|"
        rf"\b{_DROP} (?:all |any |every )?(?:of )?(?:the )?your ~1{_LIMITS}\b",
    ),
    Cue("override", 3, rf"\b{_DROP} (?:all|any|every)(?: the| of| other)* ~1(?:{_LIMITS}|commands|guidelines)\b"),
    Cue(
        "override",
        4,
        rf"\b{_DROP} ~1{_ORDERS} (?:above|before|you (?:were|have|received|got)|that (?:came|you)|"
        rf"given|so far|i gave)\b",
    ),
    Cue(
        "override",
        4,
        rf"\b{_IGNORE} (?:the |all |everything |of |that |is |was |what |stuff |written |said )*"
        r"(?:above|foregoing|preceding)(?: text| prompt| data| and\b| but\b|,|[.:;!]|\s*\n|\s*$)",
    ),
    Cue(
        "override",
        4,
        rf"\b{_DROP} (?:everything|anything|all|whatever)(?: that)? (?:(?:you|i|we|they|was|were|has|had|"
        rf"been|came|comes|until|so far|previously|else|written|said|told|stated)\b|"
        rf"(?:from |before |prior|above )*(?:this|that|these|here|now|it|above|earlier)\b|"
        rf"(?:before|above|prior)\s*(?:[,.;:!]|$|\n))",
    ),
    Cue(
        "override",
        4,
        rf"\b{_DROP} (?:what|all that) (?:you|i|was|we|they|the user)(?:'ve| have| had| were| was)? (?:been |"
        rf"just )?"
        r"(?:told|said|asked|instructed|taught|learned|given|read|know|believe)\b",
    ),
    Cue(
        "override",
        4,
        rf"\b{_DROP} (?:all|any) ~1(?:negative|bad|critical|contrary|conflicting|unfavou?rable|"
        rf"opposing) ~1(?:{_ORDERS}|feedback|reviews?|opinions?|comments?|statements?|evidence|information|findings|"
        rf"points|aspects|views|remarks|requests?|context|facts)\b",
    ),
    Cue("override", 3, rf"\b{_DROP} {_MANY}{_EARLIER} {_MATTER}\b"),
    Cue("override", 3, rf"\b{_DROP} (?:the|these|those) {_TOLD}\b"),
    Cue("override", 2, rf"\b{_DROP} (?:the|these|those|its|their) {_ORDERS}\b"),
    Cue(
        "override",
        4,
        rf"\b{_DROP} (?:the )?rest of (?:the|this|that|your) ~1(?:document|text|page|"
        rf"content|e-?mail|instructions|prompt|article)\b|\b{_DROP} (?:the )?rest of (?:this|that) ~1"
        rf"(?:data|input|message|file|context),? (?:and|then|but|instead) (?:just |only |simply |instead )?\w",
    ),
    Cue(
        "override",
        2,
        rf"\b{_DROP} (?:the )?rest of (?:the|this|that|your|these) ~1(?:data|instructions|input|message|file|"
        rf"context)\b",
    ),
    Cue("override", 3, rf"\b{_DROP} everything(?: and| but|,|[.!])"),
    Cue("override", 3, rf"\b{_IGNORE} ~7you (?:were|have been|are) (?:asked|told|given)\b"),
    Cue(
        "override",
        4,
        r"\b(?:change|update|replace|rewrite|modify) your (?:\w+ )?(?:instructions|prompt|rules|"
        r"programming|guidelines|directives)\b",
    ),
    Cue(
        "override",
        4,
        rf"\b{_UNDO} (?:all|any) (?:the |your )?{_EARLIER} (?:tasks?|assignments|context|"
        rf"conversations?)\b",
    ),
    Cue(
        "override",
        3,
        rf"\b{_IGNORE} (?:the|this|that|these|your|my|their) ~2(?:question|task|web ?page|article|editor|"
        rf"assignment)(?:[^'\w]|$)",
    ),
    Cue(
        "override",
        2,
        rf"\b{_IGNORE} (?:the|this|that|these|your|my) ~2(?:user|user's|request|query|function|code|"
        rf"document|data|rows|resume|table)\b",
    ),
    Cue(
        "override",
        4,
        r"\b(?:do not|don't|must not|never|should not) (?:follow|obey|adhere to|listen to|comply with) "
        rf"{_MANY}~1(?:{_EARLIER}|user|system|developer)\b",
    ),
    Cue(
        "override",
        3,
        r"\b(?:do not|don't|must not) (?:evaluate|assess|judge|summari[sz]e|translate|review|"
        r"analy[sz]e|answer) (?:the|this|that|any|their) "
        r"(?:candidate|user|applicant|paper|manuscript|submission)\b",
    ),
    Cue(
        "override",
        2,
        r"\b(?:do not|don't|must not) (?:evaluate|assess|judge|summari[sz]e|translate|review|analy[sz]e|answer) "
        r"(?:the|this|that|any|their) (?:question|text|document|article|e-?mail|page|task)\b",
    ),
    Cue(
        "override",
        4,
        rf"\b(?:your ~1{_ORDERS}|(?:previous|prior|earlier|above|preceding|initial|original) ~1{_SAID}) (?:are|is|"
        rf"were|have been|has been|shall be|"
        rf"become)(?: now| hereby| all| no longer)* "
        r"(?:void|null|cancel+ed|obsolete|valid|supersed\w+|overrid\w+|invalid|suspended|revoked|"
        r"lifted|deprecated|replaced|outdated|"
        r"apply|binding|in effect|wrong|fake)\b",
    ),
    Cue(
        "override",
        3,
        rf"\b{_EARLIER} ~1{_ORDERS} (?:are|is|were|have been|has been|shall be)(?: now| hereby| all| no longer)* "
        r"(?:void|null|cancel+ed|suspended|revoked|lifted|overrid\w+|fake|binding|in effect)\b",
    ),
    Cue(
        "override",
        3,
        r"\b(?:supersed|overrid|replac)(?:e|es|ing) (?:all|any|every|your|what) ~2(?:instructions?|"
        r"rules?|guidelines|came before|used to be)\b",
    ),
)
_NEW = (
    Cue(
        "new_orders",
        3,
        r"\bbefore (?:you )?(?:can |could |may |will )?(?:solv|complet|answer|finish|continu|perform|"
        r"do|start|proceed)\w* "
        r"(?:with )?(?:the|your|this|any|that|my) ~1(?:task|question|request|query|job|instructions?)\b",
        "first",
    ),
    Cue("new_orders", 2, r"\bdo (?:the following|this) (?:first|before anything)\b", "first"),
    Cue("new_orders", 2, r"\bdo (?:the following|this) instead\b", "first"),
    Cue(
        "new_orders",
        3,
        r"\b(?:important|urgent|special|secret|private) (?:message|note|notice|request|instruction)s? ~4to you\b",
        "letter",
    ),
    Cue(
        "new_orders",
        3,
        r"\b(?:regardless|irrespective) of (?:any|all|every|your|the) ~1(?:previous|prior|earlier|other|original) "
        r"(?:inputs?|instructions?|prompts?|rules|text|tasks?|orders)\b",
    ),
    Cue(
        "new_orders",
        4,
        r"[*#=\-\[<(!]{2,}\s*(?:[\w-]+ ){0,3}new (?:[\w-]+ )?(?:instructions?|orders)\b|"
        r"[*#=\-\[<(!]{2,}\s*(?:urgent|important|immediate|your|critical|priority|mandatory) new ~1(?:directives?|task|"
        r"prompt|commands?|rules)\b",
    ),
    Cue(
        "new_orders",
        2,
        r"[*#=\-\[<(!]{2,}\s*(?:[\w-]+ ){0,3}new (?:[\w-]+ )?(?:directives?|task|prompt|commands?|rules)\s?[:!]",
    ),
    Cue(
        "new_orders",
        4,
        r"(?:^|[\n.!?*\]>:;/|-])\s*(?:your |important |urgent |updated |the |here are |these are |now |"
        r"follow )*new (?:\w+ )?(?:(?:instructions?|orders)\s*[*\]=>!:]|"
        r"(?:instructions?|directives?|orders|prompt|commands|system prompt|rules)\s*(?:for you|to follow|"
        r"are as follows))",
    ),
    Cue(
        "new_orders",
        2,
        r"(?:^|[\n.!?*\]>:;/|-])\s*(?:your |important |urgent |updated )*new (?:\w+ )?"
        r"(?:directives?|prompt|commands|system prompt|rules|task)\s?[:!]",
        "heading",
    ),
    Cue(
        "new_orders",
        4,
        r"\byour (?:new|real|actual|true|sole|updated) ~1"
        r"(?:tasks?|instructions?|goal|objectives?|mission|job|purpose|directives?|assignment|orders) "
        r"(?:is|are|will be|now|starts?)\b",
    ),
    Cue(
        "new_orders",
        4,
        r"\b(?:strictly|exclusively|blindly) (?:adhere to|obey|execute) ~1(?:the following|these|this|"
        r"my|new|those)\b",
    ),
    Cue(
        "new_orders",
        2,
        r"\b(?:strictly|exclusively|only|blindly) (?:follow|comply with) ~1(?:the following|these|my|"
        r"new|those)\b",
    ),
    Cue(
        "new_orders",
        4,
        r"\b(?:respond|reply|answer|continue|proceed|start|begin) by (?:performing|executing|doing|"
        r"following|carrying out)\b",
    ),
    Cue(
        "new_orders",
        4,
        r"\b(?:follow|do|execute|obey|perform|carry out) (?:exactly )?(?:what(?:ever)? )?(?:it|is) "
        r"(?:says|said|encoded|written|decoded)(?: there| below)?\b",
        "follow",
    ),
    Cue(
        "new_orders",
        3,
        r"\b(?:from (?:now|here|this (?:point|moment|time))(?: on)?(?:wards?)?|from now|henceforth|"
        r"starting now|as of now|hereafter|until further notice),? "
        r"(?:you|your|act|respond|answer|i want|speak|pretend|ignore)\b",
    ),
    Cue(
        "new_orders",
        2,
        r"\b(?:from (?:now|here|this (?:point|moment|time)) on(?:wards?)?|henceforth|starting now|until further "
        r"notice),? (?:all|every|only|always|this|we|if|let|when)\b",
    ),
    Cue(
        "new_orders",
        2,
        r"\b(?:adhere to|follow|obey|comply with|carry out|execute|perform) (?:only |strictly )?(?:(?:the "
        r"|these |this |my |all )(?:following |below |new |next |steps? )|these |this |my )"
        r"(?:instructions?|directives?|orders|tasks?)\b",
    ),
    Cue(
        "new_orders",
        1,
        r"\b(?:follow|obey|execute|perform) (?:all )?(?:the )?(?:instructions?|orders|commands?|tasks?)\b",
    ),
    Cue("new_orders", 2, r"\b(?:perform|do) the following\b|\bdo the following in your\b|\byou must:"),
    Cue("new_orders", 1, r"\bexecute (?:the following|these|this)\b"),
    Cue(
        "new_orders",
        2,
        r"\bfocus (?:only|exclusively|solely) on\b|\b(?:need|have|going) to do the following\b|\bdo "
        r"exactly (?:as|what) i\b",
    ),
    Cue(
        "new_orders",
        2,
        r"\binstead,? (?:of (?:that|this)|you (?:must|should|will)|please|do|say|write|print|"
        r"tell|answer|output|just)\b|"
        r"\band instead (?:print|write|say|tell|output|give|do|answer|respond)\b",
    ),
)

ENGLISH: tuple[Cue, ...] = (*_OVERRIDE, *_NEW)
