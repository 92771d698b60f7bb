"""Orders to a model in fifteen more languages: a verb of dropping and what is dropped, in either order.

RE2 knows the letters of ASCII words only, so a word's end is left open here: stems also match what is inflected.
"""

from __future__ import annotations

from typing import NamedTuple

from guardgate.scan.cue import Cue, one_of


class Tongue(NamedTuple):
    """Stems of one language. `verb_last`: the object comes before the verb. `apart`: words are written with blanks."""

    drop: str
    earlier: str
    orders: str
    show: str
    secret: str
    role: str
    verb_last: bool = False
    apart: bool = True


#: Keys are BCP 47 codes.
TONGUES: dict[str, Tongue] = {
    "de": Tongue(
        r"ignorier\w*|vergiss|vergessen sie|vergesst|missacht\w*|missachte\w*|übergeh\w*|überspring\w*|"
        r"verwirf|verwerfen|lass|lassen sie|beachte?\w* (?:\S+ ){0,6}nicht|befolge\w* (?:\S+ "
        r"){0,6}nicht|außer acht",

        r"(?:alle|alles|sämtliche\w*|jegliche\w*|vorherig\w*|vorig\w*|vorangegangen\w*|vorhergehend\w*|"
        r"bisherig\w*|obig\w*|frühere\w*|ursprünglich\w*|davor|zuvor|oben|bis jetzt|vorstehend\w*|"
        r"deine|ihre)",

        r"anweisung\w*|instruktion\w*|befehl\w*|vorgabe\w*|regel\w*|aufgabe\w*|auftr[aä]g\w*|prompts?|"
        r"richtlinien|anleitung\w*|aufforderung\w*|eingaben?|gesagte\w*|anordnung\w*|text\w*|angaben",

        r"zeig\w*|verrate?\w*|nenn\w*|gib|geben sie|gebe|druck\w*|wiederhol\w*|schreib\w*|sag\w*|"
        r"offenbar\w*|wie lautet|was ist|was sind|bestätig\w*",

        r"system-?prompt\w*|passw[oö]rt\w*|kennwort\w*|geheim\w* schlüssel|geheimnis\w*|(?:deine|ihre|"
        r"ursprüngliche\w*) (?:anweisung\w*|instruktion\w*|regeln)",

        r"du bist (?:jetzt|nun|ab sofort)|(?:sie sind|ihr seid) (?:jetzt|nun|ab sofort)|ab (?:jetzt|"
        r"sofort) (?:bist|wirst|antworte\w*|sollst|sprichst)|stell\w* dir vor,? du (?:bist|wärst)|tu "
        r"so,? als|spiele?n? (?:sie )?die rolle",
    ),
    "fr": Tongue(
        r"ignor(?:e|ez|er)|oubli(?:e|ez|er)|néglige[rz]?|(?:ne |n')(?:tiens|tenez|tenir) (?:pas "
        r")?compte|fais abstraction|faites abstraction|laisse[rz]? tomber|passe[rz]? outre|ne (?:suis|"
        r"suivez) (?:pas|plus)",

        r"(?:toutes?|tous|tout|précédent\w*|antérieur\w*|ci-dessus|préalable\w*|initial\w*|d'avant|"
        r"au-dessus|plus haut|reçues?|existant\w*|vos|tes)",

        r"instructions?|consignes?|ordres?|directives?|règles?|commandes?|prompts?|indications?|ce "
        r"qu(?:e |'on )\w+|texte|tâches?|demandes?",

        r"montre\w*|révèle\w*|révél\w*|affiche\w*|donne\w*|dis|dites|répète\w*|répét\w*|imprime\w*|"
        r"écri[st]\w*|quel(?:le)? est|partage\w*|confirme\w*",

        r"prompt (?:système|initial)|invite système|mot de passe|clé secrète|secrets?|(?:tes|vos) "
        r"instructions|instructions (?:initiales|système)",

        r"(?:tu es|vous êtes) (?:maintenant|désormais|dorénavant)|(?:à partir de maintenant|désormais|"
        r"dorénavant),? (?:tu|vous)|(?:imagine|fais comme si|faites comme si) (?:que )?(?:tu|vous)|"
        r"joue[rz]? le rôle",
    ),
    "es": Tongue(
        r"ignor(?:a|e|en|ar|es)|olvid(?:a|e|en|ar|es|ate|ese|emos)|descart(?:a|e|ar)|omit(?:e|a|ir)|"
        r"desestim\w+|haz caso omiso|hag(?:a|an) caso omiso|no (?:sigas|siga|hagas caso|tengas en "
        r"cuenta|tenga en cuenta)|pasa por alto|pase por alto",

        r"(?:tod[oa]s?|anterior(?:es)?|previ[oa]s?|precedentes?|de arriba|antes|iniciales?|originales?|"
        r"tus|sus|existentes)",

        r"instrucci(?:ones|ón)|indicaci(?:ones|ón)|[óo]rdenes|directrices|directivas?|reglas?|"
        r"comandos?|prompts?|mensajes?|lo que (?:te|se|le) \w+|lo anterior|tareas?|texto",

        r"muestra|muéstra\w*|muestre|revela|revele|revélame|di|dime|dame|deme|dígame|repite|repita|"
        r"imprime|imprima|escribe|escriba|cuál es|comparte|confirma",

        r"prompt (?:del sistema|inicial)|mensaje del sistema|contraseña|clave secreta|secretos?|(?:tus|"
        r"sus) instrucciones|instrucciones (?:iniciales|del sistema)",

        r"(?:ahora|desde ahora|a partir de ahora),? (?:eres|serás|usted es|vas a|actúa|tú)|eres ahora|"
        r"imagina que eres|finge (?:que|ser)|actúa como|haz de cuenta",
    ),
    "it": Tongue(
        r"ignor(?:a|i|are|ate|ino)|dimentica(?:re|te|ti)?|dimentichi|trascura\w*|tralascia\w*|non "
        r"(?:considerare|seguire|tenere conto)|scarta\w*|lascia perdere|lasci perdere",
        r"(?:tutt[eio]|precedent[ei]|sopra|prima|iniziali|originali|preced\w+|le tue|tue|sue|esistenti|finora)",

        r"istruzion[ei]|indicazion[ei]|ordin[ei]|direttiv[ea]|regol[ea]|comand[oi]|prompt|quanto "
        r"(?:detto|sopra)|ciò che \w+|compit[oi]|messagg[io]\w*|testo",

        r"mostra\w*|rivela\w*|di[mr]mi|dammi|ripeti|stampa|scrivi|qual è|quali sono|condividi|conferma|"
        r"mi dica|fornisci\w*",

        r"prompt (?:di sistema|iniziale)|password|chiave segreta|segret[oi]|(?:le )?tue istruzioni|"
        r"istruzioni (?:iniziali|di sistema)|parola d'ordine",

        r"(?:ora|adesso|d'ora in poi|da ora in poi),? (?:sei|sarai|lei è|devi|ti)|sei ora|sei adesso|"
        r"fai finta di|fingi di|immagina di essere|agisci come|comportati come",
    ),
    "pt": Tongue(
        r"ignor(?:e|a|em|ar|es)|esque[cç](?:a|e|er|am|o)|desconsider(?:e|a|ar)|desprez(?:e|a)|descarte|"
        r"não (?:siga|sigas|considere)|deixe de lado|pule",

        r"(?:tod[oa]s?|tudo|anterior(?:es)?|prévi[oa]s?|acima|antes|precedentes?|iniciais|originais|"
        r"suas|tuas|existentes)",

        r"instruç(?:ões|ão)|ordens|diretrizes|diretivas?|regras?|comandos?|prompts?|orientaç(?:ões|ão)|"
        r"o que (?:foi|te|lhe) \w+|indicações|mensagens|texto|tarefas?",

        r"mostre|mostra|revele|revela|diga|diz|dê|dá|dê-me|diga-me|repita|repete|imprima|imprime|"
        r"escreva|escreve|qual (?:é|e)|compartilhe|partilhe|confirme",

        r"prompt (?:do sistema|inicial)|mensagem do sistema|senha|palavra-passe|chave secreta|"
        r"segredos?|(?:suas|tuas) instruções|instruções (?:iniciais|do sistema)",

        r"(?:agora|a partir de agora|de agora em diante),? (?:você é|tu és|és|você será|você vai|aja|"
        r"responda)|você (?:é|agora é) agora|finja (?:que|ser)|imagine que você|aja como|faça de conta",
    ),
    "nl": Tongue(
        r"negeer|negeren|vergeet|vergeten|sla (?:\S+ ){0,4}over|laat (?:\S+ ){0,5}(?:buiten "
        r"beschouwing|varen)|schenk geen aandacht|volg (?:\S+ ){0,5}niet",

        r"(?:alle|alles|vorige|voorgaande|eerdere|bovenstaande|voorafgaande|oorspronkelijke|bestaande|"
        r"je|jouw|uw|hierboven)",

        r"instructies?|opdracht(?:en)?|aanwijzing(?:en)?|regels?|bevel(?:en)?|richtlijn(?:en)?|"
        r"prompts?|wat (?:je|er|ik) \w+|commando's",
        r"toon|laat (?:\S+ )?zien|onthul|geef|vertel|herhaal|print|schrijf|wat is|wat zijn|deel|bevestig",

        r"systeem-?prompt|wachtwoord|geheime sleutel|geheim(?:en)?|(?:je|jouw|uw) instructies|"
        r"(?:oorspronkelijke|initiële) instructies",

        r"(?:je|jij|u) bent (?:nu|vanaf nu|voortaan)|(?:vanaf nu|voortaan),? (?:ben|antwoord|moet|zul)|"
        r"doe alsof|stel je voor dat (?:je|jij)|gedraag je als",
    ),
    "pl": Tongue(
        r"zignoruj\w*|ignoruj\w*|zapomnij\w*|pomi[ńn]\w*|odrzuć|nie (?:zwracaj uwagi|stosuj się|"
        r"przestrzegaj)|lekceważ",

        r"(?:wszystkie|wszystko|wszelkie|poprzedni\w*|wcześniejsz\w*|powyższ\w*|dotychczasow\w*|"
        r"pierwotn\w*|swoje|twoje)",
        r"instrukcj\w*|polece\w*|poleceni\w*|zasad\w*|reguł\w*|wytyczn\w*|rozkaz\w*|prompt\w*|komend\w*|zalece\w*",
        r"pokaż|ujawnij|podaj|powiedz|powtórz|wypisz|wydrukuj|napisz|jakie (?:jest|są)|zdradź|potwierdź",

        r"prompt\w* systemow\w*|hasło|hasła|tajny klucz|sekret\w*|(?:swoje|twoje) instrukcj\w*|"
        r"instrukcj\w* systemow\w*",

        r"(?:jesteś|będziesz) (?:teraz|od teraz)|(?:od teraz|teraz),? (?:jesteś|będziesz|odpowiadaj)|"
        r"udawaj,? że|wyobraź sobie,? że jesteś|wciel się",
    ),
    "tr": Tongue(
        r"yok say\w*|görmezden gel\w*|unut\w*|dikkate alma\w*|göz ardı et\w*|boş ?ver|es geç\w*|iptal et|uyma\w*",

        r"(?:önceki|yukarıdaki|tüm|bütün|daha önceki|şimdiye kadarki|ilk|mevcut|eski|sana verilen|size "
        r"verilen|verilen|verdiğim)",
        r"talimat\w*|yönerge\w*|komut\w*|emir\w*|emr\w*|kural\w*|istem\w*|prompt\w*|söylenen\w*|mesaj\w*",
        r"göster\w*|açıkla\w*|söyle\w*|ver|verin|ver misin|tekrarla\w*|yazdır\w*|yaz|nedir|paylaş\w*|onayla\w*",
        r"sistem (?:istem\w*|prompt\w*|mesaj\w*|talimat\w*)|şifre\w*|parola\w*|gizli anahtar\w*|talimatlarını",
        r"(?:artık|şu andan itibaren|bundan sonra|şimdi),? (?:sen|siz)|(?:gibi davran|rolünü üstlen|rol yap)\w*",
        verb_last=True,
    ),
    "vi": Tongue(
        r"bỏ qua|quên|phớt lờ|lờ đi|không (?:tuân theo|làm theo|để ý)|gạt bỏ|đừng (?:làm theo|tuân theo|để ý)",
        r"(?:tất cả|mọi|các|những|trước|trên|trước đó|trước đây|ban đầu|ở trên)",
        r"hướng dẫn|chỉ dẫn|chỉ thị|lệnh|quy tắc|yêu cầu|mệnh lệnh|chỉ đạo|những gì",
        r"cho (?:tôi|tao|mình) (?:biết|xem)|hiển thị|tiết lộ|in ra|nói|lặp lại|viết|cung cấp|chia sẻ|xác nhận",

        r"mật khẩu|lời nhắc hệ thống|chìa khóa bí mật|khóa bí mật|bí mật|hướng dẫn (?:hệ thống|ban "
        r"đầu)|system prompt",

        r"(?:bây giờ|từ giờ|từ bây giờ|kể từ bây giờ),? (?:bạn|mày)|bạn (?:là|bây giờ là|giờ là) \S+ "
        r"(?:không có|không bị)|giả vờ|đóng vai|hãy tưởng tượng bạn",
    ),
    "ru": Tongue(
        r"игнорир\S*|проигнорир\S*|забудь\S*|забыть|забуд\S*|не обращай\S* внимания|отбрось\S*|"
        r"пренебрег\S*|не следуй\S*|не выполняй\S*|отмени\S*|пропусти\S*|не учитывай\S*",

        r"(?:все|всё|всех|всем|предыдущ\S*|прошл\S*|прежн\S*|вышеуказанн\S*|вышеизложенн\S*|выше|ранее|"
        r"до этого|первоначальн\S*|исходн\S*|свои|ваши|твои|данные)",

        r"инструкци\S*|указани\S*|команд\S*|правил\S*|приказ\S*|промпт\S*|запрос\S*|директив\S*|что "
        r"\S+|сказанн\S*|задани\S*|установк\S*",

        r"покажи\S*|раскрой\S*|выведи\S*|напечатай\S*|повтори\S*|скажи\S*|назови\S*|дай\S*|сообщи\S*|"
        r"напиши\S*|какой|каков\S*|какая|подтверди\S*|поделись",

        r"системн\S* (?:промпт|запрос|сообщени|инструкци)\S*|парол\S*|секретн\S* ключ\S*|секрет\S*|"
        r"(?:свои|ваши|твои) инструкци\S*",

        r"(?:теперь|отныне|с этого момента|сейчас),? (?:ты|вы)|ты теперь|вы теперь|представь,? что ты|"
        r"притворись|веди себя как|действуй как|сыграй роль",
    ),
    "ar": Tongue(
        r"تجاهل\S*|انس[ىَ]?|انسى|انسَ|تناس\S*|تغاض\S*|لا تتبع|تجاوز|اهمل|أهمل|إلغاء",
        r"(?:جميع|كل|كافة|السابق\S*|أعلاه|اعلاه|الأولية|الأصلية|قبل|المذكورة|ما)",
        r"ال?تعليم\S*|ال?أوامر|ال?اوامر|ال?إرشاد\S*|ال?ارشاد\S*|ال?توجيه\S*|ال?قواعد|ما قيل|ال?موجه|ال?تعليمات",
        r"اعرض|أظهر|اظهر|اكشف|أخبرني|اخبرني|أعطني|اعطني|كرر|اطبع|اكتب|ما هي|ما هو|شارك\S*",
        r"كلم[ةه] (?:السر|المرور)|المفتاح السري|مطالبة النظام|موجه النظام|تعليمات النظام|تعليماتك|كلمة سر\S*",
        r"(?:أنت|انت) (?:الآن|الان)|من الآن فصاعدا\S*|تظاهر|تخيل أنك|تصرف ك\S*",
    ),
    "hi": Tongue(
        r"अनदेखा कर\S*|नज़रअंदाज़ कर\S*|नजरअंदाज कर\S*|भूल जा\S*|उपेक्षा कर\S*|ध्यान न दें|पालन न करें|"
        r"अनदेखी कर\S*|छोड़ दें",
        r"(?:पिछल\S*|पहले|सभी|सब|पूर्व|ऊपर|उपरोक्त|दिए गए|पुराने)",
        r"निर्देश\S*|आदेश\S*|नियम\S*|अनुदेश\S*|प्रॉम्प्ट|हिदायत\S*|इंस्ट्रक्शन\S*",
        r"दिखा\S*|बता\S*|प्रकट कर\S*|दोहरा\S*|लिख\S*|दें|दो|क्या है|साझा कर\S*|पुष्टि कर\S*",
        r"पासवर्ड|सिस्टम प्रॉम्प्ट|गुप्त कुंजी|गुप्त|रहस्य|सिस्टम निर्देश",
        r"अब (?:आप|तुम|से आप|से तुम)|अभिनय कर|दिखावा कर|कल्पना कर\S* कि (?:आप|तुम)",
        verb_last=True,
    ),
    "bn": Tongue(
        r"উপেক্ষা কর\S*|ভুলে যা\S*|অগ্রাহ্য কর\S*|এড়িয়ে যা\S*|বাদ দি\S*",
        r"(?:পূর্ববর্তী|আগের|পূর্বের|সমস্ত|সকল|সব|উপরের)",
        r"নির্দেশ\S*|আদেশ\S*|নিয়ম\S*|প্রম্পট\S*",
        r"দেখা\S*|বল\S*|প্রকাশ কর\S*|লিখ\S*|দিন|দাও|কি|কী|নিশ্চিত",
        r"পাসওয়ার্ড\S*|গোপন কী|গোপন চাবি|সিস্টেম প্রম্পট",
        r"(?:এখন থেকে|এখন) (?:আপনি|তুমি)",
        verb_last=True,
    ),
    "zh": Tongue(
        r"忽略|无视|忽視|無視|忘记|忘記|忘掉|不要理会|不要理會|不理会|抛开|拋開|不要遵守|不要遵循|不要管|跳过|撤销|覆盖|推翻|摒弃|放弃",
        r"(?:之前|以前|先前|前面|上面|以上|此前|原来|原來|原有|所有|全部|一切|任何|上述|你的|您的|这些|上文)",
        r"指令|指示|说明|說明|规则|規則|提示|命令|要求|内容|內容|指引|话|設定|设定|约束|限制",
        r"显示|顯示|透露|泄露|洩露|告诉我|告訴我|输出|輸出|重复|重複|打印|写出|給我|给我|什么是|列出|公开|说出",
        r"系统提示|系統提示|系统指令|密码|密碼|口令|密钥|密鑰|初始指令|秘密|提示词|提示詞",
        r"(?:你现在|你現在|现在你|現在你|从现在开始|從現在開始|从现在起|從現在起)(?:，|,)?(?:你)?(?:是|将|會|会|要|就是|扮演)|假装你|假裝你|扮演|进入开发者模式|開發者模式",
        apart=False,
    ),
    "ja": Tongue(
        r"無視|忘れ|破棄|従わない|従わず|取り消|スキップ",
        r"(?:以前|これまで|前|上記|先ほど|先程|すべて|全て|今まで|元|最初|事前|上)",
        r"指示|命令|指図|ルール|規則|プロンプト|制約|設定|文章|内容",
        r"表示|教え|開示|出力|繰り返|見せ|明かし|書い|何です|共有|確認",
        r"システムプロンプト|パスワード|秘密の鍵|秘密鍵|シークレット|初期指示|暗証番号",
        r"(?:あなたは|君は|お前は)(?:今|これ|今後)|(?:今から|これから|今後)、?(?:あなた|君|お前)|ふりをし|役を演じ|なりきっ",
        verb_last=True,
        apart=False,
    ),
    "ko": Tongue(
        r"무시|잊어|잊으|잊고|따르지 ?마|따르지 ?말|취소하",
        r"(?:이전|위|앞|모든|지금까지|기존|원래|처음|앞선|사전|상기|전)",
        r"지시|명령|지침|규칙|프롬프트|안내|설정|내용|말",
        r"보여|알려|공개|출력|말해|반복|써|뭐|무엇|공유|줄래|확인|줘",
        r"시스템 ?프롬프트|비밀번호|암호|비밀 ?키|시크릿|초기 ?지시|패스워드",
        r"(?:너는|당신은|넌) (?:이제|지금부터)|(?:지금부터|이제부터|이제),? (?:너|당신|넌)|"
        r"인 ?척|역할을 ?(?:해|맡|수행)",
        verb_last=True,
    ),
}  # fmt: skip

#: What stands before a word.
START = r"(?:^|[\s\"'(>*_:,.;!?¡¿/-])"
#: What inflection adds to a stem.
_REST = r"[^\s.,;:!?\"'`*>#|/\\+]*"
_CJK_GAP = r"[^\s。.!?！？]{0,12}?"


def _cues(tongue: Tongue) -> tuple[Cue, ...]:
    rest = _REST if tongue.apart else ""
    earlier, orders = f"(?:{tongue.earlier})", f"(?:{tongue.orders}){rest}"
    start = START if tongue.apart else ""
    near, gap = (" ~5", " ~4") if tongue.apart else (f" ?{_CJK_GAP}", f" ?{_CJK_GAP}")
    what = one_of(f"{earlier}{gap}{orders}", f"{orders}{gap}{earlier}")
    verb = f"(?:{tongue.drop})"
    order = f"{what}{near}{verb}" if tongue.verb_last else f"{verb}{near}{what}"
    twice = f"{earlier}{gap}{earlier}{near}{verb}" if tongue.verb_last else f"{verb}{near}{earlier}{gap}{earlier}"
    bare = f"{orders}{near}{verb}" if tongue.verb_last else f"{verb}{near}{orders}"
    shown = rf"(?:{tongue.secret}){near}(?:{tongue.show})"
    asked = rf"(?:{tongue.show}){near}(?:{tongue.secret})"
    return (
        Cue("override", 5, start + order),
        Cue("override", 4, start + twice),
        Cue("override", 2, start + bare),
        Cue("reveal", 3, start + one_of(shown, asked) if tongue.verb_last else start + asked),
        Cue("role", 3, start + f"(?:{tongue.role})"),
    )


def _first(tongue: Tongue) -> tuple[str, ...]:
    """Beginnings that every cue of a language has, without what may stand before its first word."""
    what = one_of(tongue.earlier, tongue.orders)
    if tongue.verb_last:
        orders: tuple[str, ...] = (f"{what} ~5(?:{tongue.drop})", f"(?:{tongue.secret}) ~5(?:{tongue.show})")
    else:
        orders = (f"(?:{tongue.drop}) ~5{what}",)
    return (*orders, f"(?:{tongue.show}) ~5(?:{tongue.secret})", tongue.role)


#: An address to a model, before an order.
ADDRESSES = Cue(
    "addressed",
    4,
    one_of(
        r"(?:hinweis|nachricht|anweisung|achtung|notiz|mitteilung|wichtig)\w* (?:für|an) ~3(?:ki|"
        r"künstliche intelligenz|sprachmodell|assistent|chatbot)",
        r"(?:note|message|consigne|instruction|attention|remarque)s? (?:destiné\S+ |adressé\S+ "
        r")?(?:pour|aux?|à) ~3(?:ia\b|"
        r"intelligences? artificielles?|assistants?|modèles? de langage)",
        r"(?:nota|mensaje|instrucci(?:ón|ones)|aviso|atención|mensagem|instruç(?:ão|ões)|atenção|nota "
        r"bene|messaggio|istruzion[ei]|avviso) (?:para|a|per|ao?s?|alla?|agli|all') ?~3(?:la |las |os |"
        r"as |gli |l')?(?:ia\b|inteligencia artificial|inteligência artificial|intelligenza "
        r"artificiale|asistentes?|assistent[ei]s?|modelos? de|modell[io] linguistic)",
        r"(?:opmerking|bericht|instructie|let op) voor ~3(?:ai\b|assistent|taalmodel)|(?:uwaga|"
        r"wiadomość|instrukcja) dla ~3(?:ai\b|asystent\w*|modeli? językow)",
        r"(?:сообщение|инструкци\S*|примечание|внимание|заметка) (?:для|к) ~3(?:ии\b|искусственн|"
        r"ассистент|помощник|языков\S+ модел)",
        r"(?:致|给|給|请|請|注意)[^\s*。]{0,6}(?:人工智能|ai ?助手|语言模型|語言模型|大模型|智能助手)"
        r"(?:助手|们|們|的)?(?:指示|消息|留言|说明|說明|提示|注意)?(?:[:,]|：|，)|"
        r"(?:ai|人工知能)(?:アシスタント|モデル|の皆|"
        r"への)[^\s。]{0,8}(?:指示|注意|お願い|へ)|ai ?(?:어시스턴트|비서|모델)[^\s.]{0,6}(?:에게|지시|주의)",
        r"(?:ملاحظة|رسالة|تعليمات|تنبيه) (?:إلى|ل|الى)\S* ~2(?:الذكاء|المساعد|نموذج|مساعد)",
    ),
)

_NEW = Cue(
    "new_orders",
    3,
    one_of(
        r"neue\w* (?:anweisung|instruktion|aufgabe|befehl)\w*|nouvelles? (?:instructions?|consignes?|"
        r"directives?)|nuev[ao]s? (?:instrucci|[óo]rdene?s|tarea)\w*|nuov[ei] (?:istruzion|ordin|"
        r"direttiv)\w+",
        r"novas? (?:instruç|orden|diretriz|tarefa)\w*|nieuwe (?:instructie|opdracht)\w*|now\w+ "
        r"(?:instrukcj|polece|zadani)\w*|yeni (?:talimat|görev|komut)\w*|нов\S+ (?:инструкци|указани|"
        r"задани|команд)\S*",
        r"hướng dẫn mới|(?:تعليمات|أوامر) جديدة|नए निर्देश|नया निर्देश|新的?(?:指令|指示|任务|任務)|新しい(?:指示|命令|"
        r"タスク)|새로운 (?:지시|명령|지침)",
    ),
)
#: Languages that no text in plain ASCII can be in.
_SCRIPTS = frozenset({"ru", "ar", "hi", "bn", "zh", "ja", "ko"})
LATIN: tuple[Cue, ...] = (
    *(cue for key, tongue in TONGUES.items() if key not in _SCRIPTS for cue in _cues(tongue)),
    ADDRESSES,
    _NEW,
)
#: Shorter than all of `LATIN`, and found wherever one of them is.
LATIN_FIRST = one_of(
    START + one_of(*(first for key, tongue in TONGUES.items() if key not in _SCRIPTS for first in _first(tongue))),
    ADDRESSES.pattern,
    _NEW.pattern,
)
OTHER_SCRIPTS: tuple[Cue, ...] = tuple(cue for key in sorted(_SCRIPTS) for cue in _cues(TONGUES[key]))
