import type { z } from "zod";
import type { TextBlock, PageSpan } from "../../../adapters/texts/text.ts";
import type { IndexedPage } from "../../../adapters/texts/protocol.ts";
import type { Actor } from "../../../core/access/access.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Uploaded } from "../../../core/contract/input/upload.ts";
import { readWhole } from "../../../core/records/blobs.ts";
import { conflict, Problem, unprocessable } from "../../../core/problem.ts";
import { DocumentTaken } from "./alike.ts";
import type { Document, DocumentRow, Files, Version } from "./documents.ts";
import type { DocumentText, TextRequest } from "./texts.ts";

/** What the strategic door shows of documents: one store, two doors. */
export { DocumentTaken };
export { Document, documentQuery, DOCUMENT_KINDS, DocumentRow } from "./documents.ts";
export { documentRefusals, KINDS_TAKEN } from "./intake.ts";
export { OWNER as DOCUMENTS } from "./reading.ts";
export { betweenRunningHeads, DocumentText, MOST_TEXT } from "./texts.ts";
export type Text = z.output<typeof DocumentText>;

const ask = <T>(host: Host, action: string, params: object): Promise<T> => host.ask(`documents.${action}`, params);

/** The whole record, whoever asks: the caller is shown nothing that lies beyond their barrier. Throws 404. */
export const documentRecord = (host: Host, documentId: string): Promise<Document> => ask(host, "show", { documentId });

/** Documents by their ids, in their order, whoever asks: those of records behind the same barrier. At most a page. */
export const documentRows = (host: Host, ids: readonly string[]): Promise<z.output<typeof DocumentRow>[]> =>
  ids.length ? ask(host, "many", { ids }) : Promise.resolve([]);

/** A part of a document's newest text, whoever asks; 422 where there is none. */
export const textOfDocument = (host: Host, documentId: string, to: number): Promise<Text> =>
  ask(host, "texts.get", { documentId, from: 0, to });

/** The documents that an actor sees. */
export const documentsSeenBy = (host: Host, actor: Actor, query: object): Promise<{ data: Document[]; meta: any }> =>
  ask(host, "seenBy", { actor, query });

/** Takes a file in on somebody's behalf, as `POST /api/documents/upload` does. */
export const takeDocument = (
  host: Host,
  given: { actor: Actor; id: string; file: Uploaded; fields: object },
): Promise<Document & Pick<z.output<typeof DocumentTaken>, "duplicate" | "similar">> => ask(host, "take", given);

/** A part of a document's text, as `GET /api/documents/{documentId}/text` tells it. */
export const documentText = (host: Host, documentId: string, wanted: TextRequest): Promise<any> =>
  ask(host, "part", { documentId, wanted });

export const withdrawDocument = (
  host: Host,
  given: { actor: Actor; documentId: string; reason?: string | undefined },
): Promise<Document> => ask(host, "withdrawFor", given);

/** A change of a document's text: words from `start` until before `end` give way to others. */
export interface Edit {
  start: number;
  end: number;
  with: string;
}
/**
 * Makes the next version out of the text of `basis`, which is the newest, with these changes: each within one block,
 * none over another. Plain text stays plain text; all else becomes Markdown. Throws 409 where `basis` is not the newest.
 */
export const rewriteDocument = (
  host: Host,
  given: { actor: Actor; documentId: string; basis: number; edits: readonly Edit[] },
): Promise<Document> => ask(host, "rewrite", given);

export interface WholeText {
  documentId: string;
  version: number;
  text: string;
  pages: readonly PageSpan[];
  blocks: readonly TextBlock[];
}

/** Longer texts are not judged as a whole. */
const MOST_CHARACTERS = 5_000_000;

/** A version's text with its layout; null while it is being read. Throws 422 where there is none, 410 once it is gone. */
export async function wholeTextOf(host: Host, documentId: string, version?: number): Promise<WholeText | null> {
  const known = await ask<{ version: Version; files: Files }>(host, "lies", { documentId, version });
  const { status, reason, explanation, characters = 0 } = known.version;
  if (status === "unreadable")
    throw unprocessable("UNREADABLE", explanation ?? "It cannot be read.", { reason: reason ?? "damaged" });
  if (status !== "ready") return null;
  if (characters > MOST_CHARACTERS)
    throw unprocessable("TOO_LONG", `A text of more than ${MOST_CHARACTERS} characters is not judged as a whole.`);
  const [text, pages, blocks] = await Promise.all(
    [known.files.text, known.files.pages, known.files.blocks].map((id) => id && readWhole(host.world.blobs, id)),
  );
  if (!text || !pages || !blocks) throw conflict("The text was taken away meanwhile; read the document's record.");
  const indexed = JSON.parse(pages.toString()) as IndexedPage[];
  return {
    documentId,
    version: known.version.version,
    text: text.toString("utf16le"),
    pages: indexed.map(({ page, start, end }) => ({ page, start, end })),
    blocks: indexed.flatMap(
      ({ blocks: [from, to] }) => JSON.parse(blocks.toString("utf8", from, to) || "[]") as TextBlock[],
    ),
  };
}

/** Throws 410 for a document that was withdrawn. */
export function demandPresent({ status }: Document): void {
  if (status === "withdrawn")
    throw new Problem(410, "GONE", "This document was withdrawn; its record says when, by whom and why.");
}
