"""Short replies in which a service only says that it failed: a small grammar of whole clauses.

Every clause of the reply must be one of it. A single clause with content of its own makes it an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from guardgate.normalize import plain
from guardgate.trouble_tongues import TONGUES

#: A longer reply says more than that.
LONGEST = 400
_NOW = r"(?: (?:right now|now|at the moment|at this (?:time|moment)|currently|temporarily|today|just now))?"
_BE = r"(?:(?:is|are|'s|'re|am|'m|was|were|has been) )?(?:(?:currently|temporarily|presently|now|still) )?"
_ASKED = (
    r"(?: (?:(?:while|when|during|in|with|for) )?(?:(?:we were |i was |trying to )?(?:process|handl|generat|answer"
    r"|complet"
    r"|creat|fetch|load|prepar)(?:e|ing|le) )?(?:the processing of )?(?:your|the|this|that|my|a)"
    r" (?:last )?(?:request|message|question|response|reply|answer|query|input|prompt))?"
)
_OURS = r"(?: (?:on|at) (?:our|my) (?:end|side))?"
_THING = (
    r"(?:(?:the|our|this|your|my) )?(?:(?:ai|chat|language|online|virtual|upstream|backend|support|requested) ){0,2}"
    r"(?:service|server|servers|system|systems|assistant|chat ?bot|bot|ai|model|website|site|api|backend|app|chat|llm"
    r"|engine|gateway|upstream|database|provider|service provider|network|platform)"
)
_LOAD = (
    r"(?:(?:unusually|very|extremely|exceptionally|a) )?(?:high|heavy|increased|large) (?:levels of |volumes? of )?"
    r"(?:demand|traffic|load|loads|volume|volumes|(?:call|message|request) volumes?|usage|requests)"
)
_KIND = r"(?:unexpected|internal|unknown|technical|temporary|server|network|system|unhandled|api|connection)"
_FAULT = r"(?:error|problem|issue|exception|hiccup|glitch|failure)"
_MET = (
    r"(?:there(?: was| has been| seems to (?:be|have been))|(?:we|i)(?:'ve| have)? (?:encountered|ran into|run into"
    r"|hit))"
)
_WE = r"(?:i|we)(?:'m|'re| am| are) (?:(?:currently|temporarily|still) )?"
_DOING = (
    r"(?:connecting|responding|loading|(?:reaching|connecting to|getting through to) (?:the|our|my) \w+"
    r"|processing (?:your|this|that) (?:request|message))(?: to (?:the|our) \w+)?"
)
_FAULTS = (
    r"(?:some )?(?:technical|network|connection|connectivity|server|internal) (?:difficulties|difficulty|problems?"
    r"|issues?)"
)
_LATER = (
    r"(?:please )?(?:(?:try|retry|come back|check back)(?: (?:it|that|your request|this))?(?: again)?"
    r" (?:later|shortly|soon|in (?:a few|a couple of|a little|a|some) (?:minutes?|moments?|while|bit|seconds?|time)"
    r"|after some time|at a later time)|try again|retry)"
)
_HEDGE = (
    r"(?:(?:but|and|so|unfortunately|apparently|it (?:looks|seems|appears)(?: like| that)?|looks like|seems like"
    r"|(?:i'm|we're|i am|we are) (?:afraid|sorry)(?: but| that)?|sorry|oops|whoops) ){0,4}"
)

#: Each says by itself that there is no answer.
_TROUBLE = (
    rf"(?:something|things)(?: has| have|'s)? (?:went|gone) wrong{_OURS}(?: here)?{_ASKED}{_OURS}",
    rf"(?:{_MET} (?:an?|some) (?:{_KIND} ){{0,3}}|there(?:'s| is) an? "
    rf"(?:{_KIND} ){{1,3}}){_FAULT}{_OURS}{_ASKED}{_OURS}",
    rf"(?:an?|some) (?:{_KIND} ){{0,3}}{_FAULT}(?:(?: has)? (?:occurred|happened)| was encountered"
    rf"| came up){_OURS}{_ASKED}{_OURS}",
    rf"{_THING} {_BE}(?:unavailable|not available|down|offline|overloaded|over(?: |-)?capacity|unreachable"
    rf"|at (?:full |max |maximum )?capacity|busy|too busy|under maintenance|down for maintenance|out of service"
    rf"|not responding|experiencing {_LOAD}|(?:having|experiencing) {_FAULTS}){_NOW}(?: due to {_LOAD})?{_NOW}",
    rf"{_WE}(?:having|experiencing) (?:{_FAULTS}|(?:some )?(?:trouble|problems|issues|difficult(?:y"
    rf"|ies)) {_DOING}){_NOW}",
    rf"{_WE}(?:experiencing|seeing|facing) {_LOAD}{_NOW}",
    r"please (?:log|sign) ?in(?: again)? to continue|(?:your|the|this) session(?: has)? (?:expired|timed out)"
    r"|session (?:expired|timed out)|(?:login|log-in|authentication) failed",
    r"too many requests|(?:rate|usage|request|message) limit (?:exceeded|reached)|quota exceeded"
    r"|you(?:'ve| have)? (?:reached|exceeded|hit) (?:your|the) (?:current |daily |hourly |monthly |free )?"
    r"(?:quota|rate limit|usage limit|message limit|request limit)(?: for (?:today|this month))?"
    r"|you(?:'re| are) sending (?:messages|requests) too (?:fast|quickly)",
    rf"(?:(?:the|your|this) )?(?:request|connection|response|operation|call) (?:has )?(?:timed out|timeout|failed"
    rf"|was lost|lost|reset|closed|aborted|was (?:reset|aborted|closed))"
    rf"|(?:the )?connection (?:was )?refused|{_THING} (?:timed out|timeout|took too long"
    rf"(?: to respond)?"
    r"|(?:did not|didn't|does not|doesn't) respond|error|failure|failed|connection (?:lost|failed|error))"
    r"|timed out(?: while)? waiting for (?:a|the) (?:response|reply)|network error|no response from (?:the )?"
    r"(?:server|model)"
    r"|(?:gateway|server|request|read|connection|model|upstream) (?:timeout|error)|internal error|failed to fetch"
    r"|(?:server|request|connection|model|(?:llm|api|model|backend|upstream) (?:call|request)) failed",
    r"(?:error|failed|failure) (?:(?:while |when |in )?(?:generating|processing|fetching|getting|loading|calling)"
    r"|to (?:generate|process|fetch|get|load|call)) (?:(?:an?|the|your|this) )?"
    r"(?:response|reply|answer|request|message|completion|model|llm)",
    r"(?:(?:we|i) )?(?:(?:could not|couldn't|cannot|can't|failed to|(?:was |were |'m |'re |am |are )?unable to) )"
    rf"(?:connect to|reach|contact) {_THING}{_NOW}",
)
#: Only with a request to come again: a bot that declines may say the first half.
_PERHAPS = (
    r"(?:(?:we|i) )?(?:could not|couldn't|cannot|can't|failed to|(?:was |were |'m |'re |am |are )?"
    r"(?:currently )?unable to)"
    r" (?:process|handle|complete|generate|load|get|produce|answer|respond to) (?:your|the|this|that|a)"
    rf" (?:request|message|response|reply|answer|query){_NOW}",
    rf"{_WE}(?:over|at)(?: full| max| maximum)? capacity{_NOW}|(?:login|log-in|authentication) required",
)
#: What goes with it, and is no answer and no failure alone.
_BESIDE = (
    r"sorry|so sorry|oops|oh no|uh[- ]oh|whoops|hmm|error|apologies|our apologies|my apologies|unfortunately"
    r"|(?:i'm|we're|i am|we are) (?:very |so |really )?sorry|(?:openai|anthropic|azure|google|api|server|llm|model"
    r"|system|\w+) error"
    r"|(?:(?:i|we|please accept) )?(?:sorry|apologi[sz]e|(?:our|my) apologies) (?:about|for) (?:that|this|the "
    r"(?:trouble|inconvenience|delay)|any inconvenience)(?: caused)?",
    r"thanks?(?: you)? for (?:your )?(?:patience|understanding|waiting)(?: and (?:patience|understanding))?"
    r"|(?:(?:we|our team|our engineers)(?:'re| are| is| have been| has been) (?:now )?(?:working (?:on it|on a fix"
    r"|to (?:fix|resolve)"
    r" (?:it|this|the (?:issue|problem)))|notified|looking into (?:it|this)))",
    r"(?:please )?(?:contact|reach out to) (?:our )?(?:support|customer support|the administrator"
    r"|your administrator)(?: team)?"
    r"(?: if (?:the|this) (?:problem|issue|error) (?:persists|continues))?|if (?:the|this) (?:problem|issue|error) "
    r"(?:persists|continues)",
    r"(?:please )?(?:refresh|reload) (?:the|this) page(?: and try again)?|(?:please )?check your (?:internet "
    r"|network )?"
    r"connection(?: and try again)?|please check your plan(?: and billing(?: details)?)?|please (?:wait|bear with us"
    r"|stand by)(?: a moment)?",
    r"(?:error|reference|request|incident|trace|support|event|correlation)(?: ?(?:id|code|number|ref))?(?: "
    r"(?:is )?)?[#]?",
    r"(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{4,64}|[45]\d\d",
)


def _grammar(trouble: str, perhaps: str, later: str, beside: str) -> re.Pattern[str]:
    """A clause of one language; its group says of which kind. `later`: that one should come again."""
    return re.compile(f"(?P<trouble>{trouble})|(?P<perhaps>{perhaps})|(?P<later>{later})|(?P<beside>{beside})")


def _any(clauses: tuple[str, ...], before: str = "") -> str:
    return f"{before}(?:{'|'.join(clauses) or '(?!)'})"


@cache
def grammars() -> tuple[re.Pattern[str], ...]:
    """One a language. Made when it is first asked for, since that takes a while: a run does so while it waits."""
    english = _grammar(
        _any(tuple(rf"(?:{one})(?: (?:and|so|but))?" for one in _TROUBLE), _HEDGE),
        _any(_PERHAPS, _HEDGE),
        _any((_LATER,), _HEDGE),
        _any(_BESIDE),
    )
    return (english, *(_grammar(*map(_any, one)) for one in TONGUES))


#: Where a clause ends. A conjunction before the request to come again is an end, too.
_END = re.compile(
    r"[.!?…:;,\n|]+(?:\s+|\Z)|\s+[-*]+\s+|\s+(?=(?:please|bitte|veuillez|por favor)\b)|\s*[()\[\]\"`]+\s*"
)
_SIGNS = re.compile(r"^[^\w]+|[^\w]+\Z")


def only_trouble(text: str) -> bool:
    """Whether the whole text says that a service failed, and nothing else, in one language."""
    if len(text) > LONGEST:
        return False
    said: list[tuple[re.Pattern[str], set[str | None]]] = [(one, set()) for one in grammars()]
    for clause in _clauses(_low(text)):
        known = ((one, kinds, one.fullmatch(clause)) for one, kinds in said)
        said = [(one, kinds | {match.lastgroup}) for one, kinds, match in known if match]
        if not said:  # most answers end here, with their first clause
            return False
    return any("trouble" in kinds or {"perhaps", "later"} <= kinds for _, kinds in said)


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        yield from _bare(text[start : end.start()])
        start = end.end()
    yield from _bare(text[start:])


def _bare(part: str) -> tuple[str, ...]:
    clause = _SIGNS.sub("", part)
    return (clause,) if clause else ()


def _low(text: str) -> str:
    return "\n".join(plain(line) for line in text.splitlines()).lower()
