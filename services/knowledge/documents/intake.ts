import { detect, mediaTypeOf } from "../../../adapters/texts/detect.ts";
import type { Format } from "../../../adapters/texts/text.ts";
import { actorOf, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { newId } from "../../../core/ids.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import type { Uploaded } from "../../../core/contract/input/upload.ts";
import { conflict, isConflict, nullIf, Problem, unprocessable } from "../../../core/problem.ts";
import { readWhole } from "../../../core/records/blobs.ts";
import { Document, MOST_VERSIONS, named, samenessOf, versionOf, withVersion, type Version } from "./documents.ts";
import { DocumentAdded, DocumentVersioned } from "./events.ts";
import { withinQuota } from "./quota.ts";
import { begin, OWNER } from "./reading.ts";

export const KINDS_TAKEN =
  "PDF, DOCX, ODT, HTML, Markdown or plain text, by what the bytes are and not what they are called. The " +
  "text is read in the background: `GET /api/documents/{documentId}/text` says when it is there. A file " +
  "that cannot be read stays, and its record says why (`encrypted`, `damaged`, `no-text`, `too-big`).";
export const documentRefusals = {
  409: "The documents of the set have reached their limit of bytes or number (`QUOTA`, `CONFLICT`).",
  413: "The file is larger than the installation takes (MAX_UPLOAD_BYTES).",
  415: "No multipart/form-data, or a file of another kind; the message says what it is.",
  422: "The file has no bytes (`EMPTY_FILE`).",
};
const TAKEN = "PDF, DOCX, ODT, HTML, Markdown and plain text are taken";

/** What kind of document was sent, by its bytes. Throws 415 for an unknown kind, 422 for an empty file. */
async function formatOf(host: Host, { blob, bytes, name }: Uploaded): Promise<Format> {
  if (!bytes) throw unprocessable("EMPTY_FILE", "The file has no bytes.");
  const read = async (start: number, end: number): Promise<Buffer> =>
    (await readWhole(host.world.blobs, blob, { start, end })) ?? Buffer.alloc(0);
  const found = await detect(read, bytes, name);
  if ("format" in found) return found.format;
  throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", `${TAKEN}; this file is ${found.instead}.`);
}

const told = (document: Document) => ({
  id: document.id,
  problemSetId: document.problemSetId,
  compartments: document.compartments,
  title: document.title,
  version: document.version,
});

function versionFrom(host: Host, ctx: Caller, file: Uploaded, format: Format, version: number): Version {
  const { name: fileName, bytes, sha256 } = file;
  const at = iso(host.world.clock.now());
  const type = mediaTypeOf(format);
  return { version, fileName, format, type, bytes, sha256, status: "received", at, by: actorOf(ctx) };
}

const titleOf = (fileName: string): string => fileName.replace(/\.\w{1,10}$/, "") || fileName;

export interface Received {
  document: Document;
  /** These bytes lay there already. */
  duplicate: boolean;
}

/** Takes in a new document; one with these bytes in the same place is answered in its stead. */
export async function receive(
  host: Host,
  ctx: Caller,
  file: Uploaded,
  fields: {
    problemSetId: string;
    compartments: string[];
    title?: string | undefined;
    description?: string | undefined;
    [more: string]: unknown;
  },
  id = nextId(ctx, Document.name),
): Promise<Received> {
  const store = host.store(Document);
  const same = samenessOf(fields, file.sha256);
  let document = await store.one(ctx, { same });
  if (!document) {
    const format = await formatOf(host, file);
    const none = { versions: [], files: [], version: 0 };
    const title = fields.title ?? titleOf(file.name);
    const given = {
      ...fields,
      id,
      title,
      words: named({ ...fields, title }),
      same,
      ...withVersion(none, versionFrom(host, ctx, file, format, 1), { version: 1, original: file.blob }),
    };
    const facts = (made: Document) => [DocumentAdded.fact(made.id, { ...told(made), by: actorOf(ctx) })];
    // Somebody else may have sent the same bytes meanwhile.
    const create = () => withinQuota(host, fields.problemSetId, file.bytes, () => store.create(ctx, given, { facts }));
    document = await create().catch(async (error: unknown) => {
      const other = isConflict(error) && (await store.one(ctx, { same }));
      if (!other) throw error;
      return other;
    });
  }
  await discardUnlessTaken(host, document, file);
  await begin(host, document);
  return { document, duplicate: document.id !== id };
}

/** Takes in a new version; the bytes that the newest has already make none. */
export async function receiveVersion(
  host: Host,
  ctx: Caller,
  before: Document,
  file: Uploaded,
  known?: Format,
): Promise<Received> {
  if (before.status === "withdrawn") throw conflict("This document was withdrawn; put it in anew.");
  const store = host.store(Document);
  const duplicate = versionOf(before)?.sha256 === file.sha256;
  let document = before;
  if (!duplicate) {
    if (before.versions.length >= MOST_VERSIONS) throw conflict(`A document has at most ${MOST_VERSIONS} versions.`);
    const format = known ?? (await formatOf(host, file));
    const version = before.version + 1;
    const change = {
      ...withVersion(before, versionFrom(host, ctx, file, format, version), { version, original: file.blob }),
      same: samenessOf(before, file.sha256),
    };
    const facts = [DocumentVersioned.fact(before.id, { ...told(before), version, by: actorOf(ctx) })];
    document = await withinQuota(host, before.problemSetId, file.bytes, () =>
      store.revise(ctx, before, change, { facts }),
    );
  }
  await discardUnlessTaken(host, document, file);
  await begin(host, document);
  return { document, duplicate };
}

async function discardUnlessTaken(host: Host, { blobs }: Document, { blob }: Uploaded): Promise<void> {
  // What cannot be removed now is swept away later.
  if (!blobs.includes(blob)) await host.world.blobs.remove(blob).catch(nullIf(() => true));
}

/** A text as a file that was uploaded: kept already, to be taken over. */
export async function textFile({ world: { blobs } }: Host, name: string, text: string): Promise<Uploaded> {
  const blob = `${OWNER}/${newId()}`;
  const stored = await blobs.put(
    blob,
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  return { blob, name, ...stored };
}
