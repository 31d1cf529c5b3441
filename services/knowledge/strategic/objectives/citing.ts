import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Citation, CitedPlace } from "../../../../core/contract/citation.ts";
import { invalid, isProblem, Problem, unprocessable } from "../../../../core/problem.ts";
import { cite, quoteHolds } from "../../../../core/text/citations.ts";

/** Characters before and after a quote that are read with it. */
const AROUND = 64;
const LONGEST_QUOTE = 5_000;

/** A document and a part of its text, as the domain of documents answers them. */
interface Document {
  id: string;
  problemSetId: string;
  compartments: string[];
  version: number;
  title: string;
}
export interface PartOfText {
  status: string;
  version: number;
  start: number;
  end: number;
  characters: number;
  text: string;
  pages: { page: number; start: number; end: number }[];
}

/** A document as the caller sees it; 404 where they do not. */
export const documentOf = (ctx: Ctx<unknown>, documentId: string): Promise<Document> =>
  ctx.call<Document, object>("documents.get", { documentId });
/** A part of its text; 404, 410 or 422 where there is none for the caller. */
export const citedPart = (
  ctx: Ctx<unknown>,
  wanted: { documentId: string; version?: number | undefined; from?: number; to?: number; page?: number },
): Promise<PartOfText> => ctx.call<PartOfText, object>("documents.texts.get", wanted);

/** Cites a part of a text; `part` contains it with its surroundings. */
export function citeIn(documentId: string, part: PartOfText, { start, end }: { start: number; end: number }): Citation {
  const pages = part.pages.map((one) => ({ page: one.page, start: one.start - part.start, end: one.end - part.start }));
  const cited = cite(
    { documentId, version: part.version, text: part.text, pages },
    { start: start - part.start, end: end - part.start },
  );
  return { ...cited, start, end };
}

/**
 * Reads the words at these places, as the caller may. Throws 400 for an invalid place, or one in another problem set,
 * 422 where people would see the record who may not read the document.
 */
export async function citationsAt(
  ctx: Ctx<unknown>,
  places: readonly CitedPlace[],
  within: { problemSetId: string; compartments: readonly string[] },
): Promise<Citation[]> {
  const citations: Citation[] = [];
  for (const [at, place] of places.entries()) {
    const { documentId, start, end, version } = place;
    const wrong = (field: string, message: string): Problem => invalid([{ path: `citations.${at}.${field}`, message }]);
    if (end <= start || end - start > LONGEST_QUOTE)
      throw wrong("end", `A quote has between one and ${LONGEST_QUOTE} characters.`);
    const document = await documentOf(ctx, documentId);
    if (document.problemSetId !== within.problemSetId)
      throw wrong("documentId", "The document lies in another problem set.");
    if (unionOfCompartments([document]).some((id) => !within.compartments.includes(id)))
      throw unprocessable("COMPARTMENTS", "What cites a document lies in the compartments that the document lies in.");
    const to = Math.min(end + AROUND, Number.MAX_SAFE_INTEGER);
    const part = await citedPart(ctx, { documentId, version, from: Math.max(0, start - AROUND), to });
    if (part.status !== "ready") throw unprocessable("NOT_READ", "The document's text is still being read.");
    if (end > part.end) throw wrong("end", `The text has ${part.characters} characters.`);
    try {
      citations.push(citeIn(documentId, part, { start, end }));
    } catch (error) {
      if (error instanceof RangeError) throw wrong("start", error.message);
      throw error;
    }
  }
  return citations;
}

/** Whether a citation still holds, and if not, why, in words for the caller. */
export async function citationStanding(
  ctx: Ctx<unknown>,
  citation: Citation,
): Promise<{ holds: boolean; why: string }> {
  const { documentId, version, start, end, page } = citation;
  try {
    const part = await citedPart(ctx, { documentId, version, from: start, to: end });
    if (part.status !== "ready") return { holds: false, why: "The document's text is being read." };
    const isThere = quoteHolds({ ...citation, start: 0, end: part.text.length }, part.text);
    if (!isThere) return { holds: false, why: "The quoted words do not stand there." };
    return { holds: true, why: `The quoted words stand on page ${page} of version ${version}.` };
  } catch (error) {
    if (!isProblem(error) || ![403, 404, 410, 422].includes(error.code)) throw error;
    return { holds: false, why: error.code === 410 ? "The document was withdrawn." : "You cannot read the document." };
  }
}
