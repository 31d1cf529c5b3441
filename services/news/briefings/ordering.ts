import { z } from "zod";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { isNotFound, unprocessable } from "../../../core/problem.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { Briefing, Order, ordered } from "./briefings.ts";
import { estimateSeconds } from "./estimate.ts";
import { visibleSources } from "../source-lists/client.ts";

export const GENERATE = "briefings.generate";
/** The job that makes a briefing. */
export const jobOf = (id: number): string => `${GENERATE}:${id}`;
const RECENT = 20;

/** Sources of the named list, else of the active one; undefined for all. */
export async function sourcesWanted(host: Host, sourceListId: number | undefined): Promise<number[] | undefined> {
  try {
    return (await visibleSources(host, sourceListId))?.sourceIds;
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
  sourceIds: number[] | undefined,
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
    sourceIds,
    seconds,
  );
  const briefing = await host
    .store(Briefing)
    .create(caller, { ...record, ...(channels && { channels }), ...(simulates(caller) && { training: true }) });
  // An order that came again is answered by the same briefing: one that is made was sent where it is to go.
  if (briefing.status === "generating")
    await host.jobs.add(
      GENERATE,
      { briefingId: briefing.id },
      { by: caller.meta.actor!.userId, key: String(briefing.id), onlookers: "everybody" },
    );
  return briefing;
}
