import fc from "fast-check";
import { cleanMarkup } from "../../adapters/feeds/html/body.ts";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { Texts } from "../../services/news/articles/intake/texts.ts";

let documents: EmbeddedDocuments;
let texts: Texts;
beforeEach(async () => {
  documents = new EmbeddedDocuments(":memory:");
  texts = await Texts.open(documents);
});
afterEach(() => documents.close());

const line = fc.stringMatching(/^[a-z&<>"' äß\u{1F30A}]{0,20}$/u);
const plain = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));

it("a body comes back as it was put, whether its HTML follows from its text or not", async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(plain, fc.constantFrom("text" as const, "html" as const), async (value, kind) => {
      const { html, text } = cleanMarkup({ value, kind, bases: [] }, "https://news.example/");
      const id = `a.${++n}:edition`;
      await texts.put([{ id, text, html }]);
      expect((await texts.many([id])).get(id)).toEqual({ text, html });
    }),
  );
});

it("HTML that only sets the text in paragraphs is not stored", async () => {
  const { html, text } = cleanMarkup(
    { value: "One & two\nthree\n\nfour", kind: "text", bases: [] },
    "https://news.example/",
  );
  await texts.put([
    { id: "a:1", text, html },
    { id: "a:2", text, html: `<p><b>One</b></p>` },
  ]);
  const stored = await documents.collection("article_texts");
  expect((await stored.find({ sort: ["_id"] })).map((body) => body["html"])).toEqual(["", "<p><b>One</b></p>"]);
  expect((await texts.many(["a:1"])).get("a:1")).toEqual({
    text: "One & two\nthree\n\nfour",
    html: "<p>One &amp; two<br>three</p>\n<p>four</p>",
  });
});

it("texts of editions that are there already are passed over, the others of the batch stored", async () => {
  await texts.put([{ id: "a:1", text: "one", html: "" }]);
  await texts.put([
    { id: "a:0", text: "zero", html: "" },
    { id: "a:1", text: "one", html: "" },
    { id: "a:2", text: "two", html: "" },
  ]);
  const again = await Texts.open(documents);
  expect([...(await again.plain(["a:0", "a:1", "a:2", "a:3"]))]).toEqual([
    ["a:0", "zero"],
    ["a:1", "one"],
    ["a:2", "two"],
  ]);
});

it("the index feed gets the same texts from what is at hand and from the store, and memory is bounded", async () => {
  const long = "x".repeat(900_000);
  for (let n = 0; n < 10; n++) await texts.put([{ id: `a:${n}`, text: `${n}${long}`, html: `<i>${n}</i>` }]);
  const ids = Array.from({ length: 10 }, (_, n) => `a:${n}`);
  const asked = await texts.plain(ids);
  expect(ids.map((id) => asked.get(id)!.length)).toEqual(ids.map(() => 900_001));
  expect(ids.map((id) => asked.get(id)![0])).toEqual([..."0123456789"]);
});
