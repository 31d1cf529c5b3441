import { setTimeout as pause } from "node:timers/promises";
import type { Host, MeshService } from "../../core/contract/endpoint.ts";
import type { JobRun } from "../../core/work/job.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { world, type TestWorld } from "../mesh.ts";

// Claim 6, for the streams there are: ten thousand numbered messages, fifty disconnections, none missed, doubled or out
// of order.

const MESSAGES = 10_000,
  DISCONNECTIONS = 50,
  BURST = 100;
let at: TestWorld;
/** Nothing is counted before both who follow are there: what came before is told to nobody. */
const bothFollow = Promise.withResolvers<void>();
let following = 0;

/** Work that has much to tell: in bursts, as it comes. */
const talking = {
  name: "talking",
  mixins: [
    domain({
      jobs: {
        "talking.count": {
          async run(this: Host, { progress }: JobRun) {
            await bothFollow.promise;
            for (let n = 1; n <= MESSAGES; n++) {
              await progress("counting", n, MESSAGES);
              if (n % BURST === 0) await pause(5);
            }
          },
        },
      },
    }),
  ],
} as unknown as MeshService;

beforeAll(async () => {
  at = await world({}, { extra: [talking] });
});
afterAll(() => at.stop());

interface Message {
  id: number;
  event: string;
  done?: number;
  status?: string;
}

/**
 * Reads a stream from after a message until its end, or until so many were read; the connection is then cut, whatever
 * was on its way.
 */
async function read(path: string, after: number | undefined, most: number): Promise<Message[]> {
  const reply = await fetch(at.mesh.url + path, {
    headers: {
      authorization: `Bearer ${await at.tokenOf("analyst")}`,
      ...(after !== undefined && { "last-event-id": String(after) }),
    },
  });
  expect(reply.status).toBe(200);
  const messages: Message[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of reply.body!) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const event = field("event");
      if (!event) continue;
      const { done, status } = JSON.parse(field("data")!) as { done?: number; status?: string };
      messages.push({ id: Number(field("id")), event, ...(done !== undefined && { done }), ...(status && { status }) });
      if (messages.length === 1 && after === undefined && ++following === 2) bothFollow.resolve();
      // Leaving the loop cuts the connection.
      if (messages.length === most) return messages;
    }
  }
  return messages;
}

it("ten thousand lines of a job's log come whole and in order, to one who stays and to one who is cut off fifty times", async () => {
  const { id } = await at.commons("talking").jobs.add("talking.count", {}, { by: "test", onlookers: "everybody" });
  const path = `/api/jobs/${id}/events`;
  const inParts = async (): Promise<{ messages: Message[]; cuts: number }> => {
    const messages: Message[] = [];
    for (let cuts = 0; ; cuts++) {
      const most = 1 + ((cuts * 7_919) % (2 * (MESSAGES / DISCONNECTIONS) - 20));
      messages.push(...(await read(path, messages.at(-1)?.id, most)));
      if (messages.at(-1)!.event === "done") return { messages, cuts };
    }
  };
  const [whole, parts] = await Promise.all([read(path, undefined, Infinity), inParts()]);
  expect(parts.cuts).toBeGreaterThanOrEqual(DISCONNECTIONS);
  for (const messages of [whole, parts.messages]) {
    const counted = messages.filter(
      ({ event, done, status }) => event === "progress" && done !== undefined && status === "running",
    );
    expect(counted.map(({ done }) => done)).toEqual(Array.from({ length: MESSAGES }, (_, n) => n + 1));
    const ids = messages.filter(({ event }) => event === "progress").map((message) => message.id);
    expect(ids).toEqual(ids.map((_, n) => ids[0]! + n));
    expect(messages.at(-1)).toMatchObject({ event: "done" });
  }
}, 180_000);
