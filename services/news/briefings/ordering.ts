import { z } from "zod";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { isNotFound, unprocessable } from "../../../core/problem.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { Briefing, GENERATE, jobOf, Order, ordered } from "./briefings.ts";
import { STOPPED } from "../../../core/work/job.ts";
import { failBriefing } from "./briefing-job.ts";
import { estimateSeconds } from "./estimate.ts";
import { visibleSources, type Visible } from "../source-lists/client.ts";

const RECENT = 20;
/** An order is begun at once: what lies for longer was left behind. */
const LEFT_MS = 10_000;
const SWEPT = 100;
/** Nobody waits for an order of another day any more, and it would be sent to its channels. */
const STALE_MS = 86_400_000;

/** The named list, else the active one, with its sources; null for all. */
export async function sourcesWanted(host: Host, sourceListId: number | undefined): Promise<Visible | null> {
  try {
    return await visibleSources(host, sourceListId);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw unprocessable("UNKNOWN_SOURCE_LIST", `There is no source list ${sourceListId}.`, [
      { path: "sourceListId", message: "There is no such source list." },
    ]);
  }
}

/** Stores an order, and has it made in the background. */
export async function orderBriefing(
  host: Host,
  caller: Caller,
  wanted: z.output<z.ZodObject<typeof Order>>,
  narrowed: Visible | null,
  channels?: string[],
): Promise<Briefing> {
  const { hours, domains, minConfidence, maxArticles, sourceListId } = wanted;
  const recent = await host
    .store(Briefing)
    .find(
      asSystem("briefings"),
      { status: "completed" },
      { sort: ["-generatedAt"], limit: RECENT, fields: ["durationMs"] },
    );
  const seconds = estimateSeconds(
    recent.flatMap(({ durationMs }) => durationMs ?? []),
    maxArticles,
  );
  const record = ordered(
    { hours, domains, minConfidence, maxArticles, sourceListId },
    host.world.clock.now(),
    narrowed,
    seconds,
  );
  const briefing = await host
    .store(Briefing)
    .create(caller, { ...record, ...(channels && { channels }), ...(simulates(caller) && { training: true }) });
  // An order that came again is answered by the same briefing: one that is made was sent where it is to go.
  if (briefing.status === "generating") await begin(host, briefing.id, caller.meta.actor!.userId);
  return briefing;
}

const begin = (host: Host, briefingId: number, by: string): Promise<unknown> =>
  host.jobs.add(GENERATE, { briefingId }, { by, key: String(briefingId), onlookers: "everybody" });

/**
 * Orders without a job, after a kill in between, are begun, unless they are of another day; one whose job has ended
 * otherwise, because an administrator stopped it, is made by nobody any more and says so.
 */
export async function sweepOrders(this: Host): Promise<void> {
  const now = this.world.clock.now();
  const left = await this.store(Briefing).find(
    asSystem("briefings"),
    { status: "generating", createdAt: { $lt: iso(now - LEFT_MS) } },
    { limit: SWEPT },
  );
  for (const { id, createdBy, createdAt } of left) {
    const job = await this.jobs.get(jobOf(id));
    if (job?.status === "queued" || job?.status === "running") continue;
    if (job) await failBriefing(this, id, job.error ?? STOPPED);
    else if (Date.parse(createdAt) < now - STALE_MS)
      await failBriefing(this, id, "Its node ended before it was begun.");
    else await begin(this, id, createdBy);
  }
}
