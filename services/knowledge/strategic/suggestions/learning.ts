import type { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isAway, isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import { textOfDocument } from "../../documents/client.ts";
import type { DocumentRead } from "../../documents/events.ts";
import { Filing } from "../environments/environments.ts";
import type { DocumentPlaced } from "../environments/events.ts";
import { follow } from "../environments/filings.ts";
import { countsOf, frequent } from "./stems.ts";
import { Opinion } from "./suggestions.ts";

const MESH = asSystem("strategic");
/** The first pages of a document say what it is about. */
export const READ_CHARACTERS = 50_000;
const MOST_WORDS = 150;

/** A store that is away is none of it: the fact is told again until its words are learnt. */
const hasNoText = (error: unknown): boolean => isProblem(error) && !isAway(error);

/** Stores the words of a document's newest text in its filing. */
export async function learn(this: Host, told: z.output<typeof DocumentRead.payload>): Promise<void> {
  const { id, version, status } = told;
  if (status !== "ready") return;
  await follow.call(this, told);
  // It was withdrawn, or is being read again: another fact will follow.
  const text = await textOfDocument(this, id, READ_CHARACTERS).catch(nullIf(hasNoText));
  if (!text?.text) return;
  const words = frequent(countsOf(text.text), MOST_WORDS);
  await this.store(Filing)
    .amend(MESH, id, ({ read }) => (read < version ? { words, read: version } : null))
    .catch(nullIf(isNotFound));
}

/**
 * Placing a document answers its suggestions: for the chosen container a refusal ends, and the others shown to the same
 * person count as passed over.
 */
export async function weighPlacing(this: Host, placed: z.output<typeof DocumentPlaced.payload>): Promise<void> {
  const { id: containerId, documentId, by } = placed;
  const opinions = this.store(Opinion);
  const filing = await this.store(Filing).one(MESH, { _id: documentId });
  const sits = new Set([containerId, ...(filing?.containerIds ?? [])]);
  const at = iso(this.world.clock.now());
  for (const opinion of await opinions.find(MESH, { documentId })) {
    if (sits.has(opinion.containerId)) await opinions.removeAll(MESH, { _id: opinion.id });
    else if (opinion.userId === by)
      await opinions
        .amend(MESH, opinion.id, ({ verdict }) => (verdict === "suggested" ? { verdict: "passed-over", at } : null))
        .catch(nullIf(isNotFound));
  }
}

/** Removes opinions together with their container or document. */
export async function forget(this: Host, { id }: { id: string }): Promise<void> {
  await this.store(Opinion).removeAll(MESH, { containerId: id });
  await this.store(Opinion).removeAll(MESH, { documentId: id });
}
