import { blocksOf, blockText, withoutEndnotes, type MarkupBlock, type TextRun } from "./blocks.ts";
import { bullet, packMessages } from "./chat.ts";
import { postOnce, type ErrorReader } from "./http.ts";
import { inOrder } from "./persistence.ts";
import type { DeliverableBriefing, HttpPost, Send } from "./port.ts";

/** Block Kit's limits: 3,000 characters a section (with room left), 150 a header, 50 blocks a message. */
const SECTION = 2_900;
const HEADER = 150;
const SECTIONS = 45;
/** Receivers without blocks (Mattermost, Rocket.Chat) show `text`; they accept some 16,000 characters. */
const FALLBACK = 12_000;

/** The three characters with a meaning in mrkdwn: without them there are no links, mentions or channels. */
const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function inline({ text, bold, italic, href }: TextRun): string {
  if (href !== undefined) return `<${escaped(href).replace(/\|/g, "%7C")}|${escaped(text)}>`;
  // Marks must not include white space at the ends of a run.
  const whole = escaped(text);
  const inner = whole.trim();
  const before = whole.slice(0, whole.length - whole.trimStart().length);
  const mark = bold ? "*" : italic ? "_" : "";
  return inner === "" ? whole : `${before}${mark}${inner}${mark}${whole.slice(before.length + inner.length)}`;
}

function mrkdwn(block: MarkupBlock): string {
  const { kind, level, runs } = block;
  if (kind === "heading") return level < 3 ? `*${escaped(blockText(block))}*` : `*_${escaped(blockText(block))}_*`;
  return `${kind === "item" ? bullet(level) : ""}${runs.map(inline).join("")}`;
}

interface SlackMessage {
  text: string;
  blocks: object[];
  unfurl_links: false;
  unfurl_media: false;
}

/** The messages of a briefing: a header and sections; several only where it needs more blocks than a message allows. */
export function slackMessages({ title, content }: DeliverableBriefing): SlackMessage[] {
  const body = withoutEndnotes(blocksOf(content)).filter(
    (block) => !(block.kind === "heading" && block.level === 1 && blockText(block) === title),
  );
  const sections = packMessages(body, SECTION, mrkdwn);
  const parts = Array.from({ length: Math.max(1, Math.ceil(sections.length / SECTIONS)) }, (_, part) =>
    sections.slice(part * SECTIONS, (part + 1) * SECTIONS),
  );
  return parts.map((texts, part) => ({
    text: fallback(parts.length > 1 ? `${title} (${part + 1} of ${parts.length})` : title, texts),
    // `verbatim`: addresses and names in foreign text do not become links or mentions.
    blocks: [
      ...(part === 0 ? [header(title)] : []),
      ...texts.map((text) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } })),
    ],
    unfurl_links: false,
    unfurl_media: false,
  }));
}

function header(title: string): object {
  const text = title.length > HEADER ? `${title.slice(0, HEADER - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : title;
  return { type: "header", text: { type: "plain_text", text, emoji: false } };
}

/** The title and as many whole sections as fit. */
function fallback(title: string, sections: readonly string[]): string {
  let text = `*${escaped(title)}*`;
  for (const section of sections) {
    if (text.length + 2 + section.length > FALLBACK) return `${text}\n\n…`;
    text += `\n\n${section}`;
  }
  return text;
}

/** Slack gives its reason in one word such as `no_service`; anything else may be foreign text. */
const reason: ErrorReader = (body) => (/^[a-z_]{3,40}$/.test(body.trim()) ? { reason: body.trim() } : {});

/** A Slack-compatible incoming webhook (Slack, Mattermost, Rocket.Chat). */
export const slack =
  (http: HttpPost, url: string): Send =>
  (briefing, persist) =>
    inOrder(slackMessages(briefing), (body) => persist((signal) => postOnce(http, url, { body }, signal, reason)));
