import { createHash } from "node:crypto";
import type { Mailer } from "../mail.ts";
import { MailError } from "../mail.ts";
import { markdownReader } from "./blocks.ts";
import type { DeliverableBriefing, DeliveryOutcome, Persist, Persisted, Send } from "./port.ts";
import { toText } from "./text.ts";

/** Mail programs know little CSS and no dark scheme of ours: one column, system fonts, their own colours. */
const page = (content: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"></head>
<body style="margin:0;padding:16px;font:16px/1.5 sans-serif"><div style="max-width:680px;margin:0 auto">
${markdownReader().render(content)}</div></body></html>`;

/** The same for every attempt at one briefing to one address, so that a second copy is recognised. */
const messageId = ({ id, generatedAt }: DeliverableBriefing, to: string): string =>
  `briefing-${id}-${createHash("sha256").update(`${generatedAt} ${to}`).digest("hex").slice(0, 16)}@signalmesh`;

async function sendOnce(
  mailer: Mailer,
  briefing: DeliverableBriefing,
  to: string,
  signal: AbortSignal | undefined,
): Promise<DeliveryOutcome> {
  try {
    const { via, refused } = await mailer.send(
      {
        to,
        subject: briefing.title,
        text: toText(briefing),
        html: page(briefing.content),
        messageId: messageId(briefing, to),
      },
      { signal },
    );
    if (refused.length > 0) return { ok: false, reason: "The mail server refuses the recipient.", retry: false };
    return {
      ok: true,
      ...(via === "outbox" ? { note: "Sent to nobody: without SMTP_URL mail is kept in this process alone." } : {}),
    };
  } catch (error) {
    if (error instanceof MailError) return { ok: false, reason: error.message, retry: error.temporary };
    throw error;
  }
}

/** A separate message to each address: recipients do not see each other, and one refusal does not stop the others. */
export const email =
  (mailer: Mailer, recipients: readonly string[]): Send =>
  async (briefing, persist) => {
    const results: Persisted[] = [];
    for (const to of recipients) results.push(await toOne(mailer, briefing, to, persist));
    const failed = results.filter(({ ok }) => !ok);
    const attempts = Math.max(0, ...results.map((result) => result.attempts));
    if (failed.length === 0) return { ok: true, attempts, note: results[0]?.note };
    const reason = failed[0]!.reason;
    return {
      ok: false,
      attempts,
      reason:
        recipients.length > 1 ? `${failed.length} of ${recipients.length} recipients got nothing. ${reason}` : reason,
    };
  };

const toOne = (mailer: Mailer, briefing: DeliverableBriefing, to: string, persist: Persist): Promise<Persisted> =>
  persist((signal) => sendOnce(mailer, briefing, to, signal));
