"""The clauses of `trouble` in other languages: it failed, perhaps it did, come again, and what goes with it."""

from __future__ import annotations

Clauses = tuple[str, ...]

_DE_THING = (
    r"(?:(?:der|die|das|unser|unsere|dieser|dieses) )?(?:dienst|service|server|system|assistent|chatbot|bot|modell"
    r"|seite|webseite|anwendung|systeme|dienste)"
)
_DE = (
    (
        r"(?:(?:leider|da) )?(?:ist|sind|es ist|es gab|es trat)(?: leider)? (?:etwas schief ?gelaufen"
        r"|etwas schief ?gegangen"
        r"|(?:ein|einen)(?: (?:unerwarteter|unerwarteten|interner|internen|technischer|technischen|unbekannter))? "
        r"(?:fehler|problem)"
        r"(?: (?:auf|aufgetreten|passiert))?(?: bei der (?:verarbeitung|bearbeitung)(?: (?:ihrer|deiner"
        r"|der) anfrage)?)?(?: aufgetreten)?)",
        r"etwas ist schief ?(?:gelaufen|gegangen)|ein(?: \w+er)? fehler ist aufgetreten|(?:interner )?serverfehler"
        r"|zeit(?:ü|ue)berschreitung",
        rf"{_DE_THING} (?:ist|sind) (?:derzeit |zurzeit |momentan |gerade |im moment |vor(?:ü|ue)bergehend |leider )*"
        rf"(?:nicht verf(?:ü|ue)gbar"
        r"|nicht erreichbar|(?:ü|ue)berlastet|ausgelastet|offline|au(?:ß|ss)er betrieb)",
    ),
    (
        r"(?:ihre|deine|die) anfrage konnte (?:leider )?nicht (?:verarbeitet|bearbeitet) werden",
        r"(?:bitte )?(?:melden sie sich|melde dich)(?: bitte)?(?: erneut)? an",
    ),
    (
        r"um fortzufahren",
        r"(?:bitte )?(?:versuchen sie|versuche|versuch)(?: es)?(?: bitte)? (?:sp(?:ä|ae)ter|in (?:ein paar|einigen"
        r"|wenigen) (?:minuten|augenblicken)|gleich)?"
        r" ?(?:erneut|noch ?(?:ein)?mal|wieder)?(?: sp(?:ä|ae)ter)?",
    ),
    (
        r"entschuldigung|verzeihung|(?:es )?tut (?:mir|uns) (?:sehr )?leid|hoppla|ups|oh nein|leider|fehler|bitte",
        r"(?:wir )?(?:bitten um|entschuldigen uns f(?:ü|ue)r) (?:entschuldigung|die (?:unannehmlichkeiten|st(?:ö"
        r"|oe)rung)|ihr verst(?:ä|ae)ndnis)",
        r"vielen dank f(?:ü|ue)r (?:ihr verst(?:ä|ae)ndnis|ihre geduld)",
    ),
)
_FR = (
    (
        r"(?:(?:une|l')? ?erreur(?: (?:inattendue|interne|technique|inconnue))?|un (?:problème|souci)(?: technique)?)"
        r" (?:s'est produite?|est survenue?|est apparue?)(?: (?:lors|pendant) (?:du|le) traitement de (?:votre|ta) "
        r"(?:demande|requête))?",
        r"(?:quelque chose s'est mal passé|il y a eu une? (?:erreur|problème)|nous avons rencontré une? (?:erreur"
        r"|problème)(?: technique)?)",
        r"(?:(?:le|notre|ce) )?(?:service|serveur|système|assistant|modèle|site|chatbot) est (?:actuellement "
        r"|temporairement |momentanément )?"
        r"(?:indisponible|surchargé|hors service|inaccessible|en maintenance)(?: (?:pour le moment|actuellement))?",
        r"veuillez vous (?:re)?connecter pour continuer|(?:votre )?session a expiré",
    ),
    (r"(?:nous n'avons|je n'ai) pas pu traiter (?:votre|ta) (?:demande|requête)",),
    (
        r"(?:veuillez |merci de )?(?:réessayer|réessayez|essayez à nouveau|essayer à nouveau|ressayer)"
        r"(?: (?:plus tard|ultérieurement|dans quelques (?:instants|minutes)))?(?: s'il vous plaît)?",
    ),
    (
        r"désolée?|(?:je suis|nous sommes)(?: vraiment)? désolée?s?|oups|oh non|erreur|malheureusement|mais"
        r"|veuillez nous excuser",
        r"(?:nous nous excusons|toutes nos excuses|excusez-nous) ?(?:pour (?:la gêne occasionnée|ce désagrément))?"
        r"|merci (?:de|pour) votre (?:patience|compréhension)",
    ),
)
_ES = (
    (
        r"(?:ha ocurrido|ocurrió|se ha producido|se produjo|hubo|ha habido) (?:un|algún)(?: \w+)? ?(?:error|problema)"
        r"(?: (?:inesperado|interno|técnico|desconocido))?(?: al procesar (?:su|tu) (?:solicitud|petición|mensaje))?",
        r"(?:algo (?:salió|ha salido|fue) mal)",
        r"(?:(?:el|nuestro|este) )?(?:servicio|servidor|sistema|asistente|modelo|sitio|chatbot) "
        r"(?:no está disponible|está (?:fuera de servicio|saturado"
        r"|sobrecargado|caído|en mantenimiento))(?: (?:en este momento|actualmente|temporalmente|por el momento))?",
        r"(?:por favor )?(?:inicie|inicia) sesión para continuar|(?:su|tu) sesión ha (?:expirado|caducado)",
    ),
    (r"no (?:pudimos|pude|se pudo|hemos podido) procesar (?:su|tu) (?:solicitud|petición|mensaje)",),
    (
        r"(?:por favor )?(?:inténtelo|inténtalo|intente|intenta|vuelva a intentarlo|vuelve a intentarlo|inténtelo"
        r"|pruebe|prueba)"
        r"(?: de nuevo| otra vez| nuevamente)?(?: (?:más tarde|en unos (?:minutos|momentos|instantes)))?"
        r"(?: por favor)?",
    ),
    (
        r"lo siento|lo sentimos|perdón|disculpe|disculpa|vaya|ups|error|por favor|desafortunadamente|lamentablemente"
        r"|pero",
        r"(?:disculpe|disculpen|lamentamos|sentimos) (?:las molestias|los inconvenientes|el inconveniente)"
        r"|gracias por su (?:paciencia|comprensión)",
    ),
)
_IT = (
    (
        r"(?:si è verificato|c'è stato|abbiamo riscontrato) un (?:errore|problema)(?: (?:imprevisto|interno|tecnico"
        r"|inatteso|sconosciuto))?"
        r"(?: (?:durante|nell')? ?(?:l'elaborazione|elaborazione) della (?:tua|sua|vostra)? ?richiesta)?",
        r"qualcosa è andato storto",
        r"(?:(?:il|lo|la|l'|il nostro) ?)?(?:servizio|server|sistema|assistente|modello|sito|chatbot) "
        r"(?:non è (?:al momento |attualmente |temporaneamente )?disponibile"
        r"|è (?:al momento |attualmente |temporaneamente )?(?:sovraccarico|fuori servizio|irraggiungibile"
        r"|in manutenzione))(?: (?:al momento|in questo momento))?",
        r"(?:accedi|effettua (?:il login|l'accesso)|si prega di (?:accedere|effettuare l'accesso)) per continuare"
        r"|la sessione è scaduta",
    ),
    (r"(?:non (?:è stato possibile|siamo riusciti a|sono riuscito a)) elaborare la (?:tua|sua|vostra)? ?richiesta",),
    (
        r"(?:per favore |si prega di )?(?:riprova|riprovare|riprovi|riprovate|prova di nuovo)(?: (?:più tardi|tra "
        r"(?:qualche|pochi) (?:minuto|minuti|istante|istanti)))?"
        r"(?: per favore)?",
    ),
    (
        r"spiacenti?|(?:mi|ci) dispiace|siamo spiacenti|scusa|scusate|ops|oops|errore|purtroppo|ma|per favore",
        r"(?:ci scusiamo per (?:il disagio|l'inconveniente))|grazie per la (?:pazienza|comprensione)",
    ),
)
_PT = (
    (
        r"(?:ocorreu|aconteceu|houve|encontramos) (?:um|algum) (?:erro|problema)(?: (?:inesperado|interno|técnico"
        r"|desconhecido))?"
        r"(?: ao processar (?:(?:o|a) )?(?:seu|sua|teu|tua) (?:solicitação|pedido|mensagem))?",
        r"algo (?:deu|correu) (?:errado|mal)",
        r"(?:(?:o|nosso|este) )?(?:serviço|servidor|sistema|assistente|modelo|site|chatbot) (?:não está disponível"
        r"|está (?:indisponível|sobrecarregado"
        r"|fora do ar|em manutenção)|está (?:temporariamente|atualmente|momentaneamente) indisponível)(?: "
        r"(?:no momento|neste momento|de momento))?",
        r"(?:por favor )?(?:faça|inicie)(?: o)? (?:login|sessão) para continuar|(?:a )?sua sessão expirou",
    ),
    (r"não (?:foi possível|conseguimos|consegui) processar (?:(?:o|a) )?(?:seu|sua) (?:solicitação|pedido|mensagem)",),
    (
        r"(?:por favor )?(?:tente|tenta|tentar)(?: novamente| de novo| outra vez)?(?: (?:mais tarde|em (?:alguns"
        r"|uns) (?:minutos|instantes|momentos)|dentro de (?:alguns|momentos) ?\w*))?"
        r"(?: por favor)?",
    ),
    (
        r"desculpe|desculpa|lamento|lamentamos|sinto muito|sentimos muito|ops|opa|erro|infelizmente|mas|por favor",
        r"(?:pedimos desculpas?|desculpe|lamentamos)(?: (?:pelo (?:transtorno|inconveniente|incómodo)|o "
        r"(?:transtorno|incómodo)))?|obrigad[oa] pela (?:paciência|compreensão)",
    ),
)
_NL = (
    (
        r"er (?:is|ging)(?: helaas)?(?: iets (?:mis(?:gegaan|gelopen)?|fout(?: gegaan)?)| een (?:onverwachte "
        r"|interne |technische )?(?:fout|probleem) (?:opgetreden|ontstaan))"
        r"(?: bij (?:het|de) (?:verwerken|verwerking) van (?:uw|je) (?:verzoek|aanvraag))?",
        r"er heeft zich een (?:fout|probleem) voorgedaan|iets is misgegaan",
        r"(?:(?:de|het|onze|deze) )?(?:dienst|service|server|systeem|assistent|model|website|chatbot) is "
        r"(?:momenteel |tijdelijk |op dit moment |helaas )*"
        r"(?:niet beschikbaar|onbereikbaar|niet bereikbaar|overbelast|buiten gebruik|in onderhoud)(?: op dit moment)?",
        r"log(?: opnieuw)? in om (?:door te gaan|verder te gaan)|(?:uw|je) sessie is verlopen",
    ),
    (r"(?:we|wij|ik) (?:konden|kon|kunnen) (?:uw|je) (?:verzoek|aanvraag)(?: nu| op dit moment)? niet verwerken",),
    (
        r"(?:probeer|probeert u)(?: het)?(?: (?:later|over (?:een paar|enkele) minuten|straks))?(?: (?:opnieuw|nog ?"
        r"(?:een|eens)(?: keer)?|weer))?(?: later)?(?: alstublieft| alsjeblieft)?",
    ),
    (
        r"sorry|excuses|helaas|oeps|fout|het spijt (?:me|ons|mij)|alstublieft|maar",
        r"(?:onze )?excuses voor het ongemak|bedankt voor (?:uw|je) (?:geduld|begrip)",
    ),
)

TONGUES: tuple[tuple[Clauses, Clauses, Clauses, Clauses], ...] = (_DE, _FR, _ES, _IT, _PT, _NL)
