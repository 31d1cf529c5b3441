import { deflateSync } from "node:zlib";
import { textReader } from "../../adapters/texts/index.ts";
import { detect } from "../../adapters/texts/detect.ts";
import type { IndexedPage } from "../../adapters/texts/protocol.ts";
import type { TextBlock, ExtractedText, Format } from "../../adapters/texts/text.ts";
import { compoundFile, docx, encryptedOdt, encryptedOffice, exploding, odt, p, pdf, zip } from "../knowledge/files.ts";

// One reader over all formats: what a document says, page by page, and what is wrong with one that says nothing.

const reader = textReader({ cpuMs: 8_000, growthBytes: 250_000_000 });
afterAll(() => reader.close());

async function read(bytes: Buffer, format: Format): Promise<ExtractedText> {
  const { text, pages, blocks, ...about } = await reader.read(bytes, format);
  const index = JSON.parse(Buffer.from(pages).toString()) as IndexedPage[];
  return {
    ...about,
    text: Buffer.from(text).toString("utf16le"),
    pages: index.map(({ blocks: _at, ...page }) => page),
    blocks: index.flatMap(({ blocks: [from, to] }) => JSON.parse(Buffer.from(blocks.slice(from, to)).toString())),
  } as ExtractedText;
}
const wrong = async (bytes: Buffer, format: Format): Promise<string> => {
  const error = await reader.read(bytes, format).then(
    () => ({ reason: "readable" }),
    (refusal: { reason: string; message: string }) => refusal,
  );
  return error.reason;
};
const shown = ({ text, blocks }: ExtractedText): [TextBlock["kind"], string][] =>
  blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)]);
const typeOf = (bytes: Buffer, name = "plan"): Promise<unknown> =>
  detect(async (start, end) => bytes.subarray(start, end), bytes.length, name);

describe("the text of", () => {
  it("a PDF lies on its pages, in paragraphs, with parted words joined", async () => {
    const made = await pdf([
      ["# Plan Northern Bridge", "Hold the crossing for the re-\nsupply of the town.", "1. Secure both banks."],
      ["Höfn is safe.", "Open by 06:00."],
    ]);
    const found = await read(made, "pdf");
    expect(shown(found)).toEqual([
      ["heading", "Plan Northern Bridge"],
      ["paragraph", "Hold the crossing for the resupply of the town."],
      ["list-item", "1. Secure both banks."],
      ["paragraph", "Höfn is safe."],
      ["paragraph", "Open by 06:00."],
    ]);
    const [first, second] = found.pages;
    expect(found.text.slice(second!.start, second!.end)).toBe("Höfn is safe.\nOpen by 06:00.");
    expect(first).toMatchObject({ page: 1, start: 0 });
    expect(found.blocks[3]).toMatchObject({ page: 2, box: expect.any(Array) });
    expect(found.title).toBe("Plan Northern Bridge");
  });

  it("a PDF marks what runs along the heads of its pages", async () => {
    const pages = Array.from({ length: 4 }, (_, at) => ["ORDER 7 page " + (at + 1), `Only here: ${"abcd"[at]}.`]);
    const found = await read(await pdf(pages), "pdf");
    expect(shown(found).filter(([kind]) => kind === "running-head")).toHaveLength(4);
  });

  it("a DOCX has headings, lists, rows and notes, and no deleted words", async () => {
    const row = `<w:tbl><w:tr><w:tc>${p("Unit")}</w:tc><w:tc>${p("Task")}</w:tc></w:tr></w:tbl>`;
    const deleted = "<w:p><w:r><w:t>Keep</w:t></w:r><w:del><w:r><w:delText> gone</w:delText></w:r></w:del></w:p>";
    const made = docx(
      p("Intent", '<w:pStyle w:val="Kop1"/>') +
        p("Hold the bridge.") +
        deleted +
        p("Secure", '<w:numPr><w:ilvl w:val="0"/></w:numPr>') +
        row +
        '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' +
        p("Second page"),
      `<w:footnote>${p("See annex B.")}</w:footnote>`,
    );
    expect(await typeOf(made)).toEqual({ format: "docx" });
    const found = await read(made, "docx");
    expect(shown(found)).toEqual([
      ["heading", "Intent"],
      ["paragraph", "Hold the bridge."],
      ["paragraph", "Keep"],
      ["list-item", "Secure"],
      ["table-row", "Unit\tTask"],
      ["paragraph", "Second page"],
      ["note", "See annex B."],
    ]);
    expect(found.pages.map(({ start, end }) => found.text.slice(start, end))[1]).toBe("Second page\nSee annex B.");
  });

  it("an ODT has the same", async () => {
    const made = odt(
      "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>" +
        '<text:h text:outline-level="2">Intent</text:h><text:p>Hold<text:s text:c="2"/>on' +
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See annex.</text:p></text:note-body></text:note>.</text:p>" +
        "<text:list><text:list-item><text:p>Secure</text:p></text:list-item></text:list>" +
        "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>" +
        "<table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>",
    );
    expect(await typeOf(made)).toEqual({ format: "odt" });
    expect(shown(await read(made, "odt"))).toEqual([
      ["heading", "Intent"],
      ["paragraph", "Hold  on."],
      ["list-item", "Secure"],
      ["table-row", "A\tB"],
      ["note", "See annex."],
    ]);
  });

  it("HTML is its words, of Markdown its words without marks, of text its paragraphs and pages", async () => {
    const html = Buffer.from(
      "<!doctype html><title>x</title><script>var no</script><h1>Intent</h1><p>Hold <b>the</b>\n bridge<ul><li>Secure</ul>" +
        "<table><tr><td>A<td>B</table>",
    );
    expect(await typeOf(html)).toEqual({ format: "html" });
    expect(shown(await read(html, "html"))).toEqual([
      ["heading", "Intent"],
      ["paragraph", "Hold the bridge"],
      ["list-item", "Secure"],
      ["table-row", "A\tB"],
    ]);
    const marked = Buffer.from("# Intent\n\nHold **the** bridge\n\n- Secure\n\n| A | B |\n|---|---|\n| 1 | 2 |\n");
    expect(await typeOf(marked)).toEqual({ format: "markdown" });
    expect(shown(await read(marked, "markdown"))).toEqual([
      ["heading", "Intent"],
      ["paragraph", "Hold the bridge"],
      ["list-item", "Secure"],
      ["table-row", "A\tB"],
      ["table-row", "1\t2"],
    ]);
    const plain = Buffer.from("One\r\nline\r\n\r\nTwo e\u0301\fThree");
    expect(await typeOf(plain)).toEqual({ format: "text" });
    const found = await read(plain, "text");
    expect(found.text).toBe("One\nline\nTwo \u00e9\nThree");
    expect(found.pages).toEqual([
      { page: 1, start: 0, end: 14 },
      { page: 2, start: 15, end: 20 },
    ]);
  });
});

describe("what cannot be read says why", () => {
  it("encrypted", async () => {
    expect(await wrong(await pdf([["Secret"]], { userPassword: "x", ownerPassword: "y" }), "pdf")).toBe("encrypted");
  });

  it("damaged: cut off, of XML that is not well formed, with entities of its own, or no archive at all", async () => {
    const whole = docx(p("Hold."));
    expect(await wrong(whole.subarray(0, whole.length - 60), "docx")).toBe("damaged");
    expect(await wrong(docx("<w:p><w:t>open"), "docx")).toBe("damaged");
    expect(await wrong(Buffer.from("%PDF-1.4 nothing follows"), "pdf")).toBe("damaged");
    const entities = zip([{ name: "content.xml", data: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }]);
    expect(await wrong(entities, "odt")).toBe("damaged");
  });

  it("no text: pictures of pages", async () => {
    expect(await wrong(await pdf([[]]), "pdf")).toBe("no-text");
  });

  it("too big: an archive that unpacks to more than is taken, whatever it says of itself", async () => {
    const bomb = Buffer.from(`<a>${" ".repeat(70_000_000)}</a>`);
    expect(await wrong(zip([{ name: "content.xml", data: bomb }]), "odt")).toBe("too-big");
    const lying = zip([{ name: "content.xml", data: bomb, claims: 100 }]);
    expect(["too-big", "damaged"]).toContain(await wrong(lying, "odt"));
  });

  it("and a PDF whose end is gone is read by its pages", async () => {
    const whole = await pdf([["Hold the bridge."], ["Second page."]], { compress: false });
    const cut = whole.subarray(0, whole.lastIndexOf("xref\n0"));
    const found = await read(Buffer.from(cut.toString("latin1").replace("/Catalog", "/Cotolog"), "latin1"), "pdf");
    expect(found.repaired).toBe(true);
    expect(found.text).toBe("Hold the bridge.\nSecond page.");
  });
});

describe("a PDF of which only a part is left", () => {
  const LINES = [
    "The northern bridge is to be held until the convoy has passed.",
    "Nobody crosses the canal before dawn.",
  ];
  /** A page's contents before the page itself, as many programs write them. */
  const loose = (shows: string): Buffer => {
    const packed = deflateSync(shows);
    const head = `%PDF-1.4\n5 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
    return Buffer.concat([Buffer.from(head), packed, Buffer.from("\nendstream\nendobj\n")]);
  };
  const content = LINES.map((line, nth) => `BT /F1 12 Tf 72 ${700 - nth * 30} Td (${line}) Tj ET`).join("\n");

  it("is read as far as its last stream goes", async () => {
    const whole = await pdf([Array.from({ length: 12 }, (_, nth) => `${nth}. ${LINES[0]}`)]);
    const { text, repaired } = await read(whole.subarray(0, Math.floor(whole.length * 0.4)), "pdf");
    expect([repaired, text.startsWith(`0. ${LINES[0]}`)]).toEqual([true, true]);
  });

  it("is read by contents whose pages are lost, where what comes out is a language", async () => {
    const { text, repaired } = await read(loose(content), "pdf");
    expect([repaired, text]).toEqual([true, LINES.join("\n")]);
    const glyphs = content.replaceAll(/\(.*\)/g, `<${"0a1b".repeat(40)}>`);
    expect(await wrong(loose(glyphs), "pdf")).toBe("damaged");
  });

  it("is read by pages that lie packed among other objects", async () => {
    const objects = [
      "<< /Type /Page /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 8 0 R >> >> >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ];
    const numbers = `7 0 8 ${objects[0]!.length + 1} `;
    const packed = deflateSync(numbers + objects.join("\n"));
    const stream = `9 0 obj\n<< /Type /ObjStm /N 2 /First ${numbers.length} /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
    const bytes = Buffer.concat([loose(content), Buffer.from(stream), packed, Buffer.from("\nendstream\nendobj\n")]);
    expect((await read(bytes, "pdf")).text).toBe(LINES.join("\n"));
  });
});

describe("a reader that is watched", () => {
  it("ends what takes too long or grows too much, and reads the next as if nothing had been", async () => {
    const watched = textReader({ cpuMs: 300, growthBytes: 60_000_000 });
    try {
      const long = Buffer.from(`<p>${"<b>x</b> ".repeat(4_000_000)}`);
      await expect(watched.read(long, "html")).rejects.toMatchObject({ reason: "too-big" });
      const { characters } = await watched.read(Buffer.from("Short."), "text");
      expect(characters).toBe(6);
    } finally {
      await watched.close();
    }
  });

  it("gives up what nobody waits for any more, and is closed for good", async () => {
    const watched = textReader();
    const stop = new AbortController();
    const reading = watched.read(Buffer.from("Short."), "text", stop.signal);
    stop.abort(new Error("cancelled"));
    await expect(reading).rejects.toThrow("cancelled");
    await watched.close();
    await expect(watched.read(Buffer.from("x"), "text")).rejects.toThrow("closed");
  });
});

it.each([
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"), "image/png"],
  ["another archive", zip([{ name: "a.txt", data: "x" }]), "application/zip"],
  ["bytes", Buffer.from([1, 2, 0, 4, 5, 0, 7]), "data that is no text"],
])("says what %s is instead", async (_what, bytes, instead) => {
  expect(await typeOf(bytes)).toEqual({ instead });
});

describe("an encrypted DOCX", () => {
  const plan = docx(p("The convoy leaves at dawn.").repeat(60));
  const locked = encryptedOffice(plan, "Ö sesame");
  const open = (bytes: Buffer, password?: string): Promise<string> =>
    reader.read(bytes, "docx", undefined, password).then(
      ({ text }) => Buffer.from(text).toString("utf16le"),
      ({ reason, message }) => `${reason}: ${message}`,
    );

  it("is known for what it is, and opens with its password", async () => {
    expect([await typeOf(locked), await typeOf(compoundFile({ WordDocument: plan }))]).toEqual([
      { format: "docx" },
      { instead: "a Word document of before 2007 (.doc), save it as DOCX" },
    ]);
    expect(await open(locked, "Ö sesame")).toMatch(/^(The convoy leaves at dawn\.\n){59}The convoy leaves at dawn\.$/);
    expect([await open(locked), await open(locked, "sesame")]).toEqual([
      "encrypted: It opens with a password only.",
      "encrypted: It does not open with this password.",
    ]);
  });

  it("says what it opens by, where that is no password, or none that is tried here", async () => {
    const [old, managed] = [
      compoundFile({ EncryptionInfo: Buffer.from("0300020024000000", "hex"), EncryptedPackage: plan }),
      compoundFile({ EncryptedPackage: plan }),
    ];
    expect(await typeOf(managed)).toEqual({ format: "docx" });
    expect(await Promise.all([old, managed].map((one) => open(one, "x")))).toEqual([
      "encrypted: It is encrypted in an older way, which is not read here.",
      "encrypted: It opens by the rights management of its author only.",
    ]);
  });

  it("that is torn, or whose chains go round, is damaged and costs nothing", async () => {
    for (const length of [520, 1_600, locked.length - 1_500])
      expect(await open(locked.subarray(0, length), "x")).toMatch(/^damaged/);
    const round = Buffer.from(locked);
    const fat = (locked.readUInt32LE(76) + 1) * 512;
    for (let at = 0; at < 128; at++) round.writeUInt32LE(at, fat + at * 4);
    expect(await open(round, "Ö sesame")).toMatch(/^damaged/);
  });
});

describe("an encrypted ODT", () => {
  const locked = encryptedOdt("<text:p>The convoy leaves at dawn.</text:p>".repeat(200), "Ö sesame");
  const open = (bytes: Buffer, password?: string): Promise<string> =>
    reader.read(bytes, "odt", undefined, password).then(
      ({ text }) => Buffer.from(text).toString("utf16le"),
      ({ reason, message }) => `${reason}: ${message}`,
    );

  it("is known for what it is, and opens with its password", async () => {
    expect(await typeOf(locked)).toEqual({ format: "odt" });
    expect(await open(locked, "Ö sesame")).toMatch(/^(The convoy leaves at dawn\.\n){199}The convoy leaves at dawn\.$/);
    expect([await open(locked), await open(locked, "sesame")]).toEqual([
      "encrypted: It opens with a password only.",
      "encrypted: It does not open with this password.",
    ]);
  });

  it("of another way, or sealed as a whole, says that it is encrypted; one whose text is none is damaged", async () => {
    const unread = "encrypted: It is encrypted in a way that is not read here.";
    expect(await open(encryptedOdt("", "x", "Blowfish CFB"))).toBe(unread);
    const whole = zip([
      { name: "mimetype", data: "application/vnd.oasis.opendocument.text", stored: true },
      { name: "encrypted-package", data: Buffer.alloc(64), stored: true },
      {
        name: "META-INF/manifest.xml",
        data: "<m:manifest xmlns:m='m'><m:file-entry m:full-path='encrypted-package'/></m:manifest>",
      },
    ]);
    expect(await open(whole, "x")).toBe(unread);
    expect(await open(encryptedOdt("<text:p>", "x"), "x")).toMatch(/^damaged/);
  });
});

it("a PDF that would explode is refused before it is read, whatever it calls its contents", async () => {
  const bytes = [exploding(40_000_000), exploding(40_000_000, { times: 2 }), exploding(40_000_000, { picture: true })];
  for (const one of bytes) expect(await wrong(one, "pdf")).toBe("too-big");
});
