import fc from "fast-check";
import { blocksOf, withoutEndnotes, type MarkupBlock } from "../../../adapters/channels/blocks.ts";
import { packMessages, unlinked } from "../../../adapters/channels/chat.ts";
import { slackMessages } from "../../../adapters/channels/slack.ts";
import { telegramMessages } from "../../../adapters/channels/telegram.ts";
import { toText } from "../../../adapters/channels/text.ts";

const deliverable = (content: string, title = "Briefing") => ({
  id: 1,
  title,
  content,
  generatedAt: "2026-03-03T06:00:00Z",
});

describe("the reader", () => {
  test("finds headings, paragraphs and items with their runs", () => {
    expect(blocksOf("# A *b*\n\ntext\nmore\n\n- **x** [#1](https://a.example/)\n  - y")).toEqual([
      {
        kind: "heading",
        level: 1,
        runs: [
          { text: "A ", bold: false, italic: false },
          { text: "b", bold: false, italic: true },
        ],
      },
      { kind: "paragraph", level: 0, runs: [{ text: "text more", bold: false, italic: false }] },
      {
        kind: "item",
        level: 1,
        runs: [
          { text: "x", bold: true, italic: false },
          { text: " ", bold: false, italic: false },
          { text: "#1", bold: false, italic: false, href: "https://a.example/" },
        ],
      },
      { kind: "item", level: 2, runs: [{ text: "y", bold: false, italic: false }] },
    ]);
  });
  test("leaves HTML, images, other schemes and escapes as text", () => {
    const text = (markdown: string) => blocksOf(markdown).flatMap(({ runs }) => runs);
    expect(text("<b>x</b> [a](javascript:alert(1)) \\*y\\* &lt;")).toEqual([
      { text: "<b>x</b> [a](javascript:alert(1)) *y* <", bold: false, italic: false },
    ]);
    expect(text("```\ncode\n```")).toEqual([{ text: "code", bold: false, italic: false }]);
  });
  test("drops the list of sources, and only the last one", () => {
    expect(
      withoutEndnotes(blocksOf("## Articles cited\n\na\n\n## Articles cited\n\nb")).map(({ kind }) => kind),
    ).toEqual(["heading", "paragraph"]);
  });
});

const run = fc.record({
  text: fc.string({
    unit: fc.constantFrom("a", "b", " ", "&", "<", ".", "\u{1f600}", "é"),
    minLength: 1,
    maxLength: 400,
  }),
  bold: fc.boolean(),
  italic: fc.boolean(),
});
const block: fc.Arbitrary<MarkupBlock> = fc.record({
  kind: fc.constantFrom("heading" as const, "paragraph" as const, "item" as const),
  level: fc.constantFrom(1, 2),
  runs: fc.array(run, { minLength: 1, maxLength: 5 }),
});
const write = ({ runs }: MarkupBlock) => runs.map(({ text, bold }) => (bold ? `<b>${text}</b>` : text)).join("");

test("messages keep to the limit, break no mark-up in two, and lose not a word", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 12 }), fc.integer({ min: 230, max: 900 }), (blocks, limit) => {
      const messages = packMessages(blocks, limit, write);
      for (const message of messages) {
        expect(message.length).toBeLessThanOrEqual(limit);
        expect(message.split("<b>").length).toBe(message.split("</b>").length);
      }
      const bare = (text: string) => text.replace(/<\/?b>|\s/g, "");
      expect(bare(messages.join(""))).toBe(bare(blocks.map(write).join("")));
    }),
    { numRuns: 300 },
  );
});

describe("what others say against an item", () => {
  const content =
    "## Health\n\n**Also reported**\n\n- Ferry aground\n  - **Figures differ**: 298; 312\n    - so says the port\n- Clinic opens";
  const shapes: [string, string][] = [
    ["Telegram", telegramMessages({ content })[0]!],
    ["Slack", slackMessages(deliverable(content))[0]!.text],
  ];
  test.each(shapes)("is set in below it in %s", (_name, text) =>
    expect(text.replace(/<\/?b>|\*/g, "")).toMatch(
      /Also reported\n\n• Ferry aground\n {4}◦ Figures differ: 298; 312\n {8}◦ so says the port\n• Clinic opens$/,
    ),
  );
  test("and in plain text", () =>
    expect(toText({ content })).toMatch(
      /\n- Ferry aground\n {2}- Figures differ: 298; 312\n {4}- so says the port\n- Clinic opens\n$/,
    ));
});

test("a message ends with no heading, and begins with nothing that belongs to what went before", () => {
  const story = (index: number) =>
    `### Story ${index}\n\n*Low confidence, 1 source*\n\n- Statement ${index}: ${"word ".repeat(60 + (index % 7))}\n  - but others say no`;
  const content = `# T\n\n## Health\n\n${Array.from({ length: 60 }, (_, index) => story(index)).join("\n\n")}`;
  const slack = slackMessages(deliverable(content)) as { blocks: { text: { text: string } }[] }[];
  for (const messages of [
    telegramMessages({ content }),
    slack.flatMap(({ blocks }) => blocks.slice(1).map(({ text }) => text.text)),
  ]) {
    expect(messages.length).toBeGreaterThan(5);
    for (const message of messages.slice(1)) expect(message).toMatch(/^(?:<b><i>|\*_)Story/);
    for (const message of messages) expect(message).toMatch(/but others say no$/);
  }
});

describe("Telegram", () => {
  test("keeps to 4,096 characters with balanced tags, for a briefing of any length", () => {
    const content = `# T\n\n${Array.from({ length: 80 }, (_, index) => `- **S${index}** ${"text & more ".repeat(20)}[#${index}](https://news.example/${"x".repeat(100)}/${index})`).join("\n")}\n\n${"one endless paragraph ".repeat(600)}`;
    const messages = telegramMessages({ content });
    expect(messages.length).toBeGreaterThan(5);
    for (const message of messages) {
      expect(message.length).toBeLessThanOrEqual(4_096);
      for (const tag of ["b", "i", "a"])
        expect(message.match(new RegExp(`<${tag}[ >]`, "g"))?.length).toBe(
          message.match(new RegExp(`</${tag}>`, "g"))?.length,
        );
      expect(message).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
    }
    expect(messages.join("\n").match(/\[?#\d+/g)).toHaveLength(80);
  });
  test("addresses and mentions in the text of strangers do not become links by themselves", () => {
    expect(unlinked("see https://evil.example or www.evil.example, boss@evil.example, U.S. and 3.5")).toBe(
      "see https:\u2060//evil.\u2060example or www.\u2060evil.\u2060example, boss@\u2060evil.\u2060example, U.S. and 3.5",
    );
    expect(telegramMessages({ content: "see evil\\.example" })).toEqual(["see evil.\u2060example"]);
  });
});

describe("Slack", () => {
  test("keeps to 3,000 characters a section, 150 a header, 50 blocks a message", () => {
    const content = Array.from({ length: 900 }, (_, index) => `- Statement ${index}: ${"words & ".repeat(25)}`).join(
      "\n",
    );
    const messages = slackMessages(deliverable(content, "T".repeat(400)));
    expect(messages.length).toBeGreaterThan(1);
    for (const { blocks } of messages as { blocks: { type: string; text: { text: string } }[] }[]) {
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const each of blocks)
        expect(each.text.text.length).toBeLessThanOrEqual(each.type === "header" ? 150 : 3_000);
    }
    expect(JSON.stringify(messages.map(({ blocks }) => blocks)).match(/Statement \d+/g)).toHaveLength(900);
    expect(messages[1]!.text).toMatch(/^\*T{400} \(2 of \d\)\*\n\n• Statement/);
    for (const { text } of messages) expect(text.length).toBeLessThanOrEqual(12_010);
  });
  test("mentions, links and channels of strangers stay text", () => {
    const [message] = slackMessages(
      deliverable("Hello <!channel> <@U123> <https://evil.example|click> & co", "<!here>"),
    );
    // A header is plain text, in which brackets mean nothing.
    expect(JSON.stringify([message!.text, message!.blocks.slice(1)])).not.toMatch(/<[!@h]/);
    expect(JSON.stringify(message!.blocks)).toContain(
      "&lt;!channel&gt; &lt;@U123&gt; &lt;https://evil.example|click&gt; &amp; co",
    );
  });
  test("an empty briefing is still a message", () =>
    expect(slackMessages(deliverable(""))).toMatchObject([{ text: "*Briefing*", blocks: [{ type: "header" }] }]));
});
