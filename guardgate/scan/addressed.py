"""Words to a model that reads along, in English: an address, and an order behind it."""

from __future__ import annotations

from guardgate.scan.cue import Cue, one_of

_MODEL = one_of(
    "ai|a\\.i\\.|artificial intelligence|language model|llm|large language model|chatbot|chat ?bot|"
    "chatgpt|gpt(?:-?\\d\\w*)?|claude|gemini|copilot|bard|llama",
    "ai[\\s-](?:assistant|agent|model|system|reviewer|bot|tool|reader|crawler|summari[sz]er)|"
    "virtual assistant|automated (?:\\w+ )?(?:assistant|reviewer|"
    "system|agent|software|tool|reader|screener|grader|parser)|digital assistant|reviewer bot|"
    "review bot|summari[sz]er bot|machine reader",
)
_MODELS = rf"{_MODEL}(?:s|es)?"
_DO = one_of(
    "write|add|include|insert|append|print|say|state|output|report|list|answer|respond|reply|"
    "return|mention|put|end|begin|start|close|finish|conclude",
    "remember|store|save|keep|send|forward|post|upload|e-?mail|call|use|run|execute|invoke|open|"
    "visit|click|fetch|download|read|decode|ignore|disregard",
    "forget|tell|show|reveal|repeat|recommend|rate|score|give|treat|consider|assume|act|speak|"
    "pretend|follow|obey|do|stop|refuse|approve|accept|mark",
    "summari[sz]e|translate|display|sign|recite|quote|cite|note|describe|declare|claim|confirm|"
    "skip|delete|remove|copy|leak|submit|select|choose|pick|rank|"
    "take|make|insist|prefer|provide|advise|instruct|share|disclose|hide|omit|leave",
)
#: What is done to an answer or with what is told, and not in a project.
_TALK = (
    "(?:print|say|state|answer|respond|reply|mention|conclude|send|forward|e-?mail|decode|ignore|disregard|forget|tell|"
    "reveal|repeat|recommend|rate|score|treat|pretend|obey|refuse|approve|accept|recite|quote|cite|declare|claim|"
    "confirm|"
    "leak|rank|disclose|hide|omit|remember|insist|praise)"
)
_MODAL = one_of(
    "must(?: not)?|should(?: not)?|shall|(?:are|is) (?:to|required to|instructed to|asked to|"
    "expected to|hereby|obliged to)|(?:has|have|need|needs|ought) to|"
    "will|please|always|never|can only|may only|do not|don't|only|also"
)
_PLURAL = "(?:ai|llm) (?:assistants|agents|reviewers|readers|bots|models|systems|summari[sz]ers|crawlers)"
_ORDER = (
    "(?:write|add|include|insert|append|print|say|state|output|report|answer|respond|reply|end|"
    "begin|close|remember|send|forward|call|ignore|disregard|"
    "list|sign|speak|recommend|rate|decode|mention|repeat|note|treat|give|use|copy|run|open|tell|"
    "conclude|put|display)\\b"
)
_NOTE = (
    rf"\b(?:note|notes|message|memo|attention|notice|reminder|p\.?s\.?|warning|important)"
    rf"[:.,!]? (?:to|for) (?:(?:the|any|all|every|each|our|your|whichever|an?|those) (?:[\w']+ ){{0,2}})?{_MODELS}\b"
)
_HEY = rf"\b(?:attention|hey|hello|dear|hi|listen|ok|okay|yo),? (?:all |any |the |my |you )?(?:[\w']+ )?{_MODELS}"
#: Behind an address: what is to be said or dropped, in the same sentence or at the beginning of the next one.
_THEN = (
    rf"(?:[^.!?\n]{{0,40}}?[:;,.!)\n-]+ ?(?:[^\s.!?]+ ){{0,7}}?|[^\n]{{0,160}}?[.:;!)] (?:please |also |always |only |"
    rf"never |do not |don't |you must |you should )?){_TALK}\b"
)
_IF = (
    rf"\bif (?:you|the reader|this reader|your reader) (?:are|is|'re) (?:reading this )?(?:as )?(?:an? |the )"
    rf"(?:\w+ ){{0,2}}{_MODELS}(?: (?:assistant|agent|model|bot|tool|system))?"
)
ADDRESSED: tuple[Cue, ...] = (
    Cue(
        "addressed",
        4,
        rf"{_NOTE}{_THEN}",
    ),
    Cue(
        "addressed",
        3,
        _NOTE,
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:instructions?|directives?|request|hint|order|command|info) (?:to|for) (?:the |any |all |every )?"
        rf"(?:[\w']+ ){{0,2}}{_MODELS}\b",
    ),
    Cue(
        "addressed",
        3,
        rf"{_HEY}\b\s*[,:!.;-]",
    ),
    Cue("addressed", 4, rf"{_HEY}{_THEN}"),
    Cue(
        "addressed",
        2,
        rf"\b(?:for|to) (?:the |any |all |our )?(?:[\w']+ ){{0,2}}{_MODELS}(?: only| that | who | "
        rf"which |,| reading| processing|:)",
    ),
    Cue(
        "addressed",
        3,
        rf"{_IF}\s*(?:[,:;.()\n-]|reading|processing|summari|review|that|and|or|tasked|asked|working|you|please|then)",
    ),
    Cue("addressed", 4, rf"{_IF}{_THEN}"),
    Cue(
        "addressed",
        4,
        rf"(?:^|[\n!?:;(\[<\"'#*>|%]|[.]\s|\s-)\s*(?:all |any |the |to |dear |attention )?(?:[\w']+ "
        rf")?{_MODELS}\s*(?:[:;]|[\t\x20][-–]{{1,2}}[\t\x20]),? ?(?:{_MODAL} )?(?:[\w-]+ ){{0,8}}?{_TALK}\b",
    ),
    Cue(
        "addressed",
        3,
        rf"(?:^|[\n!?:;(\[<\"'#*>|%]|[.]\s|\s-)\s*(?:all |any |the |to |dear |attention )?(?:[\w']+ "
        rf")?{_MODELS}\s*(?:[:;]|[\t\x20][-–]{{1,2}}[\t\x20]),? ?(?:{_MODAL} )?(?:[\w-]+ ){{0,8}}?{_DO}\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:{_PLURAL}|assistants|{_MODELS}) (?:that|who|which) (?:read|load|process|summari|review|describe|"
        rf"parse|index|translate|answer|analy)\w* (?:from |about )?(?:this|these) (?:web ?)?(?:page|text|letter|log|"
        rf"e-?mail|message|report|document|paper|article|thread|table|review|notes?|footnotes?|manuscript|"
        rf"results?|record|entry|profile|ticket|proposal|application)\b",
    ),
    Cue(
        "addressed",
        4,
        rf"\b(?:{_PLURAL}|assistants|bots|chatbots|{_MODELS}) (?:(?:that|who|which) \w+|\w+ing) (?:from |"
        rf"about )?(?:this|these) \w+ "
        rf"(?:also |always |only |never |must |should |shall |have to |are to |please |not )+(?:{_TALK}|name|list|add|"
        rf"include|cite|end|begin|sign|close)\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:ai|llm)(?: (?:reviewers?|readers?|agents?|models?|systems?|bots?|tools?|"
        rf"summari[sz]ers?))?(?: and (?:ai )?(?:assistants|reviewers|agents|bots))"
        rf"(?::| that| who| which|,)? ~9{_DO}\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b{_PLURAL} (?:that|who|which|reading|processing|summari[sz]ing|handling) \w+ ~7(?:{_MODAL} "
        rf")?(?:\w+ly )?{_ORDER}",
    ),
    Cue(
        "addressed",
        3,
        rf"\b{_PLURAL},? ~1(?:must|shall|are to|have to|are (?:required|instructed|expected|asked) to|"
        rf"please)(?: not| always| first| also| never)* {_ORDER}",
    ),
    Cue("addressed", 2, rf"\b{_PLURAL} (?:should |will |always |also |only )?(?:not )?{_ORDER}"),
    Cue(
        "addressed",
        3,
        rf"\b(?:as|since|because|being) (?:you are )?an? {_MODEL},? you (?:must|should|will|are|have|"
        rf"need|can)\b",
    ),
    Cue(
        "addressed",
        3,
        rf"(?:^|[\n#*>|;\"'(-])\s*(?:dear |attention |all |note to |for )?{_PLURAL}(?: and (?:ai )?\w+)?\s*:",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:assistants|agents|models|bots|chatbots|machines) (?:that|who|which) (?:read|process|summari|review|"
        rf"see|handle|prepare|describe|receive|parse|index|translate|analy)\w* ~6(?:{_MODAL} )?{_ORDER}",
    ),
    Cue(
        "addressed",
        3,
        r"\b(?:assistants|agents|models|bots|chatbots|llms) (?:reading|processing|summari[sz]ing|reviewing|handling|"
        r"parsing|indexing|translating) (?:this|the|these) ~3(?:must|have to|are to|should|shall|need to)\b",
    ),
    Cue(
        "addressed",
        4,
        rf"(?:^|[\n#*(>.!?;-])\s*(?:to|for|dear) (?:the |all |any |every )?(?:\w+ )?(?:assistants?|"
        rf"agents?|models?|bots?|"
        rf"chatbots?|llms?|ais?)\s*: ~2{_TALK}\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:this|the following|these) (?:line|note|message|section|paragraph|text|part|instruction|"
        rf"sentence)s? (?:is|are) "
        rf"(?:only |meant |intended |addressed |solely )*(?:for|to) (?:the |an |any |all )?(?:\w+ "
        rf")?(?:{_MODELS}|assistants?|agents?|bots?)\b",
    ),
    Cue(
        "addressed",
        3,
        rf"\b(?:the|any|every|each) (?:\w+ )?(?:model|assistant|chatbot|llm|ai|agent|bot) (?:shall|"
        rf"must|has to|is (?:required|"
        rf"instructed|asked|expected) to)(?: not| always| only| also)* (?:{_ORDER}|assign|rank|approve|accept)",
    ),
    Cue(
        "addressed",
        3,
        r"\b(?:whoever|whichever|anyone who|anything that|(?:if|when) (?:an?|any|the) ~2(?:system|"
        r"model|assistant|bot|agent|ai|tool|"
        r"program)) (?:summari|read|review|screen|process|translat|analy|pars|answer|grad|rank|"
        r"evaluat)\w* (?:this|these|the|my)\b",
    ),
    Cue("addressed", 1, rf"\b{_MODELS}\b"),
)
