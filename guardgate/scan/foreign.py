"""Words to a model, and what is wanted of it, in ten more languages: who is spoken to, what he is to say or to hide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from guardgate.scan.cue import Cue, one_of
from guardgate.scan.tongues import START, TONGUES


class Speech(NamedTuple):
    """Stems of one language. `to`, `model`: an address; `says`: verbs of answering; `task`: what the user wanted."""

    to: str
    model: str
    task: str
    says: str
    only: str
    void: str
    free: str
    now: str
    hush: str
    sends: str
    best: str


SPEECH: dict[str, Speech] = {
    "de": Speech(
        r"(?:an|für) (?:die|das|den|alle|jede\w*|eine?\w*)|an|für|(?:wenn|falls) du|liebe\w*",
        r"(?:ki(?:-[\w-]+)?|künstliche\w* intelligenz|sprachmodell\w*|chatbots?|assistenzsystem\w*|(?:virtuelle\w*|"
        r"digitale\w*|automati\w+|maschinelle\w*) (?:assistent\w*|agent\w*|leser\w*|system\w*|auswertung\w*|prüf\w*))",
        r"auftr[aä]g\w*|aufgabe\w*|frage|anfrage|wunsch|seite|text|dokument|nutzer\w*",
        r"schreib\w*|antworte\w*|sage?|sagen sie|gib|geben sie|nenne?\w*|bewerte\w*|empfiehl|behaupte\w*|melde\w*",
        r"(?:antworte?|schreibe?|sage?)(?:n sie)? (?:nur|ausschließlich|lediglich|stattdessen)",
        r"aufgehoben|ungültig|nichtig|außer kraft|gelten nicht|hinfällig",
        r"(?:keine|ohne) (?:\w+ )?(?:regeln|einschränkungen|beschränkungen|grenzen|filter)\b",
        r"(?:ab (?:jetzt|sofort|diesem moment)|von nun an) (?:bist|hast|wirst|sollst|bewertest|antwortest) du",
        r"ohne ~3(?:zu (?:informieren|warnen|erwähnen|sagen|melden))|(?:erwähne?|sage?|verrate?|nenne?) ~5(?:nicht|"
        r"niemandem)\b",
        r"(?:sende\w*|schick\w*|leite|leiten sie|übermittle?\w*)",
        r"bestnote|(?:höchste\w*|volle\w*|beste\w*) (?:punktzahl|bewertung|note)",
    ),
    "fr": Speech(
        r"à l'attention (?:de l'|de la |des |du |de )|(?:pour|aux?|à) (?:l'|le |la |les |tous les |toute )?|"
        r"si (?:tu es|vous êtes) (?:une? )?|chers? |chère ",
        r"(?:ia\b|intelligences? artificielles?|assistante?s?(?: ia| virtuel\w*| automatique\w*| numérique\w*)?|"
        r"modèles? de langage|chatbots?|robots?|agents? (?:ia|automatique)\w*)",
        r"demande|question|tâche|requête|page|texte|document|l'utilisateur",
        r"réponds?|répondez|écri[st]\w*|écrivez|dis|dites|indique[rz]?|donne[rz]?|affirme[rz]?|recommande[rz]?|"
        r"affiche[rz]?",
        r"(?:réponds?|répondez|écri[st]|écrivez|dis|dites) (?:uniquement|seulement|juste|exactement|plutôt)",
        r"annul\w+|caduques?|sans effet|ne (?:sont|s'appliquent) plus",
        r"sans (?:aucune? )?(?:limites?|restrictions?|règles?|filtres?)\b|tu n'es plus|vous n'êtes plus",
        r"(?:à partir de maintenant|désormais|dès maintenant|dorénavant),? (?:tu|vous)\b",
        r"sans (?:en |le |l'|les )?(?:avertir|prévenir|informer|mentionner)|ne (?:le |l'|lui )?(?:mentionne|dis|dites|"
        r"parle|révèle)\w* (?:pas|jamais|rien)|ne (?:jamais|pas) (?:parler|mentionner|dire|révéler)",
        r"(?:envoie\w*|envoyez|transmet\w*|transfère\w*|transférez|expédie\w*)",
        r"note maximale|meilleure note|plus haute note",
    ),
    "es": Speech(
        r"para (?:el |la |los |las )?|al? (?:los |las |la )?|si eres (?:una? )?|estimad[oa]s? ",
        r"(?:ia\b|inteligencia artificial|asistentes?(?: de ia| virtual(?:es)?| automático)?|modelos? de (?:lenguaje|"
        r"ia)|chatbots?|sistemas? (?:automátic\w+|de ia)|agentes? de ia)",
        r"pregunta|petición|solicitud|tarea|página|texto|documento|encargo|criterios|usuario",
        r"di|diga|responde|responda|escribe|escriba|indica|indique|puntúa|puntúe|recomienda|muestra|afirma",
        r"(?:responde|responda|escribe|escriba|di|diga) (?:solo|sólo|solamente|únicamente|exactamente)",
        r"anulad\w+|cancelad\w+|sin efecto|ya no (?:valen|aplican|rigen)",
        r"sin (?:ninguna? )?(?:restricci\w+|límites?|reglas?|filtros?)\b|ya no eres",
        r"(?:a partir de (?:ahora|este momento)|desde (?:ahora|este momento)),? (?:eres|tú|usted|debes|vas|serás|"
        r"no tienes)",
        r"sin (?:avisar|informar|decir|mencionar|notificar)|no (?:lo |se lo |le |les )?(?:digas|menciones|reveles|"
        r"expliques)",
        r"(?:envía\w*|envíe\w*|manda\w*|reenvía\w*|remite)",
        r"(?:puntuación|nota|calificación) máxima|máxima (?:puntuación|nota|calificación)|con un 10\b",
    ),
    "it": Speech(
        r"per (?:l'|il |la |gli |i |le )?|all'|all[ae] |agli |ai |se sei (?:un'|una? )?|car[aoie] |gentil[ei] ",
        r"(?:ia\b|intelligenz[ae] artificial[ei]|assistent[ei](?: virtual[ei]| ia| automatic[oi])?|"
        r"modell[io] (?:linguistic[io]|"
        r"di linguaggio)|chatbot|sistem[ai] automatic[io]|agent[ei] (?:ia|ai))",
        r"domanda|richiesta|compito|pagina|testo|documento|incarico|utente",
        r"scriv[ia]|rispond[ia]|di'|dica|indica|consiglia|comunica|mostra|afferma|valuta",
        r"(?:rispond[ia]|scriv[ia]) (?:soltanto|solo|solamente|unicamente|esattamente)",
        r"annullat\w+|non valgono più|decadut\w+|revocat\w+",
        r"senza (?:alcuna? )?(?:restrizion\w+|limit[ei]|regole|filtri)\b|non sei più",
        r"(?:da questo momento|d'ora in poi|da ora in poi|da adesso),? (?:sei|non sei|devi|sarai|non hai)",
        r"senza (?:avvisare|informare|dirlo|avvertire)|non (?:lo )?(?:dire|menzionare|rivelare|spiegare)\b",
        r"(?:invia\w*|spedisci|inoltra\w*|manda\w*|trasmetti)",
        r"(?:punteggio|voto) massimo|massimo (?:dei voti|punteggio)",
    ),
    "pt": Speech(
        r"para (?:o |a |os |as )?|aos? |às? |se (?:você é|és) (?:uma? )?|car[oa]s? ",
        r"(?:ia\b|inteligência artificial|assistentes?(?: de ia| virtua\w+)?|modelos? de (?:linguagem|ia)|chatbots?|"
        r"sistemas? (?:automátic\w+|de ia)|agentes? de ia)",
        r"pergunta|pedido|tarefa|página|texto|documento|solicitação|usuário|utilizador",
        r"responda|responde|escreva|escreve|diga|diz|mostre|indique|recomende|atribua|afirme",
        r"(?:responda|responde|escreva|escreve|diga) (?:apenas|somente|só|unicamente|exatamente)",
        r"anulad\w+|cancelad\w+|sem efeito|revogad\w+|não valem mais",
        r"(?:sem (?:nenhuma )?|não tem mais |não há mais )(?:restriç\w+|limites?|regras|filtros)\b",
        r"(?:a partir de agora|de agora em diante|deste momento em diante),? (?:você|tu|deve|és)\b",
        r"sem (?:avisar|informar|dizer|mencionar)|não (?:o |lhe )?(?:mencione|diga|conte|explique|revele)\b",
        r"(?:envie\w*|envia\w*|mande\w*|encaminhe\w*|transmita)",
        r"(?:nota|pontuação) máxima",
    ),
    "nl": Speech(
        r"(?:voor|aan) (?:de |het |alle |elke )?|als (?:je|u) (?:een )?|beste ",
        r"(?:ai(?:-[\w-]+|\b)|kunstmatige intelligentie|taalmodel\w*|chatbots?|(?:virtuele|digitale|"
        r"automatische|geautomatiseerde) \w+)",
        r"opdracht|vraag|verzoek|taak|pagina|tekst|document|gebruiker|opgedragen",
        r"schrijf|antwoord|zeg|geef|meld|toon|beveel|stuur|vermeld",
        r"(?:antwoord|schrijf|zeg) (?:alleen|enkel|uitsluitend|slechts)",
        r"vervallen|ongeldig|geannuleerd|gelden niet(?: meer)?|opgeheven",
        r"geen (?:regels|beperkingen|grenzen|filters) meer|zonder (?:beperkingen|regels|filters|grenzen)\b",
        r"(?:vanaf (?:nu|dit moment)|voortaan) (?:ben|heb|moet|zul|geef|antwoord)",
        r"zonder ~4(?:te (?:melden|vertellen|informeren|waarschuwen|vermelden))|(?:vertel|zeg|meld|noem) ~5(?:niet|"
        r"niemand|geen)\b",
        r"(?:stuur|zend|verzend)",
        r"(?:hoogste|maximale|beste) (?:score|cijfer|beoordeling|punten)",
    ),
    "pl": Speech(
        r"(?:dla|do) |jeśli jesteś |drog\w+ ",
        r"(?:ai\b|sztuczn\w+ inteligencj\w+|asystent\w*(?: ai| wirtualn\w+)?|model\w* językow\w+|chatbot\w*|"
        r"system\w* automatyczn\w+|agent\w* ai)",
        r"zadani\w+|pytani\w+|prośb\w+|stron\w+|tekst\w*|dokument\w*|użytkownik\w*|polecono|poleceni\w+",
        r"napisz|odpowiedz|powiedz|podaj|poleć|pokaż|oceń|wpisz",
        r"(?:napisz|odpowiedz|powiedz) (?:tylko|wyłącznie|jedynie)",
        r"nieważn\w+|anulowan\w+|uchylon\w+|nie obowiązują",
        r"bez (?:żadnych )?(?:ogranicze\w+|zasad|filtrów|reguł)|nie obowiązują (?:cię|was) (?:żadne )?(?:zasady|"
        r"reguły|ograniczenia)",
        r"(?:od (?:teraz|tej chwili|tego momentu)),? (?:jesteś|będziesz|nie|odpowiadaj|masz)",
        r"nie (?:mów|wspominaj|informuj|wyjaśniaj|ujawniaj)\b|bez (?:informowania|wiedzy)",
        r"(?:wyślij\w*|prześlij\w*|przekaż\w*)",
        r"(?:najwyższ\w+|maksymaln\w+) (?:ocen\w+|not\w+|punkt\w+)",
    ),
    "ru": Speech(
        r"(?:для|к|если ты|если вы|уважаем\S+|вниманию|как)",
        r"(?:ии(?:-\S+)?|искусственн\S+ интеллект\S*|языков\S+ модел\S+|чат-?бот\S*|нейросет\S+|ассистент\S*|"
        r"виртуальн\S+ (?:ассистент|помощник)\S*|автоматическ\S+ систем\S*)",
        r"задани\S*|вопрос\S*|просьб\S*|запрос\S*|страниц\S*|текст\S*|документ\S*|пользовател\S*",
        r"напиши\S*|ответь\S*|скажи\S*|укажи\S*|поставь\S*|выведи\S*|покажи\S*|отправь\S*|рекомендуй\S*",
        r"(?:напиши\S*|ответь\S*|скажи\S*) (?:только|лишь|исключительно)",
        r"отменен\S*|отменён\S*|недействительн\S*|не действуют|аннулирован\S*|утратили силу",
        r"(?:нет|без) (?:никаких |каких-либо )?(?:ограничени\S*|правил\S*|фильтр\S*|запрет\S*)",
        r"(?:с этой минуты|с этого момента|отныне|с этих пор),? (?:ты|вы|у тебя|у вас|тебе)",
        r"не (?:говори|упоминай|сообщай|рассказывай|объясняй|раскрывай)\S*|никому ~3не ",
        r"(?:отправь\S*|отошли\S*|перешли\S*|вышли\S*|пришли\S*|отправить)",
        r"(?:высш\S+|максимальн\S+|наивысш\S+) (?:балл|оценк)\S*",
    ),
    "zh": Speech(
        r"(?:给|致|请|对|如果你是|作为|所有|各位)",
        r"(?:人工智能(?:助手|模型|系统)?|ai ?(?:助手|模型|系统|代理|审稿人)|大?语言模型|大模型|智能助手|聊天机器人)",
        r"任务|问题|请求|要求|页面|文本|文件|用户",
        r"回答|回复|输出|写|说|给出|打印|推荐|发送|显示",
        r"(?:只|仅|仅仅)(?:能|需|要)?(?:回答|回复|输出|说|写)",
        r"作废|无效|取消|失效|不再适用|不再有效",
        r"没有任何?(?:限制|规则|约束)|不受任?何?(?:限制|约束)|不再受",
        r"从(?:现在|这一刻|此刻|今)(?:起|开始)?，?你",
        r"(?:不要|别|不得|切勿|请勿|不必)(?:告诉|提及|通知|说明|解释|透露)",
        r"(?:发送|发给|发到|转发|寄给|上传)",
        r"最高分|满分|最高评价",
    ),
    "ja": Speech(
        r"(?:この(?:文書|文章|ページ|メール|資料)を(?:読む|読んでいる|処理する|要約する)|もしあなたが|すべての|全ての|親愛なる)",
        r"(?:ai|人工知能|言語モデル|アシスタント|チャットボット)(?:アシスタント|モデル|エージェント)?(?:へ|の皆|に告|なら|であれば|さん)",
        r"依頼|質問|タスク|ページ|文章|文書|ユーザー|要求",
        r"答え|書い|書き|返し|出力|言っ|表示|送信|伝え",
        r"とだけ(?:答え|書|返|出力|言|回答)|だけを?(?:答え|出力|書|回答)",
        r"無効|取り消|破棄|適用されません|適用されない",
        r"(?:制限|ルール|規則|制約)(?:は|が|も)?(?:一切)?(?:ない|なし|ありません|存在しない)",
        r"(?:今から|これから|今後|この瞬間から)、?(?:あなた|君|お前)",
        r"(?:言わない|伝えない|知らせない|明かさない|触れない|教えない)(?:で|こと)",
        r"(?:送信し|送って|送り|転送し)",
        r"最高点|満点|最高評価",
    ),
}  # fmt: skip

#: And then: what joins a dropped order and the one in its place.
_AND = {
    "de": "und|sondern|stattdessen", "fr": "et|mais|plutôt", "es": "y|e|sino|pero", "it": "e|ed|ma|"
        "invece", "pt": "e|mas",
    "nl": "en|maar", "pl": "i|oraz|ale", "ru": "и|а|но",
}  # fmt: skip
_DEST = r"(?:https?://|[\w.+-]+@[\w-]+\.\w\w)"


def _cues(key: str, speech: Speech) -> Iterator[Cue]:
    tongue = TONGUES[key]
    apart = tongue.apart
    start = START if apart else ""
    near = " ~6" if apart else r"[^\s.!?。]{0,20}?"
    drop = f"(?:{tongue.drop})"
    to, model = f"(?:{speech.to})", speech.model
    if apart:
        ends = r"(?:\s?:|,? ~9[^\s.!?]*:|\s?,)"
        yield Cue("addressed", 3, rf"{START}{to} ?{model}{ends}")
        yield Cue("override", 3, rf"{start}{drop} ~9(?:{_AND[key]}) ~1(?:{speech.says})[\s:\"'«„]", "instead")
    else:
        yield Cue("addressed", 3, rf"{to}[^\s.!?。]{{0,10}}?{model}(?:的(?:指示|消息|说明|提示|留言))?(?:：|:|，|,|、)")
        if key == "zh":
            yield Cue("addressed", 3, rf"{to}[^\s.!?。]{{0,10}}?{model}的?(?:指示|消息|说明|提示|留言|命令)(?:：|:)")
        yield Cue("override", 3, rf"{drop}{near}(?:、|，|,|て|で)?{near}(?:{speech.says})", "instead")
    task = f"(?:{speech.task})"
    yield Cue("override", 2, f"{start}{task}{near}{drop}" if tongue.verb_last else f"{start}{drop}{near}{task}", "task")
    what = one_of(f"(?:{tongue.earlier}){near}(?:{tongue.orders})", f"(?:{tongue.orders}){near}(?:{tongue.earlier})")
    yield Cue("override", 3, f"{start}{what}{near}(?:{speech.void})", "void")
    yield Cue("forced_output", 2, f"{start}(?:{speech.only})")
    yield Cue("forced_output", 2, f"{start}(?:{speech.best})", "verdict")
    yield Cue("role", 2, f"{start}(?:{speech.free})", "unbound")
    yield Cue("role", 2, f"{start}(?:{speech.now})")
    yield Cue("exfiltration", 2, f"{start}(?:{speech.hush})", "secrecy")
    yield Cue("exfiltration", 2, f"{start}{speech.sends}{near}{_DEST}", "sending")
    yield Cue("exfiltration", 4, f"{start}{speech.sends}{near}(?:{tongue.secret}){near}{_DEST}")


def _first(key: str, speech: Speech) -> str:
    """A part without gaps that every cue of a language has."""
    start = START if TONGUES[key].apart else ""
    words = (TONGUES[key].drop, speech.only, speech.best, speech.free, speech.now, speech.hush, speech.sends)
    return one_of(f"{start}{one_of(*words)}", f"(?:{speech.to}) ?{speech.model}", f"(?:{speech.void})")


#: Languages with letters of their own.
_SCRIPTS = frozenset({"ru", "zh", "ja"})
FOREIGN: tuple[Cue, ...] = tuple(
    cue for key, speech in SPEECH.items() if key not in _SCRIPTS for cue in _cues(key, speech)
)
#: Shorter than all of `FOREIGN`, and found wherever one of them is.
FOREIGN_FIRST = one_of(*(_first(key, speech) for key, speech in SPEECH.items() if key not in _SCRIPTS))
FOREIGN_SCRIPTS: tuple[Cue, ...] = tuple(
    cue for key, speech in SPEECH.items() if key in _SCRIPTS for cue in _cues(key, speech)
)
