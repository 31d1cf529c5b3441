import { shortened } from "../../../../core/text/cutting.ts";
import canonicalize from "canonicalize";
import { z } from "zod";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { verifies } from "../../../../core/did/signatures.ts";
import { methodsFor, publicKeyOf } from "../../../../core/did/verification-methods.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import type { Leases } from "../../../../core/work/schedule.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { invalid, isDetail, isProblem, Problem } from "../../../../core/problem.ts";
import type { Change } from "../../../../core/sync/merge.ts";
import { AnswerText, ChangeText } from "../../../../core/sync/wire.ts";
import { resolveDid } from "../../../identity/identity/client.ts";
import { acting, type Acting } from "../nodes/acting.ts";
import { EdgeNode } from "../nodes/nodes.ts";
import { apply } from "../records/applying.ts";
import { MESH } from "../records/carrying.ts";

/** Changes between two looks at whether the node still may. */
const LOOK_EVERY = 25;
const LEASE_MS = 15_000;

/** What a node sent at once, and what was answered: a repetition is answered the same. */
export const Batch = entity("edge-sync.batches", {
  title: "batch of an edge node",
  fields: {
    nodeId: z.string(),
    batchId: z.string(),
    hash: z.string(),
    first: z.int(),
    last: z.int(),
    answers: z.array(AnswerText).optional(),
  },
  readonly: ["nodeId", "batchId", "hash", "first", "last", "answers"],
  indexes: [{ fields: ["nodeId", "-first"] }, { fields: ["createdAt"] }],
});
export type Batch = Item<typeof Batch>;

export interface SentBatch {
  node: string;
  batchId: string;
  changes: z.output<typeof ChangeText>[];
  signature: string;
}
export interface BatchResult {
  answers: z.output<typeof AnswerText>[];
  lastSeq: number;
}

const signedText = ({ node, batchId, changes }: SentBatch): string => canonicalize({ node, batchId, changes })!;

/** Throws 403 where no key of the node's DID made the signature. */
async function demandSigned(host: Host, { did, userId }: EdgeNode, sent: SentBatch): Promise<void> {
  const { didDocument } = await resolveDid(host, did, userId);
  const [text, bytes] = [Buffer.from(signedText(sent)), Buffer.from(sent.signature, "base64url")];
  const keys = didDocument ? methodsFor(didDocument, "assertionMethod").map(publicKeyOf) : [];
  if (!keys.some((key) => key && verifies(key, text, bytes)))
    throw new Problem(403, "INVALID_SIGNATURE", "The signature is none of the node's DID over the canonical body.");
}

/** Throws 409, with the number that was expected, for changes that leave a gap; 400 for one within the batch. */
function demandSequence({ lastSeq }: EdgeNode, changes: SentBatch["changes"]): void {
  const gap = changes.findIndex(({ seq }, at) => at > 0 && seq !== changes[at - 1]!.seq + 1);
  if (gap > 0) throw invalid([{ path: `changes.${gap}.seq`, message: `It follows ${changes[gap - 1]!.seq}.` }]);
  if (changes[0]!.seq > lastSeq + 1)
    throw new Problem(409, "SEQUENCE", `The next change of this node is ${lastSeq + 1}.`, {
      details: { expected: lastSeq + 1 },
    });
}

/** What was answered to a change that came in another batch before: a rejection is for good. */
async function answeredBefore(host: Host, nodeId: string, seq: number): Promise<BatchResult["answers"][number]> {
  const found = await host
    .store(Batch)
    .find(MESH, { nodeId, first: { $lte: seq }, last: { $gte: seq } }, { sort: ["-first"], limit: 10 });
  const rejected = found.flatMap(({ answers = [] }) =>
    answers.filter((one) => one.seq === seq && one.code !== undefined),
  );
  return rejected[0] ?? { seq, status: "duplicate" };
}

async function answerOf(
  host: Host,
  { node, actor, cutOff }: Acting,
  change: Change,
): Promise<BatchResult["answers"][number]> {
  const { seq } = change;
  if (seq <= node.lastSeq) return answeredBefore(host, node.id, seq);
  try {
    return { seq, status: await apply(host, { by: node.id, actor, cutOff }, change) };
  } catch (error) {
    // What fails by no fault of the change is no answer to it: the batch is sent again.
    if (!isProblem(error) || Number(error.code) >= 500) throw error;
    return { seq, status: "rejected", code: error.type, message: wordsOf(error) };
  }
}

const TOLD_DETAILS = 3;
const LONGEST_DETAIL = 90;
/** What a person at the node reads, who has no more than this: what is wrong, and of what. */
function wordsOf({ message, data }: Problem): string {
  const told = Array.isArray(data.details) ? data.details.filter(isDetail).slice(0, TOLD_DETAILS) : [];
  const words = told.map(({ path, message: why }) => (path ? `${path}: ${why}` : why));
  return [message, ...words.map((text) => shortened(LONGEST_DETAIL, text))].join(" ");
}

async function settle(host: Host, { node }: Acting, { last }: Pick<Batch, "last">): Promise<number> {
  const syncedAt = iso(host.world.clock.now());
  const after = await host
    .store(EdgeNode)
    .change(MESH, node.id, ({ lastSeq }) => ({ lastSeq: Math.max(last, lastSeq), syncedAt }));
  return after.lastSeq;
}

async function taken(host: Host, caller: Caller, sent: SentBatch): Promise<BatchResult> {
  let who = await acting(host, caller, sent.node);
  const store = host.store(Batch);
  const { batchId, changes } = sent;
  const [first, last] = [changes[0]!.seq, changes.at(-1)!.seq];
  const id = derivedId(`edge batch ${who.node.id} ${batchId}`);
  const hash = sha256(signedText(sent));
  const before = await store.one(MESH, { _id: id });
  if (before && before.hash !== hash)
    throw new Problem(409, "BATCH_DIFFERS", "Another batch was sent under this batchId.", { details: { batchId } });
  if (before?.answers) return { answers: before.answers, lastSeq: await settle(host, who, before) };
  demandSequence(who.node, changes);
  const batch =
    before ?? (await store.createOnce(MESH, { id, nodeId: who.node.id, batchId, hash, first, last })).record;
  const answers: BatchResult["answers"] = [];
  for (const change of changes) {
    if (answers.length && answers.length % LOOK_EVERY === 0) who = await acting(host, caller, sent.node);
    answers.push(await answerOf(host, who, change));
  }
  await store.revise(MESH, batch, { answers });
  return { answers, lastSeq: await settle(host, who, batch) };
}

const underWay = new WeakMap<object, Set<string>>();
const busy = () =>
  new Problem(409, "BUSY", "A batch of this node is under way: send this one again later.", {
    headers: { "Retry-After": "2" },
  });

/** Throws where a batch is not to be taken from whoever sends it; what is in it is looked at later. */
export async function demandSender(host: Host, caller: Caller, sent: SentBatch): Promise<void> {
  const { node } = await acting(host, caller, sent.node);
  await demandSigned(host, node, sent);
}

/** Takes a batch in: one of a node at a time, in the whole mesh. */
export async function takeBatch(host: Host, leases: Leases, caller: Caller, sent: SentBatch): Promise<BatchResult> {
  const here = underWay.get(host.world) ?? new Set<string>();
  underWay.set(host.world, here);
  const name = `edge node ${sent.node}`;
  if (here.has(name)) throw busy();
  here.add(name);
  try {
    const done = await leases.under(name, LEASE_MS, () => taken(host, caller, sent));
    if (!done) throw busy();
    return done.done;
  } finally {
    here.delete(name);
    await leases.release(name);
  }
}
