/** Invented news in the languages that feeds come in: the first text of each is for tuning, the second is held out. */
export interface Texts {
  language: string;
  /** Encodings that text of this language is met in. */
  encodings: string[];
  texts: [tune: string, held: string];
}

export const TEXTS: Texts[] = [
  {
    language: "ru",
    encodings: ["windows-1251", "koi8-r", "iso-8859-5", "cp866", "cp855", "maccyrillic"],
    texts: [
      "Жители посёлка Каменка третий день остаются без воды: ночью прорвало главный водовод, построенный ещё в шестидесятые годы. По словам мэра Ольги Седовой, ремонт займёт не меньше недели, а пока воду привозят цистернами к школе и больнице.",
      "Рыбаки северного побережья вышли в море на две недели раньше обычного, потому что лёд сошёл уже в начале марта. Учёные института океанологии считают, что ранняя весна изменит пути трески, и советуют снизить дневной улов.",
    ],
  },
  {
    language: "uk",
    encodings: ["windows-1251", "koi8-u", "maccyrillic"],
    texts: [
      "Мешканці села Вільхівка вже третю добу не мають електрики після буревію, що повалив понад сорок опор. Енергетики обіцяють відновити живлення до п’ятниці, а школярів поки що навчають у сусідньому районному центрі.".replaceAll(
        "’",
        "'",
      ),
      "Міська рада Рівного вирішила закрити для автівок дві вулиці біля ринку, аби пішоходи мали більше місця. Підприємці побоюються, що покупці їхатимуть деінде, і просять хоча б відкласти рішення до осені.",
    ],
  },
  {
    language: "bg",
    encodings: ["windows-1251", "iso-8859-5", "maccyrillic"],
    texts: [
      "Кметът на Велинград обяви, че минералният плаж ще остане затворен до края на септември заради свлачище над басейните. Собствениците на хотели настояват за обезщетение и твърдят, че вече са загубили половината от резервациите си.",
      "Учените от института по розата в Казанлък съобщиха, че тазгодишната реколта ще бъде с една трета по-малка от миналогодишната. Причината е късният мраз през април, който попари пъпките точно преди цъфтежа.",
    ],
  },
  {
    language: "sr",
    encodings: ["windows-1251", "iso-8859-5"],
    texts: [
      "Градско веће Ужица одлучило је да стара железничка станица постане библиотека и да се парк око ње продужи до реке. Радови почињу у јуну, а становници су тражили да се липе посађене пре рата не секу.",
      "Пољопривредници из Бачке кажу да суша већ трећу годину заредом односи трећину кукуруза. Министар је најавио помоћ од двеста динара по хектару, што удружење сматра увредом.",
    ],
  },
  {
    language: "el",
    encodings: ["windows-1253", "iso-8859-7"],
    texts: [
      "Οι κάτοικοι του νησιού ζητούν να ανοίξει ξανά το μικρό νοσοκομείο που έκλεισε πριν από δύο χρόνια. Ο υπουργός Υγείας υποσχέθηκε δύο γιατρούς έως το τέλος του μήνα, όμως ο δήμαρχος απαντά ότι χρειάζονται τουλάχιστον πέντε.",
      "Η πυρκαγιά στο πευκοδάσος πάνω από το λιμάνι τέθηκε υπό έλεγχο το πρωί, αφού έκαψε σαράντα στρέμματα και τρεις αποθήκες. Κανείς δεν τραυματίστηκε, αλλά ο δρόμος προς την πόλη παραμένει κλειστός για τα φορτηγά.",
    ],
  },
  {
    language: "he",
    encodings: ["windows-1255", "iso-8859-8"],
    texts: [
      "עיריית חיפה הודיעה כי הקו החדש של הרכבל ייפתח רק בחורף הבא, כחצי שנה אחרי המועד שנקבע. לדברי ראש העירייה העיכוב נובע ממחסור בחלקים, אך התושבים טוענים שאיש לא סיפר להם על כך מראש.",
      "חקלאים בעמק הירדן קוטפים השנה את התמרים מוקדם מן הרגיל בגלל גל החום של אוגוסט. במועצה המקומית אומרים שהיבול קטן אמנם ברבע, אבל המחיר לקילו עלה והנזק יהיה נמוך מן הצפוי.",
    ],
  },
  {
    language: "ar",
    encodings: ["windows-1256", "iso-8859-6"],
    texts: [
      "أعلنت بلدية المدينة أن الجسر القديم سيبقى مغلقا حتى نهاية الشهر المقبل بسبب أعمال الصيانة. وقال رئيس البلدية إن الحافلات ستسلك الطريق الساحلي وإن المدارس القريبة ستفتح أبوابها متأخرة نصف ساعة.",
      "تراجع إنتاج القمح في السهل الشمالي بنحو الثلث هذا العام بعد شتاء قليل المطر. ويطالب المزارعون الحكومة بشراء ما تبقى من المحصول بسعر ثابت قبل أن يبيعوا مواشيهم لسداد الديون.",
    ],
  },
  {
    language: "tr",
    encodings: ["windows-1254", "iso-8859-9"],
    texts: [
      "Belediye meclisi, eski balık pazarının yıkılıp yerine üç katlı bir otopark yapılmasını öngören kararı oy çokluğuyla kabul etti. Esnaf ise mağdur olacağını söylüyor ve kararın iptali için idare mahkemesine başvurmaya hazırlanıyor.",
      "Göldeki su seviyesi geçen yıla göre iki metre düştü; balıkçılar teknelerini kıyıya çekmek zorunda kaldı. Uzmanlar, yağışlı geçecek bir kışın bile açığı kapatmayacağını, sulamanın azaltılması gerektiğini belirtiyor.",
    ],
  },
  {
    language: "pl",
    encodings: ["windows-1250", "iso-8859-2"],
    texts: [
      "Strażacy przez całą noc gasili pożar tartaku pod Łomżą; ogień zniszczył dwie hale i część składu drewna. Właściciel ocenia straty na cztery miliony złotych i mówi, że załoga wróci do pracy najwcześniej w styczniu.",
      "Rada gminy zgodziła się, żeby dawną szkołę w Wądołach przekształcić w dom dla seniorów. Mieszkańcy chcą jednak, aby boisko pozostało dostępne dla dzieci, i zbierają podpisy pod petycją do wojewody.",
    ],
  },
  {
    language: "cs",
    encodings: ["windows-1250", "iso-8859-2"],
    texts: [
      "Dělníci začali opravovat kamenný most přes Otavu, který loni poškodila povodeň. Řidiči musejí až do října jezdit objížďkou přes sousední městečko, chodcům město zřídilo přívoz zdarma.",
      "Včelaři na Vysočině přišli během zimy téměř o polovinu včelstev. Podle veterinářů za to může roztoč, který se rozšířil kvůli teplému podzimu; kraj přispěje na léčení šesti sty korunami na úl.",
    ],
  },
  {
    language: "hu",
    encodings: ["windows-1250", "iso-8859-2"],
    texts: [
      "A győri önkormányzat úgy döntött, hogy jövő tavasszal újra megnyitja a régi gőzfürdőt, amelyet tíz éve zártak be. A felújítás költségét részben uniós pénzből fedezik, a jegyek ára várhatóan kétezer forint lesz.",
      "Árvízvédelmi készültséget rendeltek el a Tisza felső szakaszán, miután két nap alatt száz milliméter eső esett. A szakemberek szerint a tetőzés csütörtök éjjel várható, a töltések egyelőre jól bírják a nyomást.",
    ],
  },
  {
    language: "ro",
    encodings: ["windows-1250", "iso-8859-2"],
    texts: [
      "Primăria a închis traficul pe podul vechi după ce inginerii au găsit fisuri în două grinzi. Circulaţia va fi deviată până în noiembrie, iar părinţii elevilor cer autobuze în plus pentru şcoala de peste râu.",
      "Culesul viilor a început cu trei săptămâni mai devreme, spun podgorenii din Vrancea. Seceta a redus producţia, însă strugurii sunt dulci şi specialiştii aşteaptă un an bun pentru vinurile roşii.",
    ],
  },
  {
    language: "hr",
    encodings: ["windows-1250"],
    texts: [
      "Gradska uprava Šibenika najavila je da će trajekt prema otocima od ljeta voziti i noću, što su iznajmljivači tražili godinama. Cijena karte neće rasti, ali će se mjesta za automobile morati rezervirati.",
      "Požar koji je jučer izbio na južnoj strani otoka ugašen je tek pred zoru uz pomoć dvaju kanadera. Izgorjelo je šezdeset hektara borove šume, a načelnik općine tvrdi da ga je netko podmetnuo.",
    ],
  },
  {
    language: "lt",
    encodings: ["windows-1257"],
    texts: [
      "Kauno taryba nusprendė, kad senamiesčio gatvėmis nuo gegužės važiuos tik elektriniai autobusai. Vežėjai skundžiasi, jog įkrovimo stotelių trūksta, o naujų mašinų teks laukti ilgiau nei metus.",
      "Šią žiemą Kuršių marios užšalo tik trims savaitėms, todėl žvejai neteko didelės dalies pajamų. Mokslininkai įspėja, kad stintų ateityje bus dar mažiau, nes vanduo šyla greičiau, nei manyta.",
    ],
  },
  {
    language: "de",
    encodings: ["windows-1252", "macintosh"],
    texts: [
      "Die Fähre zwischen Wyk und Dagebüll fährt seit gestern nur noch alle drei Stunden, weil zwei Kapitäne erkrankt sind. Für Ärzte und Schüler hält die Reederei täglich fünfzig Plätze frei; Urlauber müssen länger warten.",
      "Der Gemeinderat hat beschlossen, das frühere Gefängnis in Wohnungen für Studenten umzubauen. Zwölf Millionen Euro soll das kosten; die Grünen hätten lieber ein Museum über die Häftlinge der Kriegsjahre gesehen.",
    ],
  },
  {
    language: "fr",
    encodings: ["windows-1252", "macintosh"],
    texts: [
      "Le conseil municipal a voté la fermeture de la piscine découverte jusqu'à l'été prochain. Les travaux coûteront près de trois millions, et l'opposition reproche au maire d'avoir caché l'état des bassins pendant l'été.",
      "À peine rouverte, la ligne de chemin de fer entre la côte et la vallée a été coupée par un éboulement. Aucun blessé n'est à déplorer, mais les voyageurs devront emprunter des autocars jusqu'à la mi-février.",
    ],
  },
  {
    language: "es",
    encodings: ["windows-1252", "macintosh"],
    texts: [
      "El ayuntamiento reabrirá en otoño la antigua estación, cerrada desde hace catorce años, como mercado de productores. Los vecinos pedían un colegio; la alcaldesa respondió que el solar es demasiado pequeño y ruidoso.",
      "Una avería dejó sin luz a nueve mil hogares de la comarca durante la madrugada más fría del año. La compañía explicó que el hielo rompió dos líneas y prometió indemnizar a quien lo solicite antes de marzo.",
    ],
  },
  {
    language: "sv",
    encodings: ["windows-1252"],
    texts: [
      "Kommunen vill bygga en ny bro över ån nästa år, men åkerägarna säger nej. Förslaget går nu till länsstyrelsen, som väntas höra både fiskare och ornitologer före jul.",
      "Älgjakten började sent på grund av värmen, och färre djur än väntat har fällts. Jägarna tror att vargarna har ökat, medan forskarna pekar på sjukdomar bland kalvarna.",
    ],
  },
  {
    language: "th",
    encodings: ["windows-874"],
    texts: [
      "เทศบาลเมืองประกาศปิดสะพานเก่าข้ามแม่น้ำเป็นเวลาสองเดือนเพื่อซ่อมแซมโครงเหล็กที่ผุกร่อน ประชาชนต้องใช้เรือข้ามฟากซึ่งให้บริการฟรีตั้งแต่หกโมงเช้าถึงสี่ทุ่ม ส่วนรถบรรทุกต้องอ้อมไปทางทิศเหนือ",
      "ชาวนาในจังหวัดภาคกลางเริ่มเก็บเกี่ยวข้าวเร็วกว่าปกติเพราะเกรงว่าน้ำจะท่วมในเดือนหน้า กรมชลประทานเตือนว่าระดับน้ำในเขื่อนสูงที่สุดในรอบสิบปี และจะต้องระบายน้ำเพิ่มในสัปดาห์นี้",
    ],
  },
  {
    language: "ja",
    encodings: ["shift_jis", "euc-jp", "iso-2022-jp"],
    texts: [
      "市は二十日、老朽化した図書館を駅前の商業ビルに移す計画を発表した。新しい図書館は夜九時まで開き、子ども向けの部屋も設ける。住民からは静かな環境が失われるとの声も上がっている。",
      "台風の影響で港に避難していた漁船およそ四十隻が、けさ一斉に漁を再開した。組合によると水揚げは例年の半分にとどまり、サンマの値段は来週さらに上がる見通しだという。",
    ],
  },
  {
    language: "ko",
    encodings: ["euc-kr", "cp949", "iso-2022-kr"],
    texts: [
      "시는 낡은 시외버스 터미널을 헐고 그 자리에 공원과 작은 도서관을 짓기로 했다. 공사는 내년 봄에 시작되며 상인들은 임시 매장을 마련해 달라고 요구하고 있다. 시장은 이달 안에 답하겠다고 말했다.",
      "올여름 가뭄으로 저수지의 물이 절반 아래로 줄자 농민들은 모내기를 열흘이나 늦췄다. 기상청은 다음 주에도 비가 적을 것으로 내다봤고 도는 급수차 서른 대를 마을로 보내기로 했다.",
    ],
  },
  {
    language: "zh-Hans",
    encodings: ["gb18030"],
    texts: [
      "市政府决定从下个月起在老城区试行单双号限行，以减轻桥梁施工带来的拥堵。公交公司将增开十二条临时线路，学生凭证可以免费乘车，但不少商户担心客人会因此减少。",
      "受连日暴雨影响，山区三个村庄的道路被泥石流阻断，救援人员只能步行运送药品和粮食。气象部门预计雨势将在周四减弱，受困的两百多名居民目前没有生命危险。",
    ],
  },
  {
    language: "zh-Hant",
    encodings: ["big5"],
    texts: [
      "市議會昨天通過預算，同意將舊火車站改建為圖書館，工程預計兩年完成。附近居民擔心噪音與停車問題，市長表示將先舉行三場說明會，再決定施工時間。",
      "受到颱風外圍環流影響，東部山區連續三天下起豪雨，兩條公路因落石中斷。縣政府已撤離一百多名居民，農民則擔心即將採收的柚子會大量掉落。",
    ],
  },
];

/** Articles for pages: what stands in them is wanted, whatever stands around it. */
export interface Story {
  language: string;
  title: string;
  byline: string;
  paragraphs: string[];
}

export const STORIES: Story[] = [
  {
    language: "en",
    title: "Harbour pilots walk out over night shifts",
    byline: "Nora Whitfield",
    paragraphs: [
      "HARWICK (Coastwire) — Pilots at the country's second port stopped work at midnight after talks on night shifts broke down, leaving eleven container ships at anchor in the roads and two ferries without a berth.",
      'The pilots\' association says its members now guide twice as many ships in the dark as five years ago, with the same crew. "We do not ask for money," said its chair, Ines Calder. "We ask for sleep."',
      "The harbour board answered that it had offered four new posts from October and could not create more before the new fairway was dredged. It called the walkout irresponsible and said it would go to court on Thursday.",
      "Importers of fruit were the first to complain. Around 3,000 tonnes of bananas are on board two of the waiting ships, and cooling them costs $18,000 a day, according to the traders' federation.",
      "The last strike of pilots in Harwick, in 2009, lasted six days and ended when the transport minister put both sides into one room and took away their telephones.",
    ],
  },
  {
    language: "en",
    title: "Vaccine plant to open a year late",
    byline: "Tobias Lamb",
    paragraphs: [
      "The vaccine plant outside Merrow will not open before the autumn of next year, its owner said on Tuesday, because the water of the region holds more manganese than the filters were built for.",
      "New filters have been ordered, but their only maker has a waiting list of nine months. Until then the 240 people who were hired for the plant will be trained at the firm's other site.",
      "The county had paid a fifth of the cost on the promise that the first doses would leave the plant this winter. A spokeswoman said the grant would not be asked back if production begins by December of next year.",
      "Read more than one report before you judge, the firm's head of research told the council: the water had been tested twice, and both laboratories had found nothing unusual at the time.",
      "Doctors in the county do not expect a shortage. The doses for the coming season were bought abroad in spring, and stocks cover about nine in ten of those who are advised to be vaccinated.",
    ],
  },
  {
    language: "de",
    title: "Stadtwerke stellen den letzten Kohlekessel ab",
    byline: "Jette Hansohm",
    paragraphs: [
      "Mit einem Knopfdruck ist am Montag in Brenkhausen der letzte Kohlekessel der Stadtwerke vom Netz gegangen. Künftig wärmen Abwasser aus dem Klärwerk und eine Anlage für Holzreste die rund neuntausend Haushalte.",
      "Der Umbau hat sechs Jahre gedauert und 74 Millionen Euro gekostet, ein Drittel mehr als geplant. Die Geschäftsführerin begründet das mit gestiegenen Preisen für Rohre und mit Funden aus der Römerzeit unter dem Marktplatz.",
      "Für die Kunden steigt der Preis zum Januar um vier Prozent. Der Mieterbund nennt das vertretbar, verlangt aber, dass die Stadtwerke offenlegen, wie viel sie an der Wärme verdienen.",
      "Von den 31 Beschäftigten des alten Kraftwerks bleiben 22. Die anderen gehen in den Ruhestand oder zum Klärwerk, Kündigungen gab es nicht.",
    ],
  },
  {
    language: "fr",
    title: "La vallée retrouve son train de nuit",
    byline: "Maëlle Kerguen",
    paragraphs: [
      "Après sept ans d'interruption, le train de nuit entre la capitale et la vallée de l'Ourse circulera de nouveau à partir du 14 décembre, trois fois par semaine. Les billets ont été mis en vente jeudi matin.",
      "La région a acheté douze voitures d'occasion et les a fait rénover dans un atelier de la vallée, où quarante emplois ont été créés. Chaque rame offrira cent vingt couchettes et un espace pour les vélos.",
      "Les hôteliers se réjouissent, mais ils craignent que la ligne ne soit de nouveau coupée au printemps : le viaduc de Sarles doit être consolidé, et le gestionnaire du réseau n'a pas encore fixé la date des travaux.",
      "Le prix commence à 39 euros. Selon la région, il faudra remplir les deux tiers des couchettes pour que le train ne perde pas d'argent.",
    ],
  },
  {
    language: "es",
    title: "El embalse baja al nivel de 1995",
    byline: "Rocío Belmonte",
    paragraphs: [
      "El embalse de Peñarrasa guarda apenas el once por ciento de su capacidad, el nivel más bajo desde 1995, y el campanario del pueblo inundado vuelve a verse entero desde la carretera.",
      "La confederación ha prohibido regar los jardines y ha reducido a la mitad el agua para el maíz. Los agricultores calculan que perderán sesenta millones de euros y piden que se adelante el pago de los seguros.",
      "En los municipios de la ribera el suministro está asegurado hasta febrero, según el consejero. Si no llueve antes, el agua llegará en camiones, como hace treinta años.",
      'Los biólogos han trasladado cuatro mil peces a una laguna cercana. "No salvaremos todos, pero sí los que crían", explica la directora del parque.',
    ],
  },
  {
    language: "ru",
    title: "Мост через Сухону закрыли до весны",
    byline: "Глеб Авдеев",
    paragraphs: [
      "Движение по старому мосту через Сухону закрыто до конца апреля: обследование показало, что две опоры размыты сильнее, чем считалось. До переправы в соседнем районе теперь тридцать восемь километров.",
      "Власти обещают пустить паром, пока река не встанет, а затем проложить ледовую дорогу для легковых машин. Машины скорой помощи будут дежурить на обоих берегах, заявил глава округа.",
      "Предприниматели подсчитали, что объезд обойдётся лесопилкам в два миллиона рублей за месяц. Часть рабочих уже перевели на смену с ночёвкой, чтобы не возить людей каждый день.",
      "Новый мост был включён в программу ещё в 2014 году, но деньги на него трижды переносили. Проект придётся пересчитать, потому что цены на металл с тех пор выросли более чем вдвое.",
    ],
  },
];
