import { z } from "zod";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { askModel, type Marks } from "../../model-questions.ts";
import { MOST_POINTS, onOneLine, type SentenceCandidate } from "./choosing.ts";

const Answer = z.object({ sentences: z.array(z.string().max(700)).max(3 * MOST_POINTS) });

/** This many of the weightiest sentences are put before the model. */
const MOST_SHOWN = 60;
const TASK =
  `Summarise the material by its own sentences: answer at most ${MOST_POINTS} of them, the most important one ` +
  "first, each exactly as it stands. Leave out what repeats another.";

/**
 * The sentences that a model takes for the summary, and why it had no part in it where one is configured and fails. What
 * it answers counts as far as it is one of the sentences that were put to it, whole; the rest is dropped.
 */
export async function sentencesByModel(
  host: Host,
  candidates: readonly SentenceCandidate[],
  signal: AbortSignal,
): Promise<{ chosen: SentenceCandidate[]; fault?: string }> {
  if (!candidates.length) return { chosen: [] };
  const shown = new Map(
    candidates.slice(0, MOST_SHOWN).map((one) => [onOneLine(one.source.text.slice(one.start, one.end)), one] as const),
  );
  const material = ({ quote }: Marks): string[] => [quote([...shown.keys()].join("\n"), "sentences of documents")];
  const { value, fault } = await askModel(
    host,
    { name: "container_summary", schema: Answer, task: TASK, material },
    { signal },
  );
  const chosen = new Set((value?.sentences ?? []).flatMap((one) => shown.get(onOneLine(one)) ?? []));
  return { chosen: [...chosen].slice(0, MOST_POINTS), ...(fault !== undefined && { fault }) };
}
