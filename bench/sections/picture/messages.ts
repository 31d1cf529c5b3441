import { setPermitsOf } from "../../../config/set-roles.ts";
import type { Actor } from "../../../core/access/access.ts";
import { newId } from "../../../core/ids.ts";
import { many, median, round } from "../../measure.ts";
import { onNode } from "../../node.ts";

const ROUNDS = many(9);
const EACH = many(60, 2);

/** Publishing to one channel: what a message costs the node, durable when it is answered. */
export async function messages(): Promise<string> {
  return onNode("workspace,identity,platform,picture", async (mesh) => {
    const problemSetId = newId();
    const actor: Actor = {
      userId: newId(),
      roles: ["analyst"],
      via: "jwt",
      permits: ["*:read"],
      memberships: { [problemSetId]: { role: "commander", permits: setPermitsOf("commander"), compartments: [] } },
    };
    const publish = (): Promise<unknown> =>
      mesh.broker.call(
        "messages.publish",
        {
          ...{ problemSetId, channel: "convoys", type: "logistics.convoy.departed" },
          payload: { convoy: "C-7", vehicles: 12, route: ["A", "B", "C"], at: { lat: 50.1, lon: 10.2 } },
        },
        { meta: { actor } },
      );
    const costs = new Map<number, number[]>([
      [32, []],
      [1, []],
    ]);
    for (let n = 0; n <= ROUNDS; n++)
      for (const [publishers, all] of costs) {
        const before = process.cpuUsage();
        await Promise.all(
          Array.from({ length: publishers }, async () => {
            for (let sent = 0; sent < EACH; sent++) await publish();
          }),
        );
        const { user, system } = process.cpuUsage(before);
        if (n) all.push((user + system) / 1_000 / (publishers * EACH));
      }
    const rows = [...costs].map(
      ([publishers, all]) =>
        `| ${publishers === 1 ? "one publisher" : `${publishers} publishers`} | ${round(median(all), 2)} |`,
    );
    return `## Publishing

Milliseconds of CPU of the node a message, durable when it is answered: ${EACH} messages of each publisher into one channel of the embedded store, median of ${ROUNDS} rounds in turns.

| Who | ms a message |
|---|---|
${rows.join("\n")}

The aim is .25 at 32 publishers, half of what it was.
`;
  });
}
