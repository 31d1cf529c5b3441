import { z } from "zod";
import { FORMATS, REASONS } from "../../../adapters/texts/text.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../core/access/place.ts";
import { sha256 } from "../../../core/ids.ts";
import { conflict } from "../../../core/problem.ts";
import type { Query } from "../../../core/records/documents.ts";
import { searchWords, withWords, wordsIn } from "../../../core/records/reading/by-words.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";

export const DOCUMENT_STATES = ["received", "reading", "ready", "unreadable", "withdrawn"] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** What a document is to a staff. */
export const DOCUMENT_KINDS = [
  "plan",
  "order",
  "directive",
  "guidance",
  "estimate",
  "assessment",
  "report",
  "reference",
] as const;

/** A document has at most so many versions. */
export const MOST_VERSIONS = 100;

/** One file of a document, and how far its text is. */
export const Version = z
  .object({
    version: z.int(),
    fileName: z.string(),
    format: z.enum(FORMATS),
    type: z.string().describe("Media type, by its content."),
    bytes: z.int(),
    sha256: z.string(),
    status: z.enum(DOCUMENT_STATES).exclude(["withdrawn"]),
    reason: z.enum(REASONS).optional().describe("Why it cannot be read."),
    explanation: z.string().optional().describe("The same in words."),
    characters: z.int().optional().describe("Length of its text in UTF-16 units."),
    pages: z.int().optional(),
    language: z.string().optional().describe("Language of its text, ISO 639-1, if it can be determined."),
    repaired: z.literal(true).optional().describe("The file was damaged: its pages were recovered one by one."),
    pagesUnread: z.array(z.int()).optional().describe("Pages that could not be read, while others could."),
    at: Instant,
    by: PersonId,
  })
  .meta({ id: "DocumentVersion" });
export type Version = z.output<typeof Version>;

/** Where the bytes of a version lie in the store of blobs. */
const Files = z.object({
  version: z.int(),
  original: z.string(),
  text: z.string().optional(),
  pages: z.string().optional(),
  blocks: z.string().optional(),
});
export type Files = z.output<typeof Files>;

export const Document = entity("documents", {
  title: "document",
  fields: {
    problemSetId: TextId.describe("The problem set that the document lies in."),
    compartments: Compartments,
    title: z.string().trim().min(1).max(300),
    description: z.string().max(4_000).optional(),
    kind: z.enum(DOCUMENT_KINDS).optional().describe("Its kind for the staff; set through the strategic endpoints."),
    issuer: z.string().min(1).max(200).optional().describe("Who issued it: a headquarters, an office."),
    reference: z.string().min(1).max(200).optional().describe("What its issuer calls it: OPLAN 4102."),
    effectiveAt: Instant.optional().describe("From when it is in force."),
    status: z.enum(DOCUMENT_STATES).describe("Of the newest version; `withdrawn` once the document was taken back."),
    version: z.int().describe("Number of the newest version."),
    format: z.enum(FORMATS).describe("Of the newest version."),
    versions: z.array(Version).describe("The oldest first."),
    withdrawn: z
      .object({ at: Instant, by: PersonId, reason: z.string().optional() })
      .optional()
      .describe("When, by whom and why it was taken back."),
    files: z.array(Files),
    /** Ids of all its blobs: others of ours are swept away. */
    blobs: z.array(z.string()),
    /** One document with these bytes in one place. */
    same: z.string().optional(),
    /** The sketch of the newest version's text, and the keys that find alike ones. */
    sketch: z.string().optional(),
    alike: z.array(z.string()).optional(),
    /** The words that it is found by. */
    words: z.array(z.string()).optional(),
  },
  readonly: [
    "status",
    "version",
    "format",
    "versions",
    "withdrawn",
    "files",
    "blobs",
    "same",
    "sketch",
    "alike",
    "words",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["files", "blobs", "same", "sketch", "alike", "words"],
  filter: ["problemSetId", "status", "format", "kind"],
  sort: ["title"],
  barrier,
  most: {
    count: 10_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} documents in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["same"], unique: true, sparse: true },
    { fields: ["blobs"] },
    { fields: ["alike"] },
    { fields: ["words"] },
    { fields: ["createdBy"] },
  ],
});
export type Document = Item<typeof Document>;

/** The list's query, and by the words of what a document is called, which `named` finds. */
export const documentQuery = { q: wordsIn("title, reference and issuer"), ...Document.query };
export const named = ({ title, reference, issuer }: Pick<Document, "title"> & Partial<Document>): string[] =>
  searchWords(title, reference, issuer);
/** What a list shows beside what was asked for by equality: withdrawn ones where they are asked for. */
export const listed = ({ q, status }: { q?: string | undefined; status?: string | undefined }): Query => ({
  ...withWords(q),
  ...(!status && { status: { $ne: "withdrawn" } }),
});

/** A row of a list: without its versions. */
export const DocumentRow = Document.view.omit({ versions: true }).meta({ id: "DocumentRow" });

/** The same bytes in the same place, whoever brings them. */
export const samenessOf = (place: { problemSetId: string; compartments?: readonly string[] }, hash: string): string =>
  sha256(JSON.stringify([place.problemSetId, [...new Set(place.compartments)].sort(), hash]));

/** A version by its number; the newest without one. */
export const versionOf = ({ version: newest, versions }: Document, wanted = newest): Version | undefined =>
  versions.find(({ version }) => version === wanted);
export const filesOf = ({ version: newest, files }: Document, wanted = newest): Files | undefined =>
  files.find(({ version }) => version === wanted);

/** Whether a version's text is still to be read. */
export const isUnderWay = ({ status }: Version): boolean => status === "received" || status === "reading";

/** What changes in the record when a version comes, or one gets on. */
export function withVersion(
  document: Pick<Document, "versions" | "files" | "version">,
  version: Version,
  files: Files,
) {
  const beside = <T extends { version: number }>(list: readonly T[], one: T): T[] =>
    [...list.filter((other) => other.version !== one.version), one].sort((a, b) => a.version - b.version);
  const isNewest = version.version >= document.version;
  const all = beside(document.files, files);
  return {
    versions: beside(document.versions, version),
    files: all,
    blobs: all.flatMap(({ version: _version, ...ids }) => Object.values(ids)),
    ...(isNewest && { version: version.version, status: version.status, format: version.format }),
  };
}

/** What is left of a document that was taken back: what it was called and the hash of its bytes, for citations. */
export const tombstone = (withdrawn: NonNullable<Document["withdrawn"]>) => ({
  status: "withdrawn" as const,
  withdrawn,
  description: null,
  files: [],
  blobs: [],
  same: null,
  sketch: null,
  alike: null,
});
