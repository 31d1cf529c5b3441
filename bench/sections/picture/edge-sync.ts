import type { Host } from "../../../core/contract/endpoint.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { newId } from "../../../core/ids.ts";
import { follow, takeUp } from "../../../services/picture/edge-sync/records/following.ts";
import { Resource } from "../../../services/picture/resources/registry/resources.ts";
import { many, round } from "../../measure.ts";
import { onNode } from "../../node.ts";

const RESOURCES = many(10_000, 100);
const SLICE = 1_000;
const mesh = asSystem("bench");

/** What a first answer to an edge node costs the hub beside its page: a problem set is taken up, and entered into the log. */
export async function edgeSync(): Promise<string> {
  const rows = await onNode("picture,identity,workspace", async ({ broker }) => {
    const host = (name: string) => broker.getLocalService(name) as unknown as Host;
    const problemSetId = newId();
    const at = new Date().toISOString();
    for (let made = 0; made < RESOURCES; made += SLICE)
      await host("resources")
        .store(Resource)
        .createMany(
          mesh,
          Array.from({ length: Math.min(SLICE, RESOURCES - made) }, (_none, n) => ({
            ...{ problemSetId, compartments: [], name: `Truck ${made + n}`, kind: "vehicle" },
            ...{ abilities: ["mobility"], words: ["truck"], capabilities: ["mobility"], readinessAt: at },
          })),
        );
    // What is new is looked at once, whether anybody carries it or not.
    while (!(await follow(host("edge-sync"))));
    const answers: { clock: number; cpu: number }[] = [];
    for (let isAll = false; !isAll;) {
      const before = process.cpuUsage();
      const began = performance.now();
      isAll = await takeUp(host("edge-sync"), { problemSetId });
      isAll = (await follow(host("edge-sync"))) && isAll;
      const { user, system } = process.cpuUsage(before);
      answers.push({ clock: performance.now() - began, cpu: (user + system) / 1_000 });
    }
    const most = (of: "clock" | "cpu") => round(Math.max(...answers.map((one) => one[of])), 0);
    const all = (of: "clock" | "cpu") =>
      round(
        answers.reduce((sum, one) => sum + one[of], 0),
        0,
      );
    return `| ${answers.length} | ${most("cpu")} | ${most("clock")} | ${all("cpu")} | ${all("clock")} |`;
  });
  return `## A first take-up by an edge node

A problem set of ${RESOURCES} resources that no node carried before, on the embedded store; milliseconds. An answer is of 200 to 1,000 records, and is not counted in.

| Answers | the longest, CPU | by the clock | all, CPU | by the clock |
|---|---|---|---|---|
${rows}
`;
}

if (import.meta.main) {
  console.log(await edgeSync());
  process.exit(0);
}
