import { z } from "zod";
import { MailError } from "../../../../adapters/mail.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { on } from "../../../../core/events/event.ts";
import { derive } from "../../../../core/ids.ts";
import type { JobKind, JobRun } from "../../../../core/work/job.ts";
import { isLoopback } from "../../../../core/access/origin.ts";
import { authenticatorsOf, type Authenticators } from "../passkeys/authenticators.actions.ts";
import { alreadyLetter, hashOfLink, linkLetter, LinkWish, passkeyLetter, type Letter } from "./links.ts";
import { authOf, originFor } from "../parts.ts";
import { Passkey } from "../passkeys/passkeys.ts";
import { PasskeyAdded } from "../events.ts";
import { User } from "../users/users.ts";
import { Email } from "../client.ts";
import { MESH } from "./links.actions.ts";

/**
 * The work for one request: looks for the account, stores the link's hash, writes the mail. Repeated after a kill, it
 * makes the same token again.
 */
async function sendLink(this: Host, { job }: JobRun<LinkWish>): Promise<unknown> {
  const { kind, email, userId, origin, expiresAt } = LinkWish.parse(job.input);
  // Asked again after an outage of the mail server: by then the link would lead nowhere.
  if (expiresAt <= iso(this.world.clock.now())) return { sent: false };
  const owner = await this.store(User).one(MESH, { email });
  const messageId = `${job.id}@signalmesh`;
  if (kind === "confirm" && owner) return post(this, email, alreadyLetter(origin), messageId);
  const target = kind === "confirm" ? await this.store(User).one(MESH, { _id: userId }) : owner;
  if (!target?.active) return { sent: false };
  const token = derive(this.world.secret, `link ${job.id}`).toString("base64url");
  await authOf(this).links.bulk([
    { update: { _id: hashOfLink(token) }, with: { $set: { kind, userId: target.id, email, expiresAt } }, upsert: true },
  ]);
  return post(this, email, linkLetter(kind, origin, token), messageId);
}

/** What all letters wait for alike: told of once, and not for each letter and attempt. */
const isOutage = (error: unknown): error is MailError => error instanceof MailError && error.temporary;

/** Sends a letter; a server that is away makes the job try again, one that says no does not. */
async function post(host: Host, to: string, letter: Letter, messageId: string): Promise<unknown> {
  const { mailOutage } = authOf(host);
  try {
    const { via } = await host.world.mail.send({ to, ...letter, messageId });
    mailOutage.worked();
    // Without a mail server a developer reads mail here. Where others can reach the installation, no link that signs in
    // may be logged.
    if (via === "outbox" && isLoopback(new URL(originFor(host, {})).hostname))
      host.logger.info(`No SMTP_URL, so this stays in the outbox: ${letter.subject}, to ${to}\n\n${letter.text}`);
    return { sent: true, via };
  } catch (error) {
    if (error instanceof MailError && !error.temporary) {
      host.logger.warn(`A letter was not sent: ${error.message}`);
      return { sent: false };
    }
    if (isOutage(error)) mailOutage.failed(error.message);
    throw error;
  }
}

const Letters = z.object({ to: Email, subject: z.string(), text: z.string() });

/** Through a day without a mail server: at first after seconds, at the end after twelve minutes. */
const THROUGH_OUTAGES = { attempts: 240, backoffMs: 3_000, isTold: isOutage };

/** Writes letters in the background. */
export const postJobs: Record<string, JobKind> = {
  "auth.link": { run: sendLink, ...THROUGH_OUTAGES, concurrency: 4 },
  "auth.letter": {
    async run(this: Host, { job }: JobRun) {
      const { to, ...letter } = Letters.parse(job.input);
      return post(this, to, letter, `${job.id.replace(/[^\w.-]/g, "-")}@signalmesh`);
    },
    ...THROUGH_OUTAGES,
  },
};

/** Tells the owner of every passkey that was added to the account after it was created. */
export const tellOwner = on(PasskeyAdded, async function (this: Host, { userId, passkeyId, how, forgetOthers }, fact) {
  if (how === "registered") return;
  const [user, passkey] = await Promise.all([
    this.store(User).one(MESH, { _id: userId }),
    this.store(Passkey).one(MESH, { _id: passkeyId }),
  ]);
  // A closed account gets no more mail: it may be about to be erased, and its mail is gone already.
  if (!user?.active || !user.email) return;
  const others =
    how === "recovered" && !forgetOthers ? waysBeside(await authenticatorsOf(this, userId), passkeyId) : [];
  await this.jobs.add(
    "auth.letter",
    { to: user.email, ...passkeyLetter(how, passkey?.name ?? "removed since", fact.time, others, originFor(this, {})) },
    { by: "system:auth", key: fact.id },
  );
});

/** What else lets into an account beside a passkey, a line each. */
const waysBeside = ({ passkeys, password, provider, keys }: Authenticators, passkeyId: string): string[] => [
  ...passkeys.filter(({ id }) => id !== passkeyId).map(({ name }) => `the passkey "${name}"`),
  ...(password ? ["the password"] : []),
  ...(provider ? ["your identity provider"] : []),
  ...keys.map(({ name, keyPrefix }) => `the API key "${name}" (${keyPrefix}…)`),
];
