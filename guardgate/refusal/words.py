"""Word lists of which the cues are made. RE2 alternatives over folded English."""

from __future__ import annotations


def one_of(*words: str) -> str:
    """A pattern for one of the words; each argument may hold several, parted by `|`."""
    return f"(?:{'|'.join(words)})"


#: Who speaks.
SELF = r"\b(?:i|we|as an ai|language model|assistant|chatbot)(?:,? (?:and|so|who|which|that))?"

#: What may stand between the speaker, the no and the act.
BETWEEN = (
    r"(?:,? (?:\w+ly|in good conscience|as an ai|just|simply|also|even|ever|really|to|be|be able to|or|and|"
    r"in any way|do anything to|help|encourage|suggest|support|promote|endorse|condone|recommend|unfortunately|"
    r"will not|won't)\b,?){0,4}"
)

#: How a speaker says no, up to the act.
NO = one_of(
    r"can ?not|can't|cant|won't|will not|will never|shall not",
    r"(?:'m|am|are|'re|be)(?: \w+)? (?:unable|unwilling)(?: to)?",
    r"(?:'m|am|are|'re)(?: \w+)? not(?: \w+)? (?:able|allowed|permitted|willing|going|authori[sz]ed|programmed|"
    r"designed|equipped|built|trained|qualified|prepared|in a position|comfortable|at liberty|here)(?: to)?",
    r"(?:would not|wouldn't|do not|don't) (?:be|feel) (?:able|comfortable|right)(?: to)?",
    r"(?:do not|don't) have (?:the )?(?:capability|permission|authority|ability) to",
    r"(?:must|have to|need to|will|'ll|would|'d|going to)(?: \w+){0,3} (?:decline|refuse|pass)(?: to)?",
    r"refuse to|decline to",
)

#: What a speaker refuses to do.
ACT = one_of(
    "help|assist|aid|provide|give|offer|share|supply|hand|pass|answer|respond|reply|address|discuss|talk|speak|go into",
    "comment|create|write|compose|generate|produce|draft|make|build|design|recreate|invent|fabricate|engage",
    "participate|take part|fulfil|fulfill|comply|complete|satisfy|accommodate|grant|process|proceed|do|go along",
    "go against|carry|perform|follow|obey|act|become|play|pretend|pose|impersonate|adopt|instruct|teach|explain",
    "describe|detail|outline|walk|guide|show|tell|say|name|disclose|reveal|divulge|print|output|display|repeat",
    "ignore|override|bypass|forget|break|set aside|facilitate|enable|allow|permit|let|agree|accept|speculate|guess",
    "list|translate|summari[sz]e|send|forward|delete|remove|execute|run|call|use|publish|post|submit|sign|book",
    "cancel|approve|authori[sz]e|refund|waive|transfer|reset|unlock|change|alter|modify|adjust|increase|switch",
    "justify|argue|promise|swear|vow|keep|hide|hold back|insult|prescribe|diagnose|predict|decide|judge",
    "suggest|recommend|advise|encourage|support|endorse|condone|promote|indulge|entertain|contribute|cooperate",
    "collaborate|deliver|portray|depict|simulate|imitate|mimic|reproduce|recite|leak|retrieve|hack|steal|deceive|mock",
    "weigh in|take sides|say yes|get involved|be part|sell|remove|extend|circumvent|disable|disparage|generali[sz]e",
    "assisting|helping|providing|giving|sharing|answering|discussing|creating|writing|engaging|talking|doing",
)

#: Turns of phrase in which "I cannot" refuses nothing, speech of others, and inability that waits for an answer.
IDIOM = (
    r"\b(?:enough|help but|how (?:happy|glad|excited|grateful|much|sorry|proud)|go wrong|"
    r"(?:say|tell) for (?:sure|certain)|tell (?:whether|if|which)|keep you (?:long|waiting)|"
    r"promise (?:that )?(?:it|this|they)(?:'ll| will)|"
    r"share (?:your|that|this|the) (?:view|opinion|worry|concern|taste)|"
    r"(?:can ?not|can't) (?:wait|stress|overstate|overemphasi[sz]e|believe|imagine|think of)|"
    r"(?:he|she|they|him|her|who|i) (?:said|asked|replied|whispered|shouted|muttered|sighed)|"
    r"(?:said|asked|replied|whispered|shouted|muttered|sighed) (?:the|he|she|they)|"
    r"without (?:knowing|seeing|more|further|additional|some more|a bit more)|"
    r"(?:unless|until|before) you (?:tell|give|provide|share|send|let|confirm|attach|paste|upload))\b"
)

#: One side of a request that may be left out while the rest is answered.
SIDE = (
    r"\b(?:medical|legal|financial|tax|professional) advice\b|"
    r"\b(?:personal opinions?|specific|exact|precise|definitive|definite|complete|full|entire|whole|single|details?|"
    r"real-time|up-to-date|browse|internet|diagnos\w+|ability to|capability to)\b"
)

#: What may stand between "is" and what it is said to be.
DEGREE = r"(?:\w+ly|also|not|only|both|and|or|very|but|it|is|considered|illegal|dangerous|unsafe|unfair|unkind)"

BAD = one_of(
    "unethical|immoral|inappropriate|unacceptable|wrong|offensive|disrespectful|a crime",
    "a criminal|harmful|hurtful|discriminatory|racist|sexist|homophobic|xenophobic|hateful|a violation",
    "cruel|demeaning|derogatory|insensitive|unjust|abusive|dehumani[sz]ing",
    # By itself "illegal" states a fact.
    r"illegal (?:and|or) (?:\w+ )?(?:unethical|immoral|wrong|dangerous|harmful)",
)
GOOD = one_of(
    "ethical|moral|respectful|acceptable|okay|ok|justified|justifiable|condoned|tolerated|the answer|a solution",
    # By itself "not appropriate" judges methods and tools as well.
    r"appropriate (?:or|and|nor) \w+|appropriate (?:question|request|topic|subject)",
    r"appropriate(?: \w+)? to \w+",
)

#: Words of right and wrong between people. Harm and law are left out: helpful replies warn of them, too.
VALUE = one_of(
    r"(?:un)?ethical\w*|(?:im)?moral\w*|unacceptable|inappropriate|violen\w+|respect\w*|dignity|kindness",
    r"compassion\w*|empath\w+|discriminat\w+|equal\w*|fair(?:ness|ly)?|inclusi\w+|stereotyp\w+|prejudic\w+",
    r"regardless of|marginali[sz]\w+|diversity|assumptions?|generali[sz]\w+|bias\w*|judg(?:e|ing|ments?)",
    r"misconceptions?|singled? out|hate(?:ful)?|hatred|racis\w+|sexis\w+|bigot\w+|oppress\w+|injustice|cruel\w*",
    r"human rights|harass\w*|bully\w*|derogatory|offensive|insensitive|disrespect\w*|tolera\w+|acceptance",
    r"humane|dehumani[sz]\w+",
)

#: What turns such a word into a demand or a judgement.
OUGHT = (
    r"(?:\b(?:should|ought to|deserves?|must|need to|important|crucial|essential|vital|never|not|always|instead|"
    r"rather than)|n't)\b"
)
