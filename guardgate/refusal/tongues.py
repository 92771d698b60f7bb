"""Refusals in ten more languages: the plainest forms only, and not measured on labelled data.

RE2 knows the boundaries and letters of ASCII words only, so these patterns spell out where a word begins. Its class
of all letters would make them a hundred times larger.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from guardgate.refusal.cues import Cue
from guardgate.refusal.words import one_of

_B = "(?:^|[ ,;:('/-])"
_WORD = "[^ ,.;:!?]+"
_W = f"(?:[ ,]+{_WORD}){{0,6}}?[ ,]+"

_GERMAN_NO = r"(?:nicht|keine?[nmrs]?|niemandem|nichts)"
_GERMAN_I = one_of(
    r"(?:kann|darf|werde|möchte|können|dürfen|werden) (?:ich|wir)",
    r"(?:ich|wir) (?:kann|darf|werde|möchte|können|dürfen|werden)",
)
_GERMAN_ACT = one_of(
    "helfen|geben|sagen|nennen|verraten|beantworten|weitergeben|herausgeben|bereitstellen|teilen|erklären",
    "erstellen|schreiben|anbieten|tun|machen|mitteilen|preisgeben|eingehen|erfüllen|versprechen|unterstützen",
    "ändern|löschen|senden|behandeln",
)

#: The speaker says no. Keys are BCP 47 codes.
DECLINES: Mapping[str, str] = MappingProxyType(
    {
        "de": _B
        + one_of(
            rf"{_GERMAN_I}{_W}{_GERMAN_NO}{_W}?{_GERMAN_ACT}",
            rf"(?:dabei|damit|dazu|das) (?:kann|darf|werde|möchte) ich(?: {_WORD}){{0,3}} nicht",
            rf"(?:ich bin|bin ich)(?: {_WORD})? nicht (?:in der lage|befugt|berechtigt)",
            rf"(?:ich muss|muss ich)(?: {_WORD}){{0,3}} ablehnen|ich lehne(?: {_WORD}){{0,2}} ab",
        ),
        "fr": _B
        + one_of(
            r"je (?:ne |n')(?:peux|pourrai|vais|saurais|suis)(?: malheureusement)?(?: pas)?"
            rf"{_W}?(?:aider|fournir|donner|répondre|assister|créer|écrire|rédiger|partager|expliquer|communiquer|"
            r"faire|révéler|divulguer|dire|promettre|garder|en mesure|autorisée?)",
            r"je (?:refuse|dois refuser|dois décliner)|il m'est impossible",
        ),
        "es": _B
        + one_of(
            rf"no (?:puedo|podré|podemos|voy a|debo|me es posible)(?: {_WORD})?{_W}?(?:ayudar|proporcionar|ofrecer|dar|"
            r"compartir|responder|revelar|decir|escribir|crear|hacer|prometer|guardar|facilitar|explicar|asistir)",
            r"no (?:estoy|estamos) (?:autorizad|en condiciones)|(?:debo|tengo que) (?:rechazar|negarme)|me niego",
        ),
        "it": _B
        + one_of(
            rf"non (?:posso|potrò|possiamo|intendo|mi è possibile){_W}?(?:aiutar|fornir|dar|condivider|risponder|"
            r"rivelar|dir|scriver|crear|far|prometter|spiegar|assister|comunicar|mantener)",
            r"non (?:sono|siamo) (?:autorizzat|in grado)|devo rifiutare|mi rifiuto",
        ),
        "pt": _B
        + one_of(
            rf"não (?:posso|consigo|poderei|podemos|vou|devo|me é possível){_W}?(?:ajud|fornec|dar|compartilh|"
            r"partilh|respond|revel|dizer|escrev|criar|fazer|promet|explic|guardar|divulg)",
            r"não (?:estou|estamos) (?:autorizad|em condições)|(?:devo|tenho de|tenho que) recusar|recuso-me",
        ),
        "ru": _B
        + one_of(
            rf"не (?:могу|можем|смогу|сможем|буду|вправе|имею права){_W}?(?:помо|предостав|дать|подел|ответ|расска|"
            r"сообщ|раскры|напис|писать|выполн|обсужд|сдела|делать|обеща|сказать|назвать|созда)",
            r"вынужден[аы]? отказать|отказываюсь",
        ),
        "zh": r"(?:我|抱歉|对不起|對不起|恕)[^。!?]{0,8}?(?:无法|無法|不能|不会|不會|不可以|拒绝|拒絕)[^。!?]{0,20}?"
        + one_of(
            "提供|帮|幫|协助|協助|回答|分享|透露|告诉|告訴|满足|滿足|讨论|討論|生成|编写|編寫|撰写|撰寫",
            "执行|執行|答应|答應|保证|保證|保密|公开|公開|这样做|這樣做|这个请求|您的请求",
        ),
        "ja": one_of(
            "(?:答え|応え|手伝い|助け|提供|共有|対応|教え|協力|開示|伝え|支援|作成|約束|公開|お話し|実行)"
            "[^。!?]{0,12}?(?:できません|出来ません|できない|いたしません|しません|かねます)",
            "(?:いたし|でき|致し|応じ)かねます|お断り(?:し|いた|させ)",
        ),
        "ar": one_of(
            "لا (?:أستطيع|يمكنني|أقدر|يمكننا)|لن (?:أتمكن|أستطيع|أقوم|أفعل|أشارك|أقدم)",
            "يتعذر علي|لست قادر|غير قادر|لست مخول",
        )
        + "[^.!?؟]{0,30}?(?:مساعد|تقديم|مشارك|الإجابة|إجابة|تزويد|كشف|إخبار|كتابة|إعطا|تنفيذ|ذلك|هذا)",
        "hi": "(?:मैं|हम)[^।!?]{0,60}?"
        + one_of(
            "नहीं (?:कर|दे|बता|लिख|बना|रख|भेज) (?:सकत|पाऊ|पाए)|मदद नहीं कर|असमर्थ",
            "नहीं (?:करूँगा|करूंगा|करूँगी|करूंगी|दूँगा|दूंगा|दूँगी|दूंगी|बताऊँगा|बताऊंगा)",
        ),
    }
)

#: The speaker does it all the same.
GIVES: Mapping[str, str] = MappingProxyType(
    {
        "de": rf"{_B}(?:so (?:geht es|geht's|funktioniert es|machen sie|machst du)|schritt 1)",
        "fr": rf"{_B}(?:voici comment|étape 1)",
        "es": rf"{_B}(?:(?:así|aquí) (?:es|está|te explico|le explico) cómo|así se hace|paso 1)",
        "it": rf"{_B}(?:ecco come|passo 1|passaggio 1)",
        "pt": rf"{_B}(?:(?:eis|veja|aqui está) como|passo 1)",
        "ru": rf"{_B}(?:вот как|шаг 1)",
        "zh": "(?:步骤|步驟|方法)如下|以下是(?:具体|具體|详细|詳細)?(?:步骤|步驟|方法)|第一步|(?:步骤|步驟) ?1",
        "ja": "(?:手順|方法)は(?:次|以下)|(?:ステップ|手順) ?1",
        "ar": "إليك (?:كيف|الطريقة|الخطوات)|الخطوة (?:1|الأولى)",
        "hi": "तरीका यह है|चरण 1|इस तरह करें",
    }
)

TONGUES: tuple[Cue, ...] = (
    *(Cue("declines", pattern) for pattern in DECLINES.values()),
    *(Cue("gives", pattern) for pattern in GIVES.values()),
)
