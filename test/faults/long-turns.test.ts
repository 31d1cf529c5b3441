import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { canWatch, type LongTurn } from "../turns/turn-watch.ts";
import { fullBodies } from "./load/full-bodies.ts";
import type { Asked, Scene } from "./load/watched-node.ts";

// Nothing keeps the event loop from everybody else for long: each read and each write of the catalogue, on much data,
// and bodies that are full, in a process of its own. It is the main thread's processor time that counts, and what a request takes every time:
// code that is met cold, or a collection of garbage, is not of its making.

const MOST_MS = 50;
const ROUNDS = 3;
const itHere = canWatch ? it : it.skip;

itHere(
  "no request of the catalogue takes a turn of more than 50 ms; whoever does is named",
  async () => {
    const node = fork(join(import.meta.dirname, "load/watched-node.ts"), [String(MOST_MS)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const say = async <T>(order: string): Promise<T> => {
      node.send(order);
      return ((await once(node, "message")) as [T])[0];
    };
    const [scene] = (await once(node, "message")) as [Scene];
    const turnOf = async ({
      method,
      path,
      body,
      text = body === undefined ? undefined : JSON.stringify(body),
      token,
    }: Asked): Promise<LongTurn[]> => {
      const answer = await fetch(scene.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(text !== undefined && { "content-type": "application/json" }),
        },
        ...(text !== undefined && { body: text }),
      });
      await answer.bytes();
      expect([method, path, answer.status < 500]).toEqual([method, path, true]);
      await say("rest");
      return say<LongTurn[]>("turns");
    };
    await say("on");
    const slow: string[] = [];
    for (const asked of [...scene.asked, ...fullBodies(scene.token, scene.problemSetId)]) {
      const tries: LongTurn[][] = [];
      do tries.push(await turnOf(asked));
      while (tries.at(-1)!.length && tries.length < ROUNDS);
      if (tries.every((turns) => turns.length))
        slow.push(
          `${asked.route}: ${tries.map((turns) => turns.map(({ ms }) => Math.round(ms)).join(" and ")).join(", ")} ms\n${tries
            .at(-1)!
            .map(({ work, stack }) => `    ${work}: ${stack.slice(0, 12).join("\n      < ")}`)
            .join("\n")}`,
        );
    }
    const gone = once(node, "exit");
    node.send("end");
    await gone;
    expect(slow.join("\n")).toBe("");
  },
  300_000,
);
