/**
 * Written after all rules of the readers: one sentence each, less than half as long as the texts that these were tuned
 * on. Nothing is mended by it, so that its figures stay a forecast.
 */
export const FRESH: { language: string; encodings: string[]; text: string }[] = [
  {
    language: "ru",
    encodings: ["windows-1251", "koi8-r", "iso-8859-5", "cp866", "cp855", "maccyrillic"],
    text: "Суд оставил без изменений штраф перевозчику за опоздание парома, который простоял у причала почти сутки.",
  },
  {
    language: "uk",
    encodings: ["windows-1251", "koi8-u", "maccyrillic"],
    text: "У Чернівцях відкрили виставку іграшок, зроблених учнями сільських шкіл, і вхід на неї вільний до неділі.",
  },
  {
    language: "bg",
    encodings: ["windows-1251", "iso-8859-5", "maccyrillic", "cp866"],
    text: "Общината в Трявна търси доброволци за почистването на старата часовникова кула преди празника на града.",
  },
  {
    language: "el",
    encodings: ["windows-1253", "iso-8859-7"],
    text: "Ο δήμαρχος ζήτησε παράταση για τα έργα στην παλιά αγορά, επειδή βρέθηκαν τάφοι κάτω από τον δρόμο.",
  },
  {
    language: "he",
    encodings: ["windows-1255", "iso-8859-8"],
    text: "בית המשפט דחה את הבקשה לעצור את הבנייה ליד החוף, אבל חייב את היזם לשמור על שביל פתוח לציבור.",
  },
  {
    language: "th",
    encodings: ["windows-874"],
    text: "โรงเรียนในหมู่บ้านได้รับห้องสมุดใหม่จากเงินบริจาคของชาวบ้านหลังจากรอมานานหลายปี",
  },
  {
    language: "ja",
    encodings: ["shift_jis", "euc-jp", "iso-2022-jp"],
    text: "町議会は水道料金の値上げを来年四月まで見送り、古い配水管の工事を先に進めると決めた。",
  },
  {
    language: "ko",
    encodings: ["euc-kr", "cp949", "iso-2022-kr"],
    text: "군의회는 낡은 다리를 고치는 데 드는 예산을 내년으로 미루고 그동안 큰 차의 통행을 막기로 했다.",
  },
];
