import type { Ctx } from "../../../core/access/caller.ts";
import { notFound } from "../../../core/problem.ts";

/** A document's text as its reader may see it, or the beginning of a long one. */
export interface DocumentText {
  documentId: string;
  title: string;
  version: number;
  /** When it was put in. */
  at: string;
  text: string;
  pages: readonly { page: number; start: number; end: number }[];
  /** Headings, and what is repeated on each page: they assert nothing. */
  frame: readonly { start: number; end: number }[];
}

interface Row {
  id: string;
  problemSetId: string;
  title: string;
  status: string;
  version: number;
  createdAt: string;
}
interface Part {
  text?: string;
  version: number;
  characters?: number;
  pages?: { page: number; start: number; end: number }[];
  blocks?: { kind: string; start: number; end: number }[];
}

/** Characters in one answer of the documents. */
const PIECE = 100_000;
const FRAME: ReadonlySet<string> = new Set(["heading", "running-head"]);

/** The text of one that can be read, up to so many characters; null where it is gone or is not read yet. */
async function textOf(ctx: Ctx<unknown>, row: Row, most: number): Promise<DocumentText | null> {
  const { id: documentId, title, createdAt: at } = row;
  let [text, version] = ["", row.version];
  const pages = new Map<number, { page: number; start: number; end: number }>();
  const frame = new Map<number, { start: number; end: number }>();
  for (let from = 0, end = 1; from < end; from += PIECE) {
    const to = Math.min(from + PIECE, most);
    const part = await ctx.call<Part, object>("documents.texts.get", { documentId, version, from, to });
    if (part.text === undefined) return null;
    text += part.text;
    version = part.version;
    end = Math.min(part.characters ?? 0, most);
    for (const page of part.pages ?? []) pages.set(page.page, page);
    for (const block of part.blocks ?? []) if (FRAME.has(block.kind)) frame.set(block.start, block);
  }
  return {
    documentId,
    title,
    version,
    at,
    text: text.toWellFormed() === text ? text : text.slice(0, -1),
    pages: [...pages.values()],
    frame: [...frame.values()],
  };
}

/**
 * The texts that the caller sees in a problem set, the newest first, or of these documents; those that cannot be read
 * are left out. Asked as the caller: 404 for a named one that they do not see.
 */
export async function sourcesOf(
  ctx: Ctx<unknown>,
  {
    problemSetId,
    documentIds,
    documents = 20,
    characters = 200_000,
  }: {
    problemSetId: string;
    documentIds?: readonly string[] | undefined;
    documents?: number;
    characters?: number;
  },
): Promise<DocumentText[]> {
  const rows = documentIds
    ? await Promise.all(documentIds.map((documentId) => ctx.call<Row, object>("documents.get", { documentId })))
    : (
        await ctx.call<{ data: Row[] }, object>("documents.list", {
          problemSetId,
          status: "ready",
          limit: documents,
          sort: "-createdAt",
        })
      ).data;
  const found: DocumentText[] = [];
  for (const row of rows) {
    if (row.problemSetId !== problemSetId) throw notFound("document", row.id);
    const source = row.status === "ready" ? await textOf(ctx, row, characters) : null;
    if (source) found.push(source);
  }
  return found;
}
