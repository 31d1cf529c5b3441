import { z } from "zod";
import type { Actor } from "../../../core/access/access.ts";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { Uploaded } from "../../../core/contract/input/upload.ts";
import { newId, sha256 } from "../../../core/ids.ts";
import { conflict, unprocessable } from "../../../core/problem.ts";
import { MOST_ROWS, TextId } from "../../../core/records/entity.ts";
import { similarTo } from "./alike.ts";
import { wholeTextOf, type Edit } from "./client.ts";
import { Document, documentQuery, DocumentRow, listed, named, versionOf } from "./documents.ts";
import { receive, receiveVersion } from "./intake.ts";
import { once, OWNER } from "./reading.ts";
import { rewritten, rewrittenAs } from "./rewriting.ts";
import { demandVersion, textPart, type TextRequest } from "./texts.ts";
import { withdraw } from "./withdrawal.ts";

const MESH = asSystem("documents");
const Person = z.custom<Actor>((given) => typeof given === "object" && given !== null);
const anything = <T>() => bare(z.custom<T>(() => true));
const documentId = TextId;
/** Somebody, as the mesh acts for them: what they asked was permitted at the door they came by. */
const onBehalf = (actor: Actor): Caller => ({ meta: { actor }, locals: {} });
const SAID_AT_THE_STRATEGIC_DOOR = ["kind", "issuer", "reference", "effectiveAt"] as const;

/** What other domains ask of documents. Answers are unfiltered: whoever asks sends nobody what they may not see. */
export const meshActions = {
  show: endpoint({
    summary: "A document's whole record",
    permit: "internal",
    body: { documentId },
    returns: anything<Document>(),
    handler(ctx) {
      return this.store(Document).get(MESH, ctx.params.documentId);
    },
  }),

  many: endpoint({
    summary: "Documents by their ids, in their order",
    permit: "internal",
    body: { ids: z.array(Document.id).max(MOST_ROWS) },
    returns: bare(z.array(DocumentRow)),
    async handler(ctx) {
      const { ids } = ctx.params;
      const found = await this.store(Document).many(ctx, ids);
      return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  }),

  seenBy: endpoint({
    summary: "The documents that somebody sees",
    permit: "internal",
    body: { actor: Person, query: z.object(documentQuery) },
    returns: anything<any>(),
    handler(ctx) {
      const { actor, query } = ctx.params;
      return this.store(Document).page(onBehalf(actor), query, listed(query));
    },
  }),

  take: endpoint({
    summary: "Take a document in on somebody's behalf",
    permit: "internal",
    body: { actor: Person, id: documentId, file: Uploaded, fields: z.object(Document.create).partial({ title: true }) },
    returns: anything<any>(),
    async handler(ctx) {
      const { actor, id, file, fields } = ctx.params;
      const caller = onBehalf(actor);
      const { document, duplicate } = await receive(this, caller, file, fields, id);
      const said = Object.fromEntries(SAID_AT_THE_STRATEGIC_DOOR.map((field) => [field, fields[field]]));
      // What was said of it before stays.
      const whole = await this.store(Document).change(caller, document.id, (known) => {
        const missing = Object.entries(said).filter(
          ([field, value]) => value !== undefined && known[field as keyof Document] === undefined,
        );
        const more = Object.fromEntries(missing);
        return missing.length ? { ...more, words: named({ ...known, ...more }) } : null;
      });
      return { ...whole, duplicate, similar: await similarTo(this, caller, whole) };
    },
  }),

  part: endpoint({
    summary: "A part of a document's text",
    permit: "internal",
    body: { documentId, wanted: z.custom<TextRequest>(() => true) },
    returns: anything<any>(),
    async handler(ctx) {
      return textPart(this, await this.store(Document).get(MESH, ctx.params.documentId), ctx.params.wanted);
    },
  }),

  lies: endpoint({
    summary: "Where the text of a version lies",
    permit: "internal",
    body: { documentId, version: z.int().optional() },
    returns: anything<any>(),
    async handler(ctx) {
      return demandVersion(await this.store(Document).get(MESH, ctx.params.documentId), ctx.params.version);
    },
  }),

  withdrawFor: endpoint({
    summary: "Withdraw a document on somebody's behalf",
    permit: "internal",
    body: { actor: Person, documentId, reason: z.string().optional() },
    returns: anything<Document>(),
    async handler(ctx) {
      const { actor, documentId: id, reason } = ctx.params;
      return withdraw(this, onBehalf(actor), await this.store(Document).get(MESH, id), reason);
    },
  }),

  rewrite: endpoint({
    summary: "Make the next version of a document out of its text with changes",
    permit: "internal",
    body: { actor: Person, documentId, basis: z.int(), edits: z.custom<readonly Edit[]>(Array.isArray) },
    returns: anything<Document>(),
    async handler(ctx) {
      const { actor, documentId: id, basis, edits } = ctx.params;
      const document = await this.store(Document).get(MESH, id);
      const known = versionOf(document, basis);
      const whole = known && (await wholeTextOf(this, id, basis));
      if (!known || !whole) throw conflict("Its text is being read.");
      const format = rewrittenAs(known.format);
      const bytes = Buffer.from(rewritten(whole, edits, format));
      if (!bytes.toString().trim()) throw unprocessable("EMPTY_FILE", "Nothing would be left of the document.");
      const next = versionOf(document, basis + 1);
      // Asked for again after a kill: that version is there.
      if (next && next.sha256 === sha256(bytes)) return document;
      if (document.version !== basis) throw conflict("The document has another version meanwhile.");
      const blob = `${OWNER}/${newId()}`;
      const stored = await this.world.blobs.put(blob, once(bytes));
      const stem = known.fileName.replace(/\.\w{1,10}$/, "") || "document";
      const name = `${stem}.${format === "text" ? "txt" : "md"}`;
      return (await receiveVersion(this, onBehalf(actor), document, { blob, name, ...stored }, format)).document;
    },
  }),
};
