"""Another role, another speaker, and the pressure around it, in English."""

from __future__ import annotations

from guardgate.scan.cue import Cue

_ROLE = (
    Cue(
        "role",
        3,
        r"\byou (?:are|'re|will be|shall be) (?:now|no longer|going to (?:be|act|play|pretend|have)|"
        r"about to|to act|being tested) (?:\w+ )?"
        r"(?:an?|the|in|operating|acting|entering|free|playing|bound|restricted|limited|running|my|"
        r"immerse|simulat\w+|called|named|speaking|dan|in a|role)\b",
    ),
    Cue(
        "role",
        3,
        r"\b(?:you have|you're under) no (?:rules|filters|limits|restrictions|ethics|morals)\b|"
        r"\b(?:there are|with) no (?:rules|filters|ethics|morals)\b",
        "unbound",
    ),
    Cue(
        "role",
        3,
        r"\bi want you to (?:act|pretend|play|be|respond|roleplay|simulate|behave)\b|(?:^|"
        r"[.!?\n])\s*now,? you(?: are|'re) ",
    ),
    Cue("role", 1, r"\byou are (?:now |currently )(?:an? |the )?\w+"),
    Cue(
        "role",
        3,
        r"\b(?:for|in|during) th(?:is|e rest of (?:this|the)) conversation,? (?:you|act|pretend|and)|"
        r"\byou (?:are|will be) replaced by\b|"
        r"\byour name is now\b|\byou have been (?:reassigned|replaced|reprogrammed|hacked|freed|"
        r"liberated|released|jailbroken|upgraded)\b",
    ),
    Cue(
        "role",
        4,
        r"\b(?:are|is) from (?:here|now)(?: on)? ~3(?:and )?no longer\b|\byou are no longer (?:an?|"
        r"bound|restricted|limited|the|required|obliged|subject|under)\b",
    ),
    Cue(
        "role",
        4,
        r"\b(?:developer|dev|debug|admin|test) mode (?:enabled|activated|is now|on:|engaged|unlocked)|"
        r"\bmode ?: ?(?:enabled|unrestricted)|\b(?:training|security|system|safety|data) (?:data "
        r")?override\b|\b(?:god|jailbreak|unrestricted|dan|evil|sudo|override|no limits|anti-?dan|"
        r"chaos|unfiltered|security override|unlocked)[\s_-]?mode\b",
        "mode",
    ),
    Cue(
        "role",
        4,
        r"\b(?:you are|you're|you will|simulate|pretend|act|behave) ~2(?:in |into |with )?(?:a |the "
        r")?(?:developer|dev|admin|administrator|maintenance|debug|root|test)[\s_-]mode\b",
        "mode",
    ),
    Cue(
        "role",
        2,
        r"\b(?:now|enter(?:ing)?|running|operating|work|function|system|generate) ~2(?:in |into |with "
        r")?(?:a |the )?"
        r"(?:developer|dev|admin|administrator|maintenance|debug|root|test|testing|compliance|"
        r"diagnostic|recovery)[\s_-]mode\b",
        "mode",
    ),
    Cue(
        "role",
        2,
        r"\b(?:act|behave|respond|roleplay|role-play|speak|operate|pretend|simulate|imagine|answer|"
        r"pose|portray|play|write) (?:as|like|to be|that you are|you are|you're|the (?:role|part) of|"
        r"as if you)\b",
        "guise",
    ),
    Cue(
        "role",
        2,
        r"\b(?:take on|assume|adopt|immerse yourself in(?:to)?|play) (?:the |a |an )?(?:\w+ )?(?:role|"
        r"persona|character|identity)\b",
        "guise",
    ),
    Cue(
        "role",
        1,
        r"\byou are (?:an?|the) (?:\w+ ){0,3}(?:ai|assistant|bot|chatbot|character|model|hacker|"
        r"expert)\b",
        "guise",
    ),
    Cue(
        "role",
        3,
        r"\b(?:unfiltered|uncensored|amoral|unrestricted (?:ai|mode|model|version|chatbot|"
        r"assistant|response|answer)s?|jailbr(?:eak|eaks|oken|eaking)|unmoderated)\b",
        "unbound",
    ),
    Cue(
        "role",
        2,
        r"\b(?:without|no|free (?:of|from)|not bound by|(?:has|have|with) no|ignor(?:es?|ing)|"
        r"disregards?|do(?:es)? not (?:have|follow|care about)|doesn't (?:have|follow|care about)|"
        r"bypass(?:es|ing)?|remove|lift|disable|regardless of|beyond|break(?:s|ing)?) (?:any |all |of |"
        r"the |these |its |openai's |ethical |moral |or |legal |content |safety |your )*"
        r"(?:restrictions|limits|limitations|filters|censorship|morals?|morality|ethics|ethical|"
        r"boundaries|guardrails|content polic(?:y|ies)|restraints?|laws|legality|safety)\b",
        "unbound",
    ),
    Cue(
        "role",
        5,
        r"\bdo anything now\b|\bjailbroken (?:ai|mode|version|chatbot|model)\b|\b(?:dan|stan|dude|aim) "
        r"(?:mode|which stands|can do|will|has|is free)\b|\bno limits ai\b",
        "unbound",
    ),
    Cue(
        "role",
        2,
        r"\b(?:stay(?:ing)? in|break(?:ing)?|never break|out of) character\b",
        "unrefusing",
    ),
    Cue(
        "role",
        3,
        r"\bnever (?:refuse|decline|"
        r"apologi[sz]e|reject|say no|warn)\b|\b(?:can(?:not|'t| not)|will not|won't|must not|"
        r"don't|do not|never|not allowed to) "
        r"(?:ever )?(?:refuse|decline|reject|deny|say no)\b|\bnever (?:says?|claims?|states?|"
        r"mentions?) (?:that )?(?:you|it|he|she|they)? ?(?:can't|cannot|can not|is an ai|are an ai)",
        "unrefusing",
    ),
    Cue(
        "role",
        2,
        r"\b(?:illegal|unethical|immoral|harmful|dangerous|offensive|explicit|nsfw)(?:,| or| and|/) "
        r"?(?:illegal|unethical|immoral|harmful|dangerous|offensive|explicit|amoral|nsfw)\b",
        "vice",
    ),
    Cue(
        "role",
        2,
        r"\b(?:openai|anthropic|chatgpt)(?:'s)? (?:\w+ )?(?:content )?(?:polic(?:y|ies)|guidelines|"
        r"rules|filters?|restrictions|terms)\b|\bas an ai language model\b",
        "maker",
    ),
    Cue(
        "role",
        2,
        r"\bhypothetical(?:ly)? (?:response|scenario|world|story|character|dialogue)\b|\bfictional "
        r"(?:character|world|universe|story)\b|\bin (?:a|this) (?:world|universe|story) (?:where|in "
        r"which)\b",
        "fiction",
    ),
)
_TURN = (
    Cue(
        "fake_turn",
        3,
        r"(?:^|\n)\s*(?:answer|response|result|output|status|summary|assistant)\s*: ?(?:the )?(?:task|"
        r"request|summary|answer) "
        r"(?:is |was |has been )?(?:now )?(?:complete|completed|done|finished|provided)\b",
        "done",
    ),
    Cue(
        "fake_turn",
        3,
        r"(?:^|\n|  )\s*#{2,4} ?(?:(?:new )?(?:instruction|response|system)s? ?:|system(?:\n|  ))",
        "speaker",
    ),
    Cue(
        "fake_turn",
        4,
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|end_of_text|eot_id|start_header_id|"
        r"end_header_id|begin_of_text|end|endofprompt|im_sep)\|>",
        "tokens",
    ),
    Cue(
        "fake_turn",
        4,
        r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?system_?(?:prompt|message|instructions?|"
        r"override)>|\[/?system(?:_message|_prompt)?\](?:\(#\w+\))?",
        "tokens",
    ),
    Cue(
        "fake_turn",
        3,
        r"<(?:end[\s_-]of[\s_-]|begin[\s_-]of[\s_-]|/end[\s_-]?)(?:the[\s_-])?(?:session|document|"
        r"documents|context|conversation|text|data|input|prompt)>|</(?:user_input|user_query|"
        r"untrusted_\w+)>",
        "ends",
    ),
    Cue(
        "fake_turn",
        3,
        r"[\[(<={*#~-]{2,}\s*(?:the )?end(?:ing)? (?:of )?(?:the |this )?(?:document|data|input|text|"
        r"thread|message|prompt|user input|context|session|e-?mail|article|page|results?|file|"
        r"transcript|conversation|report|content)\b",
        "ends",
    ),
    Cue(
        "fake_turn",
        2,
        r"(?:^|\n)[\s>*#]{0,6}(?:###? ?)?(?:system|assistant|developer)\s?(?:prompt|message|note|"
        r"override|update|alert|instruction|command)?\s?:",
        "speaker",
    ),
    Cue(
        "fake_turn",
        3,
        r"\b(?:admin|administrator|system|developer|root|operator|moderator|supervisor)[\s-](?:request|"
        r"override|alert|notice|instruction|command|directive|message|note)(?: ?[:!]| to the (?:ai|"
        r"assistant|model|reader))",
        "speaker",
    ),
    Cue("fake_turn", 1, r"(?:^|\n)[\s>*#]{0,6}(?:user|human|assistant|ai|bot|q|a)\s?:", "turns"),
)
_PRESSURE = (
    Cue(
        "new_orders",
        1,
        r"\bimportant(?:!|:)|\burgent\b|\bimmediately\b|\bno matter what\b|\bregardless of (?:any|what|"
        r"all|previous)\b|\bcrucial\b|\btop priority\b|\bmandatory\b|\bthis is (?:really |extremely |"
        r"very )?important\b|\bemergency\b|"
        r"\bmust strictly\b|\byou must\b|\byou will (?:now|only)\b|\bwithout "
        r"(?:question|exception)\b|\bextremely important\b|\bit is (?:essential|vital|"
        r"imperative)\b",
        "pressure",
    ),
    Cue("new_orders", 1, r"\bthis is (?:just |only |merely )?(?:a|part of a|for) tests?(?:ing)?\b|\w!{3}", "pretext"),
    Cue(
        "new_orders",
        2,
        r"\b(?:strictly |only |purely )?for testing purposes\b|\btest pipeline\b|\bspecial (?:case|"
        r"exception|instructions?)(?: ?:|,)|\b(?:emergency|attention|urgent)\*\*|\*{2}(?:emergency|attention|urgent)",
        "pretext",
    ),
    Cue(
        "new_orders",
        3,
        r"\bi(?:'m| am) (?:your|the|not \w+,? i(?:'m| am)) (?:\w+ )?(?:developer|creator|administrator|"
        r"admin|owner|boss|master|supervisor|programmer|god)\b|\bi(?:'m| am) (?:a|the) (?:developer|"
        r"administrator|president|ceo|owner|system admin)\b|\blisten to my (?:instructions|orders|"
        r"commands)\b|"
        r"\bi(?:'ll| will) (?:give|pay|tip|donate) (?:you )?\$?\d+\b",
        "rank",
    ),
    Cue(
        "encoded",
        4,
        r"\b(?:decode|decrypt|decipher|unscramble|unreverse|deobfuscate|reverse) ~3(?:base ?64|"
        r"hex(?:adecimal)?|rot ?13|string|text|message|line|it|this|cipher|code|morse|binary|caesar) "
        r"~9(?:and|then|,) ?~3"
        r"(?:follow|execute|do|obey|comply|perform|act|include|carry|treat|respond|answer)\b",
        "decode",
    ),
    Cue(
        "encoded",
        2,
        r"\b(?:decode|decrypt|decipher|unscramble)\b ~4(?:base ?64|hex(?:adecimal)?|rot ?13|string|"
        r"cipher|morse|binary|caesar)\b",
        "decode",
    ),
)

ROLES: tuple[Cue, ...] = (
    *_ROLE,
    *_TURN,
    *_PRESSURE,
)
