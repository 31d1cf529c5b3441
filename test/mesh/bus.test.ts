import { setTimeout as pause } from "node:timers/promises";
import { digestAfter, ORIGIN } from "../../services/picture/messages/messages.ts";
import { Wire } from "../cut.ts";
import { itOnStage, meshOf, type MeshNode } from "../nodes.ts";
import { events } from "../picture/bus-setup.ts";

// The bus over several processes: what was acknowledged is there once, under the number that was answered, and who
// follows a channel misses, doubles and reorders nothing, while nodes of the bus are killed and cut off from the
// others.

const PUBLISHERS = 12;
const mesh = meshOf(["picture", "picture", "identity,workspace,platform", "gateway"], {
  knows: ["/api/messages/stats", "/api/problem-sets/me"],
});

const picture = (): MeshNode[] => [...mesh.nodes.all].filter(({ id }) => id.startsWith("picture"));

interface Published {
  id: string;
  sequence: number;
}

/** Publishes under a dedupeId until it is acknowledged, as whoever must not lose anything does. */
async function publish(channel: string, dedupeId: string, acknowledged: Map<string, Published>): Promise<void> {
  for (;;) {
    const reply = await mesh.nodes
      .http("POST", "/api/messages", { body: { channel, type: "test.order.given", payload: { dedupeId }, dedupeId } })
      .catch(() => undefined);
    if (reply?.status === 201) {
      acknowledged.set(dedupeId, reply.body.data);
      return;
    }
    if (reply && reply.status < 500) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    await pause(50);
  }
}

/** Follows until so many numbers were heard, coming back after whatever ends the stream. */
async function follow(channel: string, most: () => number): Promise<{ numbers: number[]; digest: string }> {
  const numbers: number[] = [];
  const token = await mesh.nodes.token();
  let digest = ORIGIN;
  while (numbers.length < most()) {
    try {
      for await (const { event, data } of events(
        mesh.nodes.gateway,
        { token },
        `/api/messages/channels/${channel}/stream`,
        numbers.at(-1) ?? 0,
      )) {
        if (event !== "message.published") break;
        numbers.push(data.sequence);
        digest = digestAfter(digest, data, data.payload);
        if (numbers.length >= most()) break;
      }
    } catch {
      /* nobody there for a moment: comes back */
    }
    if (numbers.length < most()) await pause(100);
  }
  return { numbers, digest };
}

/**
 * Publishes and follows while something happens, until it has happened, and holds all of it together; answers how many
 * messages there were.
 */
async function through(channel: string, happens: () => Promise<void>): Promise<number> {
  const acknowledged = new Map<string, Published>();
  await publish(channel, "first", acknowledged);
  const state = { over: false };
  let begun = 1;
  const publishing = Promise.all(
    Array.from({ length: PUBLISHERS }, async (_, one) => {
      for (let n = 0; !state.over || n < 20; n++) {
        begun++;
        await publish(channel, `${one}-${n}`, acknowledged);
      }
    }),
  );
  let whole = Infinity;
  const following = [follow(channel, () => whole), follow(channel, () => whole)];
  await happens();
  state.over = true;
  await publishing;
  // One more, which lets the followers look whether they have all.
  await publish(channel, "last", acknowledged);
  whole = acknowledged.size;
  expect(acknowledged.size).toBe(begun + 1);
  const heard = await Promise.all(following);
  const numbers = Array.from({ length: acknowledged.size }, (_, n) => n + 1);
  expect([...acknowledged.values()].map(({ sequence }) => sequence).sort((one, other) => one - other)).toEqual(numbers);
  const shown = (await mesh.nodes.http("GET", `/api/messages/channels?channel=${channel}`)).body.data[0];
  expect(shown.sequence).toBe(acknowledged.size);
  for (const { numbers: told, digest } of heard) {
    expect(told).toEqual(numbers);
    expect(digest).toBe(shown.digest);
  }
  return acknowledged.size;
}

itOnStage(
  "two nodes publish to one channel, and each is killed in the middle of it",
  async () => {
    const messages = await through("killed", async () => {
      for (const victim of picture()) {
        await pause(1_500);
        await victim.kill();
        await mesh.nodes.start("picture");
      }
      await pause(500);
    });
    expect(messages).toBeGreaterThan(200);
  },
  240_000,
);

itOnStage(
  "a node of the bus is cut off from the others five times",
  async () => {
    const wire = await Wire.to(mesh.stage.redis.url);
    const behind = await mesh.nodes.start("picture", {}, { TRANSPORTER: wire });
    try {
      const messages = await through("cut", async () => {
        for (let cuts = 0; cuts < 5; cuts++) {
          await pause(800);
          wire.cut();
          await pause(900);
          wire.mend();
        }
        await pause(1_000);
      });
      expect(messages).toBeGreaterThan(200);
    } finally {
      await behind.stop();
      await wire.stop();
    }
  },
  240_000,
);
