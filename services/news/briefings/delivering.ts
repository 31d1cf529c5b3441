import { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { conflict, invalid, upstream } from "../../../core/problem.ts";
import type { JobKind, JobRun } from "../../../core/work/job.ts";
import { Simulated } from "../../../core/access/training-mode.ts";
import type { WebhookType } from "../../../core/contract/webhook.ts";
import { Instant } from "../../../core/records/entity.ts";
import { Briefing } from "./briefings.ts";

export const Delivery = z
  .object({
    delivered: z.boolean().describe("Whether every channel took it."),
    channels: z.array(
      z.object({
        channel: z.string(),
        success: z.boolean(),
        error: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    simulated: Simulated,
  })
  .meta({ id: "BriefingDelivery" });

const SENT = { id: true, title: true, period: true, stats: true, articles: true, method: true } as const;

export const DeliveredBriefing = {
  name: "briefing.delivered",
  summary: "A briefing is delivered to the channel `webhook:<name>`",
  description:
    "Goes to the address that `DELIVERY_WEBHOOKS` names so, when somebody delivers a briefing there or a schedule does. " +
    "It is not signed: let the address hold a secret. Any 2xx within ten seconds takes it; 408, 429 and 5xx are tried " +
    "twice more.",
  body: z.object({
    briefing: Briefing.view.pick(SENT).extend({ content: z.string().describe("Markdown."), generatedAt: Instant }),
  }),
  headers: { "Idempotency-Key": "The same at each attempt for one briefing." },
} satisfies WebhookType;

/** Returns a briefing that is complete; throws 409 for one that is not. */
export const finished = (briefing: Briefing) => {
  if (briefing.status !== "completed")
    throw conflict(`This briefing is ${briefing.status}.`, { status: briefing.status });
  return { ...briefing, content: briefing.content!, generatedAt: briefing.generatedAt! };
};

/** Sends a briefing to channels; in training it only says what it would do. 400 names a channel that there is not. */
export async function deliver(
  host: Host,
  briefing: Briefing,
  names: readonly string[],
  simulated = false,
): Promise<z.output<typeof Delivery>> {
  const { channels } = host.world;
  const known = channels.known().map((one) => one.name);
  const unknown = names.flatMap((name, at) =>
    channels.knows(name)
      ? []
      : [{ path: `channels.${at}`, message: `There is no channel ${name}; there are ${known.join(", ")}.` }],
  );
  if (unknown.length) throw invalid(unknown);
  if (simulated || briefing.training)
    return {
      delivered: true,
      simulated: true,
      channels: [...new Set(names)].map((channel) => ({
        channel,
        success: true,
        note: "Simulated: in training nothing is sent.",
      })),
    };
  const results = await Promise.all([...new Set(names)].map((name) => channels.deliver(name, finished(briefing), {})));
  return {
    delivered: results.every(({ success }) => success),
    channels: results.map(({ channel, success, error, note }) => ({
      channel,
      success,
      ...(error && { error }),
      ...(note && { note }),
    })),
  };
}

/** The kind of job that sends a scheduled briefing to one channel. */
export const DELIVER = "briefings.deliver";
/** Waits two minutes longer after each attempt: the last one is made after almost an hour. */
export const DELIVERING: JobKind<{ briefingId: number; channel: string }> = { attempts: 8, backoffMs: 120_000, run };

async function run(this: Host, { job }: JobRun<{ briefingId: number; channel: string }>): Promise<unknown> {
  const { briefingId, channel } = job.input;
  const briefing = await this.store(Briefing).get(asSystem("briefings"), briefingId);
  const { channels } = await deliver(this, briefing, [channel]);
  const refused = channels.find(({ success }) => !success);
  if (refused)
    throw upstream(502, "UPSTREAM_CHANNEL", `Briefing ${briefingId} did not reach ${channel}: ${refused.error}`);
  return { channels };
}
