import { z } from "zod";
import { AUDIT_INDEXES, entryId, Recomputation, type Entry, type ChainHead } from "../../../core/records/audit.ts";
import { bare, data, list, pieces } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import type { Collection, Query } from "../../../core/records/documents.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, Instant, MOST_ROWS } from "../../../core/records/entity.ts";
import { badRequest } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AuditEntry, ListedEntry, auditKey, AuditCheckpoint, signCheckpoint } from "./audit.ts";

interface AuditHost extends Host {
  log: Collection;
}

/** Entries that are in memory at a time, and hashed in one turn of the event loop. */
const SLICE = 500;
const Fault = z.object({ chain: z.string(), seq: z.int(), what: z.string() });

export default {
  name: "audit",
  metadata: { description: "Who did what, in a hash chain that reveals any later change." },
  settings: { rest: "/audit" },
  mixins: [domain({})],
  actions: {
    list: endpoint({
      rest: "GET /",
      summary: "List who did what, newest first",
      permit: "audit:inspect",
      beyond: true,
      query: {
        actor: z.string().max(100).optional().describe("What this person or part of the platform did."),
        from: Instant.optional().describe("From then on."),
        to: Instant.optional().describe("Until then."),
        ...feeding,
      },
      returns: list(ListedEntry, CursorMeta),
      handler(ctx) {
        const { actor, from, to, cursor, limit } = ctx.params;
        const query: Query = {
          ...(actor && { actor }),
          ...((from || to) && { time: { ...(from && { $gte: from }), ...(to && { $lte: to }) } }),
        };
        return newestFirst((this as unknown as AuditHost).log, query, { cursor, limit });
      },
    }),

    book: endpoint({
      summary: "What is listed in one book of the log, newest first",
      permit: "internal",
      body: { book: z.string(), cursor: z.string().optional(), limit: z.int() },
      returns: bare(z.object({ data: z.array(AuditEntry), meta: CursorMeta })),
      handler(ctx) {
        const { book, ...page } = ctx.params;
        return newestFirst((this as unknown as AuditHost).log, { book }, page);
      },
    }),

    verify: endpoint({
      rest: "GET /verify",
      summary: "Verify the hash chain of the whole log",
      permit: "audit:inspect",
      beyond: true,
      description:
        "Finds every entry that was edited, deleted, inserted or moved inside a chain. Truncation at the " +
        "end shows only against a checkpoint kept elsewhere: see `npm run audit-verify`.",
      returns: data(z.object({ ok: z.boolean(), chains: z.int(), entries: z.int(), faults: z.array(Fault) })),
      async handler(ctx) {
        const found = new Recomputation();
        for await (const slice of slices((this as unknown as AuditHost).log, this.signal(ctx)))
          for (const entry of slice) found.take(entry);
        const { chains, entries, faults } = found;
        return { ok: !faults.length, chains, entries, faults };
      },
    }),

    getCheckpoint: endpoint({
      rest: "GET /checkpoint",
      summary: "Get a signed checkpoint of the log, to keep elsewhere",
      permit: "audit:inspect",
      beyond: true,
      returns: data(AuditCheckpoint),
      async handler(ctx) {
        return signCheckpoint(
          await headsOf((this as unknown as AuditHost).log, this.signal(ctx)),
          iso(this.world.clock.now()),
          auditKey(this.world.secret),
        );
      },
    }),

    export: endpoint({
      rest: "GET /export",
      summary: "Export the whole log as JSON lines, for the offline verifier",
      permit: "audit:inspect",
      beyond: true,
      returns: pieces("application/x-ndjson"),
      description:
        "Streamed while it is read, a slice of each chain at a time; an answer that breaks off is incomplete.",
      handler(ctx) {
        return lines((this as unknown as AuditHost).log, () => this.signal(ctx));
      },
    }),
  },
  async started(this: AuditHost) {
    this.log = await this.world.documents.collection("audit", { indexes: AUDIT_INDEXES });
  },
} satisfies MeshService;

async function newestFirst(
  log: Collection,
  query: Query,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ data: Entry[]; meta: { limit: number; next: string | null } }> {
  const most = Math.min(limit, MOST_ROWS);
  const found = await log.find({
    query: cursor ? { $and: [query, before(cursor)] } : query,
    sort: ["-time"],
    limit: most + 1,
  });
  const rows = found.slice(0, most) as unknown as Entry[];
  const last = rows.at(-1);
  return {
    data: rows,
    meta: {
      limit: most,
      next:
        found.length > most && last ? Buffer.from(JSON.stringify([last.time, last._id])).toString("base64url") : null,
    },
  };
}

/** The log in slices by key, chain after chain, as long as somebody waits for it. */
async function* slices(log: Collection, signal: AbortSignal): AsyncGenerator<Entry[]> {
  for (let after: string | undefined, more = true; more;) {
    signal.throwIfAborted();
    const rows = (await log.find({
      query: after === undefined ? {} : { _id: { $gt: after } },
      sort: ["_id"],
      limit: SLICE,
    })) as unknown as Entry[];
    if (rows.length) yield rows;
    more = rows.length === SLICE;
    after = rows.at(-1)?._id;
  }
}

/** The log as text, in the same slices. Listens for the client's going once it is under way. */
async function* lines(log: Collection, signal: () => AbortSignal): AsyncGenerator<string> {
  for await (const slice of slices(log, signal())) yield slice.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** The last entry of each chain, found from the end of the keys backwards: what lies between is not read. */
async function headsOf(log: Collection, signal: AbortSignal): Promise<ChainHead[]> {
  const heads: ChainHead[] = [];
  for (let before: string | undefined; ;) {
    signal.throwIfAborted();
    const [last] = (await log.find({
      query: before === undefined ? {} : { _id: { $lt: before } },
      sort: ["-_id"],
      limit: 1,
    })) as unknown as Entry[];
    if (!last) return heads.reverse();
    heads.push({ chain: last.chain, seq: last.seq, hash: last.hash });
    before = entryId(last.chain, 0);
  }
}

function before(cursor: string): Query {
  try {
    const [time, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [string, string];
    if (typeof time === "string" && typeof id === "string")
      return { $or: [{ time: { $lt: time } }, { time, _id: { $lt: id } }] };
  } catch {
    /* not one of ours: answered below */
  }
  throw badRequest("cursor: this is not a cursor that a list of this server gave.");
}
