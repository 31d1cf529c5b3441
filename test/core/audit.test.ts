import fc from "fast-check";
import { entryId, GENESIS, entryHash, type Entry } from "../../core/records/audit.ts";
import { auditKey, byChain, checkpointHolds, signCheckpoint, verifyLog } from "../../services/platform/audit/audit.ts";

const KEY = auditKey(Buffer.alloc(32, 7));

function log(chains: number, each: number): Entry[] {
  return Array.from({ length: chains }, (_, c) => {
    let prev = GENESIS;
    return Array.from({ length: each }, (_, at) => {
      const chain = `node-${c}`;
      const draft = {
        _id: entryId(chain, at + 1),
        chain,
        seq: at + 1,
        time: new Date(1.7e12 + at).toISOString(),
        actor: `u${at % 5}`,
        via: "jwt",
        action: "sources.create",
        object: { type: "sources", id: at },
        outcome: "ok" as const,
        requestId: `r-${c}-${at}`,
        prev,
      };
      const entry = { ...draft, hash: entryHash(draft) };
      prev = entry.hash;
      return entry;
    });
  }).flat();
}

const entries = log(3, 40);
const heads = [...byChain(entries).values()].map((chain) => {
  const { chain: name, seq, hash } = chain.at(-1)!;
  return { chain: name, seq, hash };
});
const checkpoint = signCheckpoint(heads, "2026-11-21T00:00:00.000Z", KEY);

/** Rebuilds every hash from a point on, as somebody with the database but without the checkpoint's key could. */
function relink(chain: Entry[]): Entry[] {
  let prev = GENESIS;
  return chain.map((entry, at) => {
    const draft = { ...entry, seq: at + 1, _id: entryId(entry.chain, at + 1), prev };
    const made = { ...draft, hash: entryHash(draft) };
    prev = made.hash;
    return made;
  });
}

/** The same entry with another value in one of its fields, or in one that it did not have. */
const edited = (entry: Entry, field: string): Entry => {
  const value = (entry as unknown as Record<string, unknown>)[field];
  return { ...entry, [field]: typeof value === "number" ? value + 1 : `${JSON.stringify(value)} forged` };
};
const FIELDS = [...Object.keys(entries[0]!), "note"];

type Tampering = (chain: Entry[], at: number, field: string) => Entry[];
const TAMPERINGS: Record<string, Tampering> = {
  edit: (chain, at, field) => chain.map((entry, n) => (n === at ? edited(entry, field) : entry)),
  "edit and rehash the entry": (chain, at) =>
    chain.map((entry, n) => {
      if (n !== at) return entry;
      const draft = { ...entry, outcome: "refused" as const };
      return { ...draft, hash: entryHash(draft) };
    }),
  "edit and relink all after": (chain, at) =>
    relink(chain.map((entry, n) => (n === at ? { ...entry, action: "nothing" } : entry))),
  delete: (chain, at) => chain.filter((_, n) => n !== at),
  "delete and relink": (chain, at) => relink(chain.filter((_, n) => n !== at)),
  insert: (chain, at) => [...chain.slice(0, at), { ...chain[at]!, actor: "new" }, ...chain.slice(at)],
  "insert and relink": (chain, at) =>
    relink([...chain.slice(0, at), { ...chain[at]!, actor: "new" }, ...chain.slice(at)]),
  reorder: (chain, at) => {
    const copy = [...chain];
    const other = (at + 1) % chain.length;
    [copy[at], copy[other]] = [copy[other]!, copy[at]!];
    return copy;
  },
  truncate: (chain, at) => chain.slice(0, at),
  "truncate and append": (chain, at) =>
    relink([...chain.slice(0, at), ...chain.slice(at).map((entry) => ({ ...entry, actor: "forged" }))]),
};

it("holds as it was written", () => {
  expect(verifyLog(byChain(entries), checkpoint)).toEqual({ ok: true, chains: 3, entries: 120, faults: [] });
});

it("shows each of 1,000 random tamperings to whoever kept a checkpoint", () => {
  const kinds = Object.keys(TAMPERINGS);
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.nat(2),
      fc.nat(39),
      fc.constantFrom(...FIELDS),
      (kind, chain, at, field) => {
        const chains = byChain(entries);
        const name = `node-${chain}`;
        chains.set(name, TAMPERINGS[kind]!(chains.get(name)!, at, field));
        if (!chains.get(name)!.length) chains.delete(name);
        expect(verifyLog(chains, checkpoint).ok).toBe(false);
      },
    ),
    { numRuns: 1_000 },
  );
});

it("shows an edit of any field of an entry", () => {
  for (const field of FIELDS) {
    const chains = byChain(entries);
    chains.set("node-1", TAMPERINGS["edit"]!(chains.get("node-1")!, 7, field));
    expect([field, verifyLog(chains, checkpoint).ok]).toEqual([field, false]);
  }
});

it("lets a log that only grew stand", () => {
  const grown = log(3, 60);
  expect(verifyLog(byChain(grown), checkpoint).ok).toBe(true);
});

it("finds a forged checkpoint", () => {
  expect(checkpointHolds(checkpoint)).toBe(true);
  expect(checkpointHolds({ ...checkpoint, heads: heads.slice(1) })).toBe(false);
  const other = signCheckpoint(heads, checkpoint.time, auditKey(Buffer.alloc(32, 8)));
  expect(checkpointHolds(other, checkpoint.publicKey)).toBe(false);
});
