import { withoutTrailing } from "../../core/text/plain.ts";
import { blocksOf, withoutEndnotes, type MarkupBlock, type TextRun } from "./blocks.ts";
import { bullet, packMessages, unlinked } from "./chat.ts";
import { postOnce, type ErrorReader } from "./http.ts";
import { inOrder } from "./persistence.ts";
import type { ChannelSettings, DeliverableBriefing, HttpPost, Send } from "./port.ts";

/**
 * sendMessage accepts 4,096 characters after parsing; we count mark-up too, which keeps its limit of 100 entities out
 * of reach.
 */
const MESSAGE = 4_096;

const escaped = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

function inline({ text, bold, italic, href }: TextRun): string {
  if (href !== undefined) return `<a href="${escaped(href)}">${escaped(text)}</a>`;
  const inner = escaped(unlinked(text));
  return bold ? `<b>${inner}</b>` : italic ? `<i>${inner}</i>` : inner;
}

function html({ kind, level, runs }: MarkupBlock): string {
  const text = runs.map(inline).join("");
  if (kind === "heading") return level < 3 ? `<b>${text}</b>` : `<b><i>${text}</i></b>`;
  return kind === "item" ? bullet(level) + text : text;
}

/** The texts of a briefing in Telegram's HTML, each within the limit, broken between paragraphs. */
export const telegramMessages = ({ content }: Pick<DeliverableBriefing, "content">): string[] =>
  packMessages(withoutEndnotes(blocksOf(content)), MESSAGE, html);

/** The bot API says why in `description`, and how long to wait in `parameters.retry_after` (seconds). */
const reading: ErrorReader = (body) => {
  try {
    const { description, parameters } = JSON.parse(body) as {
      description?: unknown;
      parameters?: { retry_after?: unknown };
    };
    const seconds = parameters?.retry_after;
    return {
      ...(typeof description === "string" &&
      /^[\w ,.'-]+(?:: [\w ,.'-]+)?$/.test(description) &&
      description.length <= 120
        ? { reason: description }
        : {}),
      ...(typeof seconds === "number" && seconds >= 0 ? { afterMs: seconds * 1_000 } : {}),
    };
  } catch {
    return {};
  }
};

/** A chat behind the Telegram bot API, or a compatible one. */
export function telegram(
  http: HttpPost,
  { botToken, chatId, baseUrl = "https://api.telegram.org" }: NonNullable<ChannelSettings["telegram"]>,
): Send {
  const url = `${withoutTrailing(baseUrl, "/")}/bot${botToken}/sendMessage`;
  return (briefing, persist) =>
    inOrder(telegramMessages(briefing), (text) =>
      persist((signal) =>
        postOnce(
          http,
          url,
          {
            body: { chat_id: chatId, text, parse_mode: "HTML", link_preview_options: { is_disabled: true } },
          },
          signal,
          reading,
        ),
      ),
    );
}
