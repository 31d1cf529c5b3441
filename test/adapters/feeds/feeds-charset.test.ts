import iconv from "iconv-lite";
import { decodeDocument } from "../../../adapters/feeds/charset.ts";
import { parseFeed } from "../../../adapters/feeds/parse.ts";
import { about, rss } from "../../fixtures/feeds/read.ts";

const sentences = {
  western:
    "Über den Fluß führt eine Brücke aus dem Jahr 1890, gebaut für die Pferdebahn; ça coûte très cher à réparer, dit l’ingénieur.",
  russian:
    "Мост через реку построили в прошлом веке, и теперь его снова чинят: движение закрыто до осени, сообщила администрация города.",
  japanese: "川にかかる古い橋の修理が始まりました。工事は秋まで続き、車は通れません。市の担当者が発表しました。",
  chinese: "河上的旧桥开始维修，工程将持续到秋天，期间车辆不能通行，市政府工作人员昨天宣布了这个消息。",
  korean: "강 위의 오래된 다리를 고치기 시작했습니다. 공사는 가을까지 이어지며 차량은 다닐 수 없습니다.",
};
const document = (text: string, encoding: string | undefined, prolog = encoding) =>
  iconv.encode(
    `<?xml version="1.0"${prolog ? ` encoding="${prolog}"` : ""}?>\n<rss version="2.0"><channel><title>T</title><item><guid>g</guid><title>${text}</title></item></channel></rss>`,
    encoding ?? "utf-8",
  );
const titleOf = (bytes: Uint8Array, contentType?: string) =>
  parseFeed(bytes, { ...about, contentType }).items[0]!.title;

describe("declared encodings", () => {
  it.each<[string, keyof typeof sentences]>([
    ["utf-8", "russian"],
    ["windows-1251", "russian"],
    ["koi8-r", "russian"],
    ["iso-8859-5", "russian"],
    ["windows-1252", "western"],
    ["iso-8859-15", "western"],
    ["shift_jis", "japanese"],
    ["euc-jp", "japanese"],
    ["gb2312", "chinese"],
    ["gbk", "chinese"],
    ["gb18030", "chinese"],
    ["euc-kr", "korean"],
  ])("%s by the prolog, and by the transport alone", (encoding, language) => {
    const text = sentences[language].replaceAll("’", "'");
    expect(titleOf(document(text, encoding))).toBe(text);
    expect(titleOf(document(text, encoding, ""), `application/rss+xml; charset="${encoding}"`)).toBe(text);
  });

  it("ISO-8859-1 means Windows-1252, as everywhere on the web", () => {
    expect(titleOf(document("“quoted” – 5 €", "windows-1252", "ISO-8859-1"))).toBe("“quoted” – 5 €");
  });

  it("UTF-16 and UTF-32 by their mark, UTF-16 without one too", () => {
    for (const encoding of ["utf-16le", "utf-16be", "utf-32le", "utf-32be"]) {
      expect(
        titleOf(iconv.encode(document(sentences.russian, undefined, encoding).toString(), encoding, { addBOM: true })),
      ).toBe(sentences.russian);
    }
    for (const encoding of ["utf-16le", "utf-16be"]) {
      expect(
        titleOf(iconv.encode(document(sentences.russian, undefined, "utf-8").toString(), encoding, { addBOM: false })),
      ).toBe(sentences.russian);
    }
  });

  it("a meta element, even a late one", () => {
    const page = `<html><head><!-- ${"x".repeat(3_000)} --><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body>${sentences.russian}`;
    expect(decodeDocument(iconv.encode(page, "windows-1251")).text).toContain(sentences.russian);
  });
});

describe("wrong declarations", () => {
  it("a mark wins over the transport, the transport over the prolog", () => {
    expect(
      titleOf(
        Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), document(sentences.russian, "utf-8", "koi8-r")]),
        "text/xml; charset=windows-1251",
      ),
    ).toBe(sentences.russian);
    expect(titleOf(document(sentences.russian, "koi8-r", "windows-1251"), "text/xml; charset=koi8-r")).toBe(
      sentences.russian,
    );
  });

  it("UTF-8 that claims to be something else", () => {
    for (const claim of ["ISO-8859-1", "windows-1252", "us-ascii", "koi8-r", "utf-16", "UTF-32", "x-unknown"]) {
      expect([claim, titleOf(document(sentences.russian, "utf-8", claim))]).toEqual([claim, sentences.russian]);
      expect([claim, titleOf(document(sentences.russian, "utf-8", "utf-8"), `text/xml;charset=${claim}`)]).toEqual([
        claim,
        sentences.russian,
      ]);
    }
    expect(parseFeed(document("ä", "utf-8", "x-unknown"), about).warnings).toEqual([
      'The declared encoding "x-unknown" is unknown.',
    ]);
    expect(parseFeed(document("ä", "utf-8", "latin1"), about).warnings).toEqual([
      "The document says that it is in latin1, and is not.",
    ]);
  });

  it("something else that claims to be UTF-8", () => {
    expect(titleOf(document(sentences.western, "windows-1252", "utf-8"))).toBe(sentences.western);
    expect(titleOf(document(sentences.russian.repeat(3), "windows-1251", "utf-8"))).toBe(sentences.russian.repeat(3));
  });

  it("UTF-8 with a broken character stays UTF-8", () => {
    const bytes = document(sentences.russian, "utf-8");
    const broken = Buffer.concat([
      bytes.subarray(0, bytes.indexOf("реку") + 1),
      bytes.subarray(bytes.indexOf("реку") + 2),
    ]);
    expect(titleOf(broken)).toMatch(/^Мост через \ufffd/);
    expect(titleOf(broken)).toContain("администрация города");
  });

  it("UTF-7 is not believed: it would carry markup past every check", () => {
    expect(titleOf(document("+ADw-script+AD4-", "utf-8", "utf-7"))).toBe("+ADw-script+AD4-");
  });
});

describe("without a declaration", () => {
  it.each<[string, keyof typeof sentences]>([
    ["utf-8", "japanese"],
    ["windows-1251", "russian"],
    ["windows-1252", "western"],
    ["shift_jis", "japanese"],
    ["euc-jp", "japanese"],
    ["big5", "chinese"],
    ["euc-kr", "korean"],
  ])("%s is found", (encoding, language) => {
    const text =
      encoding === "big5"
        ? "河上的舊橋開始維修，工程將持續到秋天，期間車輛不能通行，市政府工作人員昨天宣布了這個消息。"
        : sentences[language];
    expect(titleOf(document(text.repeat(3), encoding, ""))).toBe(text.repeat(3));
  });

  it("characters that no text holds are dropped, half characters replaced", () => {
    expect(decodeDocument(Buffer.from("a\0b\x08c\uffffd\te")).text).toBe("abcd\te");
    expect(decodeDocument(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00])).text.isWellFormed()).toBe(true);
  });

  it("any bytes at all give well-formed text", () => {
    const fill = (length: number, next: (n: number) => number) => Uint8Array.from({ length }, (_, n) => next(n));
    for (const bytes of [
      fill(256, (n) => n),
      fill(5_000, (n) => (n * 7919) % 256),
      fill(999, () => 0x80),
      fill(64, () => 0),
      new Uint8Array(),
    ]) {
      const { text } = decodeDocument(bytes);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[\0-\x08]/);
    }
  });

  it("JSON in UTF-8 and with a mark", () => {
    const json = JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      items: [{ id: 1, title: sentences.korean }],
    });
    expect(titleOf(Buffer.from(`\ufeff${json}`))).toBe(sentences.korean);
  });

  it("entities of control characters leave nothing behind", () => {
    expect(
      parseFeed(Buffer.from(rss("<item><guid>g</guid><title>a&#8;b&#x1;c&amp;#7;d&#xD800;e</title></item>")), about)
        .items[0]!.title,
    ).toBe("abcd\ufffde");
  });
});
