import { z } from "zod";
import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { sha256 } from "../../../core/ids.ts";
import { keysOf, resemblance } from "../../../core/text/resemblance.ts";
import { Document } from "./documents.ts";

/** From here on two texts are named to be alike. */
const ALIKE = 0.5;
const MOST_LOOKED_AT = 300;
const MOST_NAMED = 10;

export const Similar = z
  .array(
    z.object({
      documentId: z.string(),
      title: z.string(),
      version: z.int(),
      likeness: z.number().describe("Share of their runs of four words that both have, 0.5 to 1."),
    }),
  )
  .describe("Documents of the set that you see with much the same text; none before it was read.");

/** A document that was just put in, or lay there. */
export const DocumentTaken = Document.view
  .extend({
    duplicate: z.boolean().describe("The same file exists already: this is that document."),
    similar: Similar,
  })
  .meta({ id: "DocumentTaken" });

/** What a document is found by among those of its set. */
export const alikeness = (problemSetId: string, sketch: string | undefined) => {
  const mark = sha256(problemSetId).slice(0, 8);
  return { sketch: sketch ?? null, alike: sketch ? keysOf(sketch).map((key) => `${mark}.${key}`) : null };
};

/** Documents with much the same text, as far as the caller sees them, the most alike first. */
export async function similarTo(host: Host, ctx: Caller, document: Document): Promise<z.input<typeof Similar>> {
  const { id, problemSetId, sketch, alike, status } = document;
  if (!sketch || !alike || status === "withdrawn") return [];
  const near = await host
    .store(Document)
    .find(
      ctx,
      { problemSetId, alike: { $in: alike } },
      { limit: MOST_LOOKED_AT, fields: ["title", "version", "sketch"] },
    );
  return near
    .filter((other) => other.id !== id && other.sketch)
    .map(({ id: documentId, title, version, sketch: theirs }) => ({
      ...{ documentId, title, version },
      likeness: Math.round(100 * resemblance(sketch, theirs!)) / 100,
    }))
    .filter(({ likeness }) => likeness >= ALIKE)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, MOST_NAMED);
}
