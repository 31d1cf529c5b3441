import { z } from "zod";
import type { ReadDocument } from "../../../adapters/texts/protocol.ts";
import { REASONS, Unreadable, WRONG_PASSWORD } from "../../../adapters/texts/text.ts";
import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../core/contract/live.ts";
import { newId } from "../../../core/ids.ts";
import { conflict, isNotFound, nullIf, unprocessable } from "../../../core/problem.ts";
import { readWhole } from "../../../core/records/blobs.ts";
import type { Job, JobRun } from "../../../core/work/job.ts";
import { alikeness } from "./alike.ts";
import {
  Document,
  filesOf,
  isUnderWay,
  DOCUMENT_STATES,
  versionOf,
  withVersion,
  type Files,
  type Version,
} from "./documents.ts";
import { DocumentRead } from "./events.ts";

export const READ = "documents.read";
/** Owner of the domain's blobs. */
export const OWNER = "documents";
const MESH = asSystem("documents");
/** Blobs that no record names are swept away when no upload and no reading can still be about to name them. */
const ORPHAN_MS = 3_600_000;
const SLICE = 100;

export const DocumentChanged = liveType("document.changed", {
  domain: "documents",
  summary: "A document that you see got on: it is being read, can be read, cannot be, or was withdrawn",
  payload: z.object({
    id: z.string(),
    version: z.int(),
    status: z.enum(DOCUMENT_STATES),
    reason: z.enum(REASONS).optional(),
  }),
  may: "documents:read",
});

interface Input {
  documentId: string;
  version: number;
}
const keyOf = ({ documentId, version }: Input): string => `${documentId}:${version}`;
/** The id of the job that reads a version. */
export const jobOf = (input: Input): string => `${READ}:${keyOf(input)}`;

/** Has the newest version read, unless that was done; harmless when repeated. */
export async function begin(host: Host, document: Document): Promise<void> {
  const { id: documentId, version, versions } = document;
  const newest = versions.find((one) => one.version === version);
  if (newest && isUnderWay(newest))
    await host.jobs.add(
      READ,
      { documentId, version },
      { by: newest.by, onlookers: document, key: keyOf({ documentId, version }) },
    );
}

/** The same when it was told: the node that took the document in may have died before it began. */
export async function beginTold(this: Host, { id }: { id: string }): Promise<void> {
  const document = await this.store(Document).get(MESH, id).catch(nullIf(isNotFound));
  if (document && document.status !== "withdrawn") await begin(this, document);
}

export function tellChange(host: Host, document: Document): Promise<unknown> {
  const { id, problemSetId, compartments, version, status } = document;
  const reason = status === "unreadable" ? versionOf(document, version)?.reason : undefined;
  return live(host, {
    event: DocumentChanged,
    to: { problemSetId, compartments },
    data: { id, version, status, ...(reason && { reason }) },
  });
}

/** Writes down how far a version is; null where there is nothing more to be written of it. */
async function advance(
  host: Host,
  { documentId, version }: Input,
  change: Partial<Version>,
  more: Partial<Files> = {},
  { from = isUnderWay, sketch }: { from?: (version: Version) => boolean; sketch?: string | undefined } = {},
): Promise<Document | null> {
  const isEnd = change.status === "ready" || change.status === "unreadable";
  let by = "";
  const changed = await host
    .store(Document)
    .amend(
      MESH,
      documentId,
      (document) => {
        const [known, files] = [versionOf(document, version), filesOf(document, version)];
        if (!known || !files || !from(known)) return null;
        by = known.by;
        return {
          ...withVersion(document, { ...known, ...change }, { ...files, ...more }),
          ...(isEnd && version === document.version && alikeness(document.problemSetId, sketch)),
        };
      },
      {
        facts: ({ id, problemSetId, compartments, title }: Document) =>
          isEnd
            ? [
                DocumentRead.fact(id, {
                  ...{ id, problemSetId, compartments, title, version, by },
                  status: change.status as "ready" | "unreadable",
                  ...(change.reason && { reason: change.reason }),
                }),
              ]
            : [],
      },
    )
    .catch(nullIf(isNotFound));
  if (changed) await tellChange(host, changed);
  return changed;
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Stores what was read, before the record names it: what is killed in between is swept away. */
async function keep(
  host: Host,
  { text, pages, blocks }: ReadDocument,
): Promise<Required<Omit<Files, "version" | "original">>> {
  const put = async (bytes: Uint8Array): Promise<string> => {
    const id = `${OWNER}/${newId()}`;
    await host.world.blobs.put(id, once(bytes));
    return id;
  };
  const [atText, atPages, atBlocks] = await Promise.all([put(text), put(pages), put(blocks)]);
  return { text: atText, pages: atPages, blocks: atBlocks };
}

/** Keeps what was read of a version; null where it is not wanted any more. */
async function finish(
  host: Host,
  input: Input,
  read: ReadDocument,
  from?: (version: Version) => boolean,
): Promise<Document | null> {
  const kept = await keep(host, read);
  const { characters, pageCount: pages, repaired, pagesUnread, language, sketch } = read;
  const change = {
    ...{ status: "ready" as const, characters, pages, reason: undefined, explanation: undefined },
    ...(language && { language }),
    ...(repaired && { repaired }),
    ...(pagesUnread && { pagesUnread }),
  };
  const done = await advance(host, input, change, kept, { sketch, ...(from && { from }) });
  if (!done) for (const id of Object.values(kept)) await host.world.blobs.remove(id);
  return done;
}

const isLocked = ({ status, reason }: Version): boolean => status === "unreadable" && reason === "encrypted";

/**
 * Reads the newest version with a password, which is kept nowhere. Throws 409 where it wants none, 422 where it is the
 * wrong one or what it opens cannot be read.
 */
export async function unlock(host: Host, document: Document, password: string, signal: AbortSignal): Promise<Document> {
  const input = { documentId: document.id, version: document.version };
  const [known, files] = [versionOf(document), filesOf(document)];
  if (document.status === "withdrawn" || !known || !files || !isLocked(known))
    throw conflict("A password opens an encrypted document that has not been read.");
  const bytes = await readWhole(host.world.blobs, files.original);
  try {
    const read = await host.world.texts.read(bytes ?? Buffer.alloc(0), known.format, signal, password);
    return (await finish(host, input, read, isLocked)) ?? (await host.store(Document).get(MESH, document.id));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const isWrong = error.message === WRONG_PASSWORD;
    throw unprocessable(isWrong ? "WRONG_PASSWORD" : "UNREADABLE", error.message, { reason: error.reason });
  }
}

/** Reads the text of a version. Killed at any moment, it is begun anew and comes to the same. */
export async function run(this: Host, { job, signal, progress }: JobRun<Input>): Promise<{ status: string }> {
  const { input } = job;
  const { blobs, texts } = this.world;
  const document = await this.store(Document).get(MESH, input.documentId).catch(nullIf(isNotFound));
  const known = document && versionOf(document, input.version);
  const files = document && filesOf(document, input.version);
  if (!known || !files || !isUnderWay(known)) return { status: known?.status ?? "withdrawn" };
  await progress("reading", 0, 1);
  await advance(this, input, { status: "reading" });
  try {
    const bytes = await readWhole(blobs, files.original);
    if (!bytes) throw new Unreadable("damaged", "Its bytes are not in the store any more.");
    const read = await texts.read(bytes, known.format, signal);
    return { status: (await finish(this, input, read)) ? "ready" : "withdrawn" };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    await advance(this, input, { status: "unreadable", reason: error.reason, explanation: error.message });
    return { status: "unreadable" };
  }
}

/** What failed again and again, or took its node down each time, is not tried for ever. */
export async function giveUp(this: Host, { input }: Job): Promise<void> {
  const explanation = "Reading it failed several times; the log says why.";
  await advance(this, input as unknown as Input, { status: "unreadable", reason: "damaged", explanation });
}

/** Removes blobs that no document names: of uploads that were refused, and of readings that were killed. */
export async function sweep(this: Host): Promise<number> {
  let [old, removed]: [string[], number] = [[], 0];
  const sift = async (): Promise<void> => {
    const named = await this.store(Document).find(MESH, { blobs: { $in: old } }, { fields: ["blobs"] });
    const wanted = new Set(named.flatMap(({ blobs }) => blobs));
    for (const id of old.filter((one) => !wanted.has(one))) {
      await this.world.blobs.remove(id);
      removed += 1;
    }
    old = [];
  };
  for await (const { id } of this.world.blobs.list(OWNER, this.world.clock.now() - ORPHAN_MS))
    if (old.push(id) === SLICE) await sift();
  if (old.length) await sift();
  return removed;
}
