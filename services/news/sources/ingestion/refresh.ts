import { z } from "zod";
import type { Caller } from "../../../../core/access/caller.ts";
import { conflict, overloaded } from "../../../../core/problem.ts";
import { sourceView, Source, SourceView } from "../sources.ts";
import { FETCH_OUTCOMES } from "../events.ts";
import { fetchInWords, type Fetch } from "./fetches.ts";
import type { Sources } from "../host.ts";

/** What came of a refresh. */
export const Refreshed = z
  .object({
    outcome: z.enum([...FETCH_OUTCOMES, "running"]),
    message: z.string().describe("The outcome in words."),
    created: z.int(),
    updated: z.int(),
    notes: z.array(z.string()),
    source: SourceView,
  })
  .meta({ id: "SourceRefresh" });
type Answer = z.input<typeof Refreshed>;

/** How long a refresh is waited for, milliseconds: well below the time a client waits. */
export const REFRESH_WAIT_MS = 15_000;

const running = (source: Source, message: string): Answer => ({
  outcome: "running",
  message,
  created: 0,
  updated: 0,
  notes: [],
  source: sourceView(source),
});

/** Settles with the work, or with "late". */
async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, milliseconds, "late");
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Fetches a source now and says what came of it. Throws 409 where the source is off, 503 where the node stops
 * meanwhile.
 */
export async function refresh(sources: Sources, caller: Caller, source: Source): Promise<Answer> {
  if (!source.active) throw conflict("This source is off; turn it on to fetch it.");
  const begun = await sources.ingestion.refresh(source.id);
  if (!begun) return running(source, "It is being fetched at this moment.");
  const fetch: Fetch | "late" | undefined = await within(begun.ended, REFRESH_WAIT_MS);
  if (fetch === undefined) throw overloaded("This node is stopping; try again.");
  const after = await sources.store(Source).get(caller, source.id);
  if (fetch === "late") return running(after, "It takes longer; the fetch goes on.");
  return {
    outcome: fetch.outcome,
    message: fetchInWords(fetch),
    created: fetch.created,
    updated: fetch.updated,
    notes: fetch.notes,
    source: sourceView(after),
  };
}
