import { createHmac } from "node:crypto";
import { z } from "zod";
import { sees } from "../../../../core/access/barrier.ts";
import type { Actor, Membership } from "../../../../core/access/access.ts";
import { referencesIn } from "../../../../core/access/person-reference.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { STANDARD_HEADERS, type WebhookType } from "../../../../core/contract/webhook.ts";
import { liveType, live } from "../../../../core/contract/live.ts";
import { Sealer } from "../../../../core/access/sealed.ts";
import { Subject, type Activity } from "./activity.ts";
import { ProblemSet } from "../sets/sets.ts";
import { dueOf, Notification, ActivitySubscription, wants } from "./subscriptions.ts";
import { accountOf } from "../../../identity/auth/client.ts";
import { upTo } from "../../../../core/text/cutting.ts";

const MESH = asSystem("problem-sets");
const BATCH = 200;
const HOLD_MS = 60_000;
const GIVE_UP_MS = 24 * 3_600_000;

export const NotificationView = Notification.view.meta({ id: "Notification" });
const personsOf = referencesIn(Notification.view)!;
export const NotificationNew = liveType("notification.new", {
  domain: "problem-sets",
  summary: "A subscription of yours has something to tell you",
  payload: NotificationView,
});
const Told = z
  .object({
    type: z.literal("problem-set.activity"),
    timestamp: Instant,
    data: z.object({
      problemSetId: TextId,
      items: z.array(
        z.object({
          id: TextId,
          kind: z.string(),
          summary: z.string().describe("In words."),
          subject: Subject.optional().describe("What it is about."),
          at: Instant,
        }),
      ),
    }),
  })
  .meta({ id: "ActivityDelivery" });
export const ActivityWebhook = {
  name: "problem-set.activity",
  summary: "Events for a subscription of the channel `webhook`",
  description:
    "Goes to the `url` of a subscription (`POST /api/problem-sets/{id}/subscriptions`), signed as " +
    "https://www.standardwebhooks.com has it with the `secret` that was shown when it was made. Any 2xx within 15 " +
    "seconds takes it; everything else is tried again for 24 hours, ever less often. What waited meanwhile may come " +
    "together: an item that came already can be told by its `id`.",
  body: Told,
  headers: STANDARD_HEADERS,
} satisfies WebhookType;
export const sealer = (host: Host): Sealer => new Sealer(host.world, "subscription secrets");

/** Writes a line for every subscription of the set that asks for an item; its id follows from both. */
export async function notifySubscribers(host: Host, items: readonly Activity[]): Promise<void> {
  const sets = [...new Set(items.map(({ problemSetId }) => problemSetId))];
  const subscriptions = Map.groupBy(
    await host
      .store(ActivitySubscription)
      .find(MESH, { problemSetId: sets.length === 1 ? sets[0] : { $in: sets }, active: true }),
    ({ problemSetId }) => problemSetId,
  );
  if (!subscriptions.size) return;
  for (const item of items) await noteFor(host, item, subscriptions.get(item.problemSetId) ?? []);
  void tellDue.call(host).catch(() => {});
}

async function noteFor(host: Host, item: Activity, subscriptions: readonly ActivitySubscription[]): Promise<void> {
  const wanting = subscriptions.filter((subscription) => wants(subscription, item));
  if (!wanting.length) return;
  const now = host.world.clock.now();
  const { training } = await host.store(ProblemSet).get(MESH, item.problemSetId);
  for (const { id, userId, channel, digest, problemSetId } of wanting) {
    const status = channel !== "in-app" && training ? "simulated" : "due";
    const given = {
      id: derivedId(`subscription ${id} of ${item.id}`),
      problemSetId,
      compartments: item.compartments,
      userId,
      subscriptionId: id,
      activityId: item.id,
      kind: item.kind,
      summary: item.summary,
      ...(item.subject && { subject: item.subject }),
      at: item.at,
      channel,
      status,
      attempts: 0,
      since: iso(now),
      read: false,
      ...(status === "due" && { dueAt: iso(dueOf(digest, now)) }),
    };
    await host.store(Notification).createOnce(MESH, given);
  }
}

/** Something for one member alone, who sees what it is about. */
export interface PersonalNotice extends Pick<
  Notification,
  "problemSetId" | "compartments" | "userId" | "kind" | "summary" | "at"
> {
  id: string;
  /** What it is about. */
  activityId: string;
}

/** A line among a person's notifications, once for its id, and on their sockets. */
export async function tellMember(host: Host, line: PersonalNotice): Promise<void> {
  const { activityId: subscriptionId, at: since } = line;
  const told = { ...line, subscriptionId, channel: "in-app", status: "told", attempts: 1, since, read: false };
  const { record, made } = await host.store(Notification).createOnce(MESH, told);
  if (made) await tellLive(host, record);
}

const tellLive = (host: Host, line: Notification): Promise<unknown> => {
  const { userId, problemSetId, compartments } = line;
  return live(host, { event: NotificationNew, to: { userId, problemSetId, compartments }, data: line });
};

/** Sends what is due, one message for each subscription, to whoever may still see it. */
export async function tellDue(this: Host): Promise<void> {
  const now = this.world.clock.now();
  const due = await this.store(Notification).find(
    MESH,
    { dueAt: { $lte: iso(now) } },
    { sort: ["dueAt"], limit: BATCH },
  );
  const groups = Map.groupBy(due, ({ subscriptionId }) => subscriptionId);
  await Promise.all([...groups].map(([subscriptionId, lines]) => tell(this, subscriptionId, lines, now)));
}

async function tell(host: Host, subscriptionId: string, lines: readonly Notification[], now: number): Promise<void> {
  const store = host.store(Notification);
  // Held while it is sent: a node that dies in between leaves it due again.
  const held = (
    await Promise.all(
      lines.map((line) =>
        store.revise(MESH, line, { attempts: line.attempts + 1, dueAt: iso(now + HOLD_MS) }).catch(() => null),
      ),
    )
  )
    .filter((line) => line !== null)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  if (!held.length) return;
  const subscription = await host.store(ActivitySubscription).one(MESH, { _id: subscriptionId });
  const memberships = subscription && (await membershipsOf(host, subscription));
  const reader = {
    userId: subscription?.userId ?? "",
    roles: [],
    via: "system" as const,
    permits: [],
    memberships: memberships ?? {},
  };
  const [seen, unseen] = [
    held.filter((line) => subscription?.active && sees(Notification.barrier, reader, line)),
    held.filter((line) => !subscription?.active || !sees(Notification.barrier, reader, line)),
  ];
  for (const { id } of unseen) await store.amend(MESH, id, () => ({ status: "dropped", dueAt: null }));
  if (!seen.length) return;
  const failure = await send(host, subscription!, seen, reader).then(
    () => undefined,
    (error: Error) => error.message,
  );
  for (const line of seen) {
    // Amended, not revised: its receiver may have marked it as read meanwhile.
    const told = await store.amend(MESH, line.id, () => settled(line, failure, now));
    if (told && subscription!.channel === "in-app") await tellLive(host, told);
  }
}

function settled({ attempts, since }: Notification, failure: string | undefined, now: number): Record<string, unknown> {
  if (failure === undefined) return { status: "told", dueAt: null, lastError: null };
  if (now - Date.parse(since) > GIVE_UP_MS) return { status: "dead", dueAt: null, lastError: failure };
  return { lastError: failure, dueAt: iso(now + Math.min(30_000 * 2 ** (attempts - 1), 3_600_000)) };
}

const membershipsOf = async (
  host: Host,
  { userId, problemSetId }: ActivitySubscription,
): Promise<Record<string, Membership>> => {
  const { training } = await host.store(ProblemSet).get(MESH, problemSetId);
  return host.ask<Record<string, Membership>>("problem-sets.membershipsOf", { userId, training });
};

async function send(
  host: Host,
  subscription: ActivitySubscription,
  lines: readonly Notification[],
  reader: Actor,
): Promise<void> {
  // Lines in the app are told once they are written down as told.
  if (subscription.channel === "in-app") return;
  if (subscription.channel === "email") await mailTo(host, subscription, await named(host, lines, reader));
  else await post(host, subscription, await named(host, lines, reader));
}

/** Lines as the reader is shown them: what goes out of the platform can be looked up by nobody afterwards. */
async function named(host: Host, lines: readonly Notification[], reader: Actor): Promise<Notification[]> {
  const shown = structuredClone(lines) as Notification[];
  const references = shown.flatMap((line) => personsOf(line, line.problemSetId));
  if (references.length) await host.names.complete(references, reader);
  return shown;
}

async function mailTo(
  host: Host,
  { userId, problemSetId }: ActivitySubscription,
  lines: readonly Notification[],
): Promise<void> {
  const email = (await accountOf(host, userId))?.email;
  if (!email) throw new Error("The account has no address.");
  const { name } = await host.store(ProblemSet).get(MESH, problemSetId);
  const subject = lines.length === 1 ? `${name}: ${lines[0]!.summary}` : `${name}: ${lines.length} events`;
  await host.world.mail.send({
    to: [email],
    subject: upTo(200, subject.replace(/\s+/g, " ")),
    text: lines.map(({ at, summary }) => `${at}  ${summary}`).join("\n"),
  });
}

/** Signed as Standard Webhooks has it, with the subscription's own secret. */
async function post(
  host: Host,
  { id, url, secret, problemSetId }: ActivitySubscription,
  lines: readonly Notification[],
): Promise<void> {
  const key = Buffer.from(
    sealer(host)
      .open(secret, id)
      .toString()
      .replace(/^whsec_/, ""),
    "base64",
  );
  const messageId = derivedId(`delivery ${lines.map((line) => line.id).join()}`);
  const timestamp = Math.floor(host.world.clock.now() / 1_000);
  const told: z.output<typeof Told> = {
    type: "problem-set.activity",
    timestamp: iso(host.world.clock.now()),
    data: {
      problemSetId,
      items: lines.map(({ activityId, kind, summary, subject, at }) => ({
        id: activityId,
        kind,
        summary,
        ...(subject && { subject }),
        at,
      })),
    },
  };
  const body = JSON.stringify(told);
  const signature = createHmac("sha256", key).update(`${messageId}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
  const { status } = await host.world.outbound.post(url!, { headers, body, timeoutMs: 15_000 });
  if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}.`);
}

/** In-app subscribers of a person who is no longer a member hear nothing more: their subscriptions go with them. */
export async function unsubscribe(
  this: Host,
  { problemSetId, userId }: { problemSetId: string; userId: string },
): Promise<void> {
  for (const subscription of await this.store(ActivitySubscription).find(MESH, { problemSetId, userId }))
    await this.store(ActivitySubscription)
      .remove(MESH, subscription)
      .catch(() => {});
}
