import { systemActor } from "../../core/access/access.ts";
import type { Caller } from "../../core/access/caller.ts";
import type { Collection, Doc, Documents } from "../../core/records/documents.ts";
import type { Entity } from "../../core/records/entity.ts";
import { Store } from "../../core/records/store.ts";
import { Channel, channelStart } from "../../services/picture/messages/channels.ts";
import { Ledger } from "../../services/picture/messages/ledger.ts";
import { digestAfter, Message, ORIGIN } from "../../services/picture/messages/messages.ts";
import { Sequencer, type OutgoingMessage } from "../../services/picture/messages/sequencer.ts";
import {
  Away,
  NODES,
  nodesOf,
  scheduled,
  schedules,
  SCHEDULES,
  SEED,
  simulated,
  type Simulation,
} from "../simulation.ts";

// Claims 4 and 5 for the message bus: the numbers of a channel, by several nodes of which each may stand still, be
// refused, lose the answer or die in between, over a store that may store the beginning of a batch alone, as MongoDB
// does.

const documents = simulated();

const caller = (userId: string): Caller => ({ meta: { actor: { ...systemActor("simulation"), userId } }, locals: {} });
const line = { id: "channel", channel: "channel", compartments: [], audience: "operational" as const };

/** What is durable, number by number in the order it became so, and what was answered. */
class Record {
  readonly durable: number[] = [];
  readonly answered = new Map<string, number>();
}

/** A store whose batches are stored one by one, and may end in the middle with a lost connection. */
async function piecemeal(simulation: Simulation, record: Record): Promise<Documents> {
  const messages = await documents.collection(Message.collection, { indexes: Message.indexes });
  const collection = new Proxy(messages, {
    get: (real, method: string) =>
      method !== "insertMany"
        ? typeof real[method as keyof Collection] === "function"
          ? (real[method as keyof Collection] as () => unknown).bind(real)
          : undefined
        : async (docs: readonly Doc[]) => {
            const reaches =
              simulation.faults.unanswered && simulation.chance(15) ? simulation.below(docs.length + 1) : docs.length;
            for (const doc of docs.slice(0, reaches)) {
              await real.insert(doc);
              record.durable.push(doc["sequence"] as number);
            }
            if (reaches < docs.length) throw new Away("the connection broke");
            return docs;
          },
  });
  return {
    ...documents,
    kind: documents.kind,
    ping: () => documents.ping(),
    close: async () => {},
    collection: async (name, options) =>
      name === Message.collection ? collection : documents.collection(name, options),
  };
}

async function nodeOf(simulation: Simulation, under: Documents, name: string): Promise<Sequencer> {
  const mine = simulation.store(under, name);
  const storeOf = async <E extends Entity>(entity: E): Promise<Store<E>> =>
    new Store(entity, {
      collection: await mine.collection(entity.collection, { indexes: entity.indexes }),
      clock: simulation.clock,
      number: () => Promise.reject(new TypeError("no numbers here")),
      stored: () => {},
      announceRemoval: async () => {},
      removed: () => {},
    });
  const stores = new Map<Entity, Store<Entity>>([
    [Message, await storeOf(Message)],
    [Channel, await storeOf(Channel)],
  ] as [Entity, Store<Entity>][]);
  const ledger = new Ledger({ store: (entity: Entity) => stores.get(entity) as never }, () => {});
  return new Sequencer({
    store: stores.get(Message) as never,
    clock: simulation.clock,
    head: (id) => ledger.head(id),
    stored: (channel, messages) => ledger.note(channel.id, messages),
    sleep: () => simulation.ask(name, "waits", () => {}),
  });
}

/** Somebody who publishes, and publishes again under the same dedupeId, at whatever node, until they are answered. */
async function publish(
  nodes: Map<string, Promise<Sequencer>>,
  simulation: Simulation,
  record: Record,
  n: number,
): Promise<void> {
  const given: OutgoingMessage = {
    source: "did:example:1",
    payload: { n },
    type: "a.b",
    classification: "unclassified",
    priority: "routine",
    dedupeId: `order ${n}`,
  };
  const node = await nodes.get(simulation.pick(NODES))!;
  const message = await node.publish(caller("p"), line, given);
  record.answered.set(given.dedupeId!, message.sequence);
}

async function story(simulation: Simulation): Promise<{ record: Record; stored: Doc[] }> {
  const record = new Record();
  const under = await piecemeal(simulation, record);
  const nodes = nodesOf(simulation, (name) => nodeOf(simulation, under, name));
  const wanted = Array.from({ length: 9 }, (_, n) => n);
  for (let round = 0; round < 3; round++) {
    // Some at once, some repeated before the first is answered.
    for (const n of wanted)
      if (!record.answered.has(`order ${n}`))
        for (let times = simulation.chance(20) ? 2 : 1; times; times--)
          void publish(nodes, simulation, record, n).catch((error: unknown) => {
            if (!(error instanceof Away) && !(error as { code?: number }).code) throw error;
          });
    await Promise.all(nodes.values());
    await simulation.run(simulation.below(60));
  }
  await simulation.run();
  simulation.calm();
  await Promise.all(nodes.values());
  for (const n of wanted) if (!record.answered.has(`order ${n}`)) void publish(nodes, simulation, record, n);
  await simulation.run();
  const stored = await (await documents.collection(Message.collection)).find({ sort: ["sequence"] });
  return { record, stored };
}

it("have no gap at any moment, give each message once, and keep what was answered", async () => {
  let rivals = 0,
    unanswered = 0;
  await schedules(documents, scheduled(0.2), [Message.collection, Channel.collection], async (simulation) => {
    await (
      await documents.collection(Channel.collection)
    ).insert({
      _id: line.id,
      ...line,
      ...channelStart,
      rev: 1,
      createdAt: new Date().toISOString(),
      updatedAt: new Date().toISOString(),
      createdBy: "p",
    });
    const { record, stored } = await story(simulation);
    // Each number became durable after the one before it, so that no reader at no moment saw a gap.
    expect(record.durable).toEqual(record.durable.map((_, n) => n + 1));
    expect(stored.map(({ sequence }) => sequence)).toEqual(record.durable);
    expect(stored.map(({ dedupeId }) => dedupeId as string).sort()).toEqual(
      Array.from({ length: 9 }, (_, n) => `order ${n}`),
    );
    for (const { dedupeId, sequence } of stored) expect(record.answered.get(dedupeId as string)).toBe(sequence);
    let digest = ORIGIN;
    for (const doc of stored) {
      digest = digestAfter(digest, { ...doc, id: doc._id } as unknown as Message, JSON.parse(doc["text"] as string));
      expect(doc["digest"]).toBe(digest);
    }
    if (simulation.trace.includes("insertMany fails")) rivals++;
    if (/insertMany is done, unanswered/.test(simulation.trace)) unanswered++;
  });
  // The schedules did reach what they are for.
  if (!SEED) {
    expect(rivals).toBeGreaterThan(SCHEDULES / 20);
    expect(unanswered).toBeGreaterThan(SCHEDULES / 100);
  }
}, 3_600_000);
