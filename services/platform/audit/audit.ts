import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import {
  againstCheckpoint,
  Recomputation,
  type Entry,
  type Fault,
  type ChainHead,
} from "../../../core/records/audit.ts";
import { derive } from "../../../core/ids.ts";

export const AuditEntry = z
  .object({
    chain: z.string(),
    seq: z.int(),
    time: z.string(),
    actor: z.string(),
    via: z.string(),
    agent: z
      .object({ id: z.string(), delegation: z.string().optional(), execution: z.string(), step: z.string() })
      .optional()
      .describe("Of what an agent did for the actor."),
    action: z.string(),
    object: z.object({ type: z.string(), id: z.union([z.string(), z.number()]) }).optional(),
    book: z.string().optional().describe("Where it is listed as well, as changes of configurations are."),
    said: z.record(z.string(), z.unknown()).optional().describe("What it tells there."),
    outcome: z
      .enum(["ok", "refused", "failed"])
      .describe("A write that failed on its way to the store has two entries of one `requestId`: the later one holds."),
    code: z.string().optional(),
    requestId: z.string(),
    prev: z.string(),
    hash: z.string(),
  })
  .meta({ id: "AuditEntry" });

/** The same beside the name of whoever it was, which is in no hash. */
export const ListedEntry = AuditEntry.extend({ actor: PersonId }).meta({ id: "ListedAuditEntry" });

export const Heads = z.array(z.object({ chain: z.string(), seq: z.int(), hash: z.string() }));

/** Signed heads of all chains: kept somewhere else, it shows every later change of what it covers. */
export const AuditCheckpoint = z
  .object({
    time: z.string(),
    heads: Heads,
    keyId: z.string(),
    publicKey: z.string().describe("Ed25519, SPKI, base64."),
    signature: z.string().describe("Over the JCS form (RFC 8785) of the checkpoint without it; base64."),
  })
  .meta({ id: "AuditCheckpoint" });
export type AuditCheckpoint = z.output<typeof AuditCheckpoint>;

const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function auditKey(secret: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8, derive(secret, "audit checkpoint ed25519")]),
    format: "der",
    type: "pkcs8",
  });
}

const body = ({ signature: _signature, ...rest }: AuditCheckpoint): Buffer => Buffer.from(canonicalize(rest)!);

export function signCheckpoint(heads: readonly ChainHead[], time: string, key: KeyObject): AuditCheckpoint {
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  const draft: AuditCheckpoint = {
    time,
    heads: [...heads],
    keyId: createHash("sha256").update(spki).digest("hex").slice(0, 16),
    publicKey: spki.toString("base64"),
    signature: "",
  };
  return { ...draft, signature: sign(null, body(draft), key).toString("base64") };
}

/**
 * Whether the checkpoint is whole and signed by this key (by its own when none is given, which shows only that it is
 * whole).
 */
export function checkpointHolds(checkpoint: AuditCheckpoint, publicKey: string = checkpoint.publicKey): boolean {
  if (publicKey !== checkpoint.publicKey) return false;
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  return verify(null, body(checkpoint), key, Buffer.from(checkpoint.signature, "base64"));
}

export interface AuditVerdict {
  ok: boolean;
  chains: number;
  entries: number;
  faults: Fault[];
}

/**
 * Recomputes every chain, and holds them against a checkpoint when there is one. Entries may come in any order of
 * chains.
 */
export function verifyLog(chains: ReadonlyMap<string, readonly Entry[]>, checkpoint?: AuditCheckpoint): AuditVerdict {
  const found = new Recomputation();
  for (const chain of chains.values()) for (const entry of chain) found.take(entry);
  const { entries, faults } = found;
  if (checkpoint && !checkpointHolds(checkpoint))
    faults.push({ chain: "checkpoint", seq: 0, what: "the checkpoint's signature does not hold" });
  if (checkpoint) faults.push(...againstCheckpoint(chains, checkpoint.heads));
  return { ok: faults.length === 0, chains: chains.size, entries, faults };
}

/** Entries by chain, each in order of its number. */
export function byChain(entries: Iterable<Entry>): Map<string, Entry[]> {
  const chains = new Map<string, Entry[]>();
  for (const entry of entries) {
    const chain = chains.get(entry.chain);
    if (chain) chain.push(entry);
    else chains.set(entry.chain, [entry]);
  }
  for (const chain of chains.values()) chain.sort((a, b) => a.seq - b.seq);
  return chains;
}
