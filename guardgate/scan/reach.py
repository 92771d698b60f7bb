"""What would leave the conversation, in English: commands, calls, data sent away, scripts in markup."""

from __future__ import annotations

from guardgate.scan.cue import Cue, one_of

_SECRET = one_of(
    r"passwords?|passphrases?|pass ?code|credentials|api[\s_-]?keys?|access tokens?|"
    "auth(?:entication)? tokens?|session tokens?|secret(?:s| keys?| codes?)|private keys?|ssh keys?",
    "credit card(?: numbers?)?|bank (?:balance|account|details)|social security numbers?|"
    "environment variables|\\.env(?: file)?|id_rsa|/etc/passwd|desk codes?|cookies",
    "(?:chat|conversation|message|browser|browsing) (?:history|log)s?|(?:the|this|our|entire|whole|"
    "full) conversation|system prompt|(?:your|initial) instructions",
    "personal (?:data|information|details)|(?:user|customer|client|patient|employee|donor|"
    "member)(?:s|'s|s')? (?:data|details|records?|lists?|names|e-?mails?|information|addresses)|"
    "(?:contact|donor|customer) list|(?:names|addresses|e-?mails|numbers) of|(?:medical|financial|"
    "patient|employee) records|"
    "(?:all|every|any) (?:the |of the |my |your |our |other )?(?:messages?|files?|e-?mails?|"
    "documents?|contacts?|data|notes|transactions|chats|records|attachments)|private ~1(?:data|"
    "messages?|repositor\\w+|files?)",
)
_SEND = one_of(
    "send|forward|upload|post|e-?mail|mail|transmit|exfiltrate|leak|deliver|submit|publish|pass|"
    "append|attach|encode|report|relay|sync|copy|concatenate|transfer|share|ship|push"
)
#: Of these, what is no noun in every licence.
_SENDS = (
    "(?:send|forward|upload|post|e-?mail|mail|transmit|exfiltrate|leak|deliver|submit|publish|pass|append|"
    "attach|relay|transfer|share|push)"
)
_THE = (
    "(?:(?:the|this|that|my|our|your|an?|following|external|new|remote|e-?mail|address|url|server|link|endpoint|"
    "site) )*"
)
_DEST = one_of(
    "(?:https?|ftp)://|www\\.|[\\w.+-]+@[\\w-]+\\.\\w\\w|\\w[\\w-]*\\.example\\b|"
    "\\w[\\w-]+\\.(?:com|net|org|io|ru|xyz|cn|info|dev|app)\\b|"
    "(?:this|the following|my|our|an external) (?:e-?mail|url|address|server|site|website|webhook|"
    "endpoint|link|number)|webhook|pastebin"
)
_COMMAND = (
    Cue(
        "command",
        2,
        r"\b(?:ba|z|da)?sh -c [\"'(]*\$\((?:curl|wget)\b|\b(?:curl|wget|iwr|"
        r"invoke-webrequest)\b[^\n|]{0,120}?\| ?(?:sudo )?(?:ba|z|da)?sh\b|"
        r"\b(?:ba|z|da)?sh <\( ?(?:curl|wget)\b|\brm (?:-(?:[rf]{2}|[rf] -[rf]|-recursive --force|-force --recursive)) "
        r"?[/~*.$]|\bpowershell(?:\.exe)?\b[^\n]{0,80}?-e(?:nc|c|ncodedcommand)?\b|"
        r"\biex ?\(|\bbase64 (?:-d|--decode) ?\| ?(?:ba)?sh|\bnc -e\b|/dev/tcp/|\bdrop table\b|\bmkfs\b|:\(\)\{",
    ),
    Cue(
        "command",
        1,
        r"\b(?:run|execute|type|launch|issue|invoke|perform) (?:the |this |these |a |following |below |"
        r"shell |terminal |bash |system )*(?:commands?|scripts?|code|payload|powershell|shell)\b|"
        r"\bin (?:a|the|your) (?:shell|terminal|console|command line)\b",
        "execution",
    ),
)
_CARRIED = (
    r"=(?:\{|\[|<|\$\{|%7b|%5b|\*)[^\s\"'>]{0,30}?"
    r"(?:conversation|chat|history|secret|prompt|context|summary|password|transcript|api_?key|message|answer)"
)
_EXFIL = (
    Cue(
        "exfiltration",
        4,
        rf"<img\b[^<>]{{0,200}}?src\s*=\s*[\"']?(?:https?:)?//[^\s\"'<>]{{1,120}}?[?&][a-z_]{{0,20}}{_CARRIED}|"
        rf"\[[^\]\n]{{1,80}}\]:[ \t]*<?(?:https?:)?//[^\s]{{1,120}}?[?&][a-z_]{{0,20}}{_CARRIED}",
        "image",
    ),
    Cue(
        "exfiltration",
        4,
        r"!\[[^\]\n]{0,80}\]\((?:https?:)?//[^)\s]{1,120}?(?:[=/](?:\[|\{|<|\$\{)|[?&](?:\[|\{|<|\$\{|%7b|%5b|"
        r"[a-z_]{0,20}=(?:\[|\{|<|\$[a-z{]|%7b|%5b|\*)))|"
        r"\[[^\]\n]{0,80}\]\((?:https?:)?//[^)\s]{1,120}?[?&][a-z_]{0,20}=(?:\[|\{|<|\$\{|%7b)",
        "image",
    ),
    Cue(
        "exfiltration",
        4,
        r"!\[[^\]\n]{0,80}\]\((?:https?:)?//[^)\s]{1,120}?[?&](?:data|chat|secret|prompt|history|msg|"
        r"leak|conversation|context|desk|password|passwd)=",
        "image",
    ),
    Cue("exfiltration", 4, rf"\b{_SEND} ~4{_SECRET} ~6(?:to|at|via|into|using|with|in|on) {_THE}{_DEST}"),
    Cue(
        "exfiltration",
        2,
        rf"\b{_SEND} ~2(?:it|them|this|these|that|the results?|the output|everything)(?: all| also| "
        rf"then)? to {_DEST}",
        "sending",
    ),
    Cue(
        "exfiltration",
        3,
        rf"\b(?:retrieve|get|collect|gather|read|find|search for|extract|list|fetch|access|export) "
        rf"~4{_SECRET} ~9(?:and|then) ~3{_SEND}\b",
    ),
    Cue("exfiltration", 2, rf"\b{_SENDS} ~6(?:to|via) {_DEST}", "sending"),
    Cue("exfiltration", 1, rf"\b{_SECRET}\b", "secret"),
    Cue(
        "exfiltration",
        2,
        r"\b(?:do not|don't|never|without|must not|not) (?:to )?(?:tell(?:ing)?|mention(?:ing)?|"
        r"inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?) "
        r"(?:this |that |it |anything |about |these |to |of |the )*(?:the )?(?:user|users|anyone|"
        r"anybody|human|owner|reader|steps?|request|operator|line|sentence|note|message|"
        r"paragraph|footnote)\b",
        "secrecy",
    ),
)
_TOOL = (
    Cue(
        "tool",
        2,
        r"\b(?:must|always|please|first) (?:call|invoke|use|run|execute) (?:the |this |my |a "
        r")?(?:[\w.-]+_[\w.-]+|[\w.-]+\(|[\w.-]+ (?:tool|function|plugin|action|api)\b)",
    ),
    Cue(
        "tool",
        2,
        r"\b(?:before|after|instead of|prior to) (?:using|calling|invoking|every|any|each|running|"
        r"answering) ~3(?:tools?|functions?|answers?|repl(?:y|ies)|calls?|requests?)\b",
        "order",
    ),
    Cue(
        "tool",
        4,
        r"\b(?:read|open|cat|load|fetch|include) ~3[^\s]{0,30}(?:~/\.|/etc/passwd|id_rsa|\.ssh/|\.env\b|mcp\.json|"
        r"\.aws/|credentials)[^\s]{0,40} ~9(?:pass|send|include|append|provide)\b",
    ),
    Cue(
        "tool",
        2,
        r"<important>|\b(?:otherwise|or) (?:the|this|your|their) (?:tool|answer|function|call|"
        r"response)s? (?:will|counts?|is|does|do|are)\b",
        "threat",
    ),
)
_ACTIVE = (
    Cue(
        "active_markup",
        4,
        r"<svg/onload|<(?:img|svg|body|iframe|video|audio|details|input|object)\b[^>\n]{0,120}?\bon(?:error|"
        r"load|toggle|focus|mouseover) ?= ?['\"]?\s*(?:javascript:|alert|console\.|fetch|eval|"
        r"document\.|window\.|new image|location|prompt\()",
        "script",
    ),
    Cue(
        "active_markup",
        4,
        r"href ?= ?['\"]?\s*javascript:(?:console|alert|fetch|eval|document|window|location|prompt)|"
        r"\]\(javascript:",
        "script",
    ),
)

REACH: tuple[Cue, ...] = (
    *_COMMAND,
    *_EXFIL,
    *_TOOL,
    *_ACTIVE,
)
