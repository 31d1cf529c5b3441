import { z } from "zod";
import type { OutboxMail } from "../../../../adapters/mail.ts";
import { isLoopback, originOf } from "../../../../core/access/origin.ts";
import { list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { askAllNodes } from "../../../../core/contract/node.ts";

const SILENT_MS = 2_000;
const MOST = 100;

const Letter = z
  .object({
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string().optional().describe("Only where nobody but this machine reaches the platform."),
    at: z.string(),
    messageId: z.string(),
  })
  .meta({ id: "KeptLetter" });

const Meta = z.object({
  total: z.int(),
  mailServer: z.boolean().describe("Whether a mail server is configured (`SMTP_URL`): nothing is kept then."),
});

/** Newest first, of all nodes. */
const together = (outboxes: readonly (readonly OutboxMail[])[]): OutboxMail[] =>
  outboxes
    .flat()
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, MOST);

export const letterActions = {
  "letters.list": endpoint({
    rest: "GET /letters",
    summary: "List the last letters that were sent to nobody, as no mail server is configured",
    // They have links in them that sign in. Whoever administers accounts could set their passwords as well.
    permit: "users:administer",
    beyond: true,
    returns: list(Letter, Meta),
    description:
      "For development: without `SMTP_URL` letters stay in the memory of the process that wrote them. Their text is " +
      "shown only where the platform is reached from this machine alone (`PUBLIC_URL`, `HOST`); elsewhere the list " +
      "tells that a letter was written, and not the link in it. With a mail server there are none.",
    async handler() {
      const { mail, env } = this.world;
      if (mail.configured) return { data: [], meta: { total: 0, mailServer: true } };
      const said = await askAllNodes<OutboxMail[]>(this.broker, "letters", {}, SILENT_MS);
      const isAlone = isLoopback(new URL(originOf(env, env.PORT)).hostname);
      const data = together(said.map(({ answer }) => answer ?? [])).map(({ to, subject, text, at, messageId }) => ({
        to,
        subject,
        at,
        messageId,
        ...(isAlone && { text }),
      }));
      return { data, meta: { total: data.length, mailServer: false } };
    },
  }),
};
