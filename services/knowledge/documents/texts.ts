import { z } from "zod";
import type { IndexedPage } from "../../../adapters/texts/protocol.ts";
import { BLOCK_KINDS, REASONS, type TextBlock } from "../../../adapters/texts/text.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { conflict, invalid, notFound, Problem, unprocessable } from "../../../core/problem.ts";
import { readWhole } from "../../../core/records/blobs.ts";
import { filesOf, isUnderWay, versionOf, type Document, type Files, type Version } from "./documents.ts";
import { jobOf } from "./reading.ts";

/** Characters in one answer. */
export const MOST_TEXT = 100_000;
/** Blocks are told up to so many bytes of them. */
const MOST_BLOCK_BYTES = 2_097_152;

const Place = { page: z.int(), start: z.int(), end: z.int() };
export const DocumentText = z
  .object({
    documentId: z.string(),
    version: z.int(),
    status: z.enum(["received", "reading", "ready"]),
    jobId: z.string().optional().describe("While it is being read: `GET /api/jobs/{id}` shows its progress."),
    characters: z.int().optional().describe("Length of the whole text in UTF-16 units."),
    pageCount: z.int().optional(),
    start: z.int().optional().describe("Where this part begins in the whole text."),
    end: z.int().optional().describe("Where it ends, exclusive."),
    text: z.string().optional().describe("NFC, lines parted by `\\n`."),
    pages: z.array(z.object(Place)).optional().describe("Pages that this part touches, by offsets in the whole text."),
    blocks: z
      .array(
        z.object({
          kind: z.enum(BLOCK_KINDS),
          level: z.int().optional(),
          ...Place,
          box: z.array(z.number()).length(4).optional().describe("Left, bottom, right, top on the page, in points."),
        }),
      )
      .optional()
      .describe("Headings, paragraphs, items, rows of these pages; left out where they are very many."),
  })
  .meta({ id: "DocumentText" });

export interface TextRequest {
  version?: number | undefined;
  page?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** The version that is asked for. Throws 404 without it, 410 where the document was taken back. */
export function demandVersion(document: Document, wanted: number | undefined): { version: Version; files: Files } {
  if (document.status === "withdrawn")
    throw new Problem(410, "GONE", "This document was withdrawn; its record says when, by whom and why.");
  const [version, files] = [versionOf(document, wanted), filesOf(document, wanted)];
  if (!version || !files) throw notFound("version", wanted ?? document.version);
  return { version, files };
}

function rangeOf({ page, from, to }: TextRequest, pages: readonly IndexedPage[], characters: number): [number, number] {
  if (page !== undefined) {
    if (from !== undefined || to !== undefined)
      throw invalid([{ path: "page", message: "Ask for a page, or for a range: not for both." }]);
    const found = pages[page - 1];
    if (!found) throw notFound("page", page);
    // A document without pages has one page, which may be all of it.
    return [found.start, Math.min(found.end, found.start + MOST_TEXT)];
  }
  const start = Math.min(from ?? 0, characters);
  if (to !== undefined && to < start) throw invalid([{ path: "to", message: "The range ends before it begins." }]);
  return [start, Math.min(to ?? start + MOST_TEXT, characters)];
}

async function part(host: Host, id: string | undefined, start: number, end: number): Promise<Buffer> {
  const bytes = id && (await readWhole(host.world.blobs, id, { start, end }));
  if (!bytes) throw conflict("The text was taken away meanwhile; read the document's record.");
  return bytes;
}

async function blocksOf(host: Host, files: Files, touched: readonly IndexedPage[]): Promise<TextBlock[] | undefined> {
  const [first, last] = [touched[0]?.blocks[0] ?? 0, touched.at(-1)?.blocks[1] ?? 0];
  if (last - first > MOST_BLOCK_BYTES) return undefined;
  const bytes = await part(host, files.blocks, first, last);
  return touched.flatMap(({ blocks: [from, to] }) =>
    JSON.parse(bytes.toString("utf8", from - first, to - first) || "[]"),
  ) as TextBlock[];
}

/** A part of a document's text. Throws 422 with the reason where it has none. */
export async function textPart(
  host: Host,
  document: Document,
  wanted: TextRequest,
): Promise<z.input<typeof DocumentText>> {
  const { version, files } = demandVersion(document, wanted.version);
  const about = { documentId: document.id, version: version.version };
  if (version.status === "unreadable")
    throw unprocessable("UNREADABLE", version.explanation ?? "It cannot be read.", {
      reason: version.reason ?? REASONS[1],
    });
  if (isUnderWay(version)) return { ...about, status: version.status as "received" | "reading", jobId: jobOf(about) };
  const characters = version.characters ?? 0;
  const pages = JSON.parse((await part(host, files.pages, 0, Infinity)).toString()) as IndexedPage[];
  const [start, end] = rangeOf(wanted, pages, characters);
  if (end - start > MOST_TEXT)
    throw invalid([{ path: "to", message: `At most ${MOST_TEXT} characters are told at once.` }]);
  const touched = pages.filter((page) => page.start <= end && page.end >= start);
  const [text, blocks] = await Promise.all([
    part(host, files.text, start * 2, end * 2),
    blocksOf(host, files, touched),
  ]);
  const read = text.toString("utf16le");
  // Where we choose the end, it cuts no character in two: the other half follows with the next part.
  const told = wanted.to === undefined && end < characters ? read.replace(/[\uD800-\uDBFF]$/, "") : read;
  return {
    ...about,
    status: "ready",
    characters,
    pageCount: pages.length,
    start,
    end: start + told.length,
    text: told,
    pages: touched.map(({ page, start: from, end: to }) => ({ page, start: from, end: to })),
    ...(blocks && { blocks }),
  };
}

/** The parts of a text that stand between what is repeated on each page, by offsets in the whole text. */
export function betweenRunningHeads({
  text = "",
  start = 0,
  blocks = [],
}: Pick<z.output<typeof DocumentText>, "text" | "start" | "blocks">): { text: string; start: number }[] {
  const end = start + text.length;
  const heads = blocks.filter((block) => block.kind === "running-head" && block.start < end && block.end > start);
  const bounds = [start, ...heads.flatMap((head) => [Math.max(start, head.start), Math.min(end, head.end)]), end];
  const parts: { text: string; start: number }[] = [];
  for (let at = 0; at < bounds.length; at += 2) {
    const [from, to] = [bounds[at]!, bounds[at + 1]!];
    if (to > from) parts.push({ text: text.slice(from - start, to - start), start: from });
  }
  return parts;
}
