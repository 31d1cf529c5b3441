import { setPermitsOf } from "../../../config/set-roles.ts";
import type { Actor } from "../../../core/access/access.ts";
import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { newId } from "../../../core/ids.ts";
import { Relationship } from "../../../services/workspace/command/relationships.ts";
import { Unit } from "../../../services/workspace/command/units.ts";
import { many, median, round } from "../../measure.ts";
import { onNode } from "../../node.ts";

const UNITS = many(5_000, 1_000);
const ROUNDS = many(9);
const MESH = asSystem("bench");

/**
 * Validating the chain of command of 5,000 units (five below each), with 1,000 further relationships over time, from
 * the store to the answer.
 */
export async function command(): Promise<string> {
  return onNode("workspace,identity,platform", async (mesh) => {
    const problemSetId = newId();
    const actor: Actor = {
      userId: "ann",
      roles: ["analyst"],
      via: "jwt",
      permits: ["*:read"],
      memberships: { [problemSetId]: { role: "commander", permits: setPermitsOf("commander"), compartments: [] } },
    };
    const host = mesh.broker.getLocalService("command") as unknown as Host;
    const { id: missionId } = (await mesh.broker.call(
      "missions.create",
      { problemSetId, name: "Bench" },
      { meta: { actor } },
    )) as { id: string };
    const units = await host.store(Unit).createMany(
      MESH,
      Array.from({ length: UNITS }, (_, n) => ({ problemSetId, compartments: [], name: `Unit ${n}` })),
    );
    const organic = units.slice(1).map(({ id }, n) => ({
      problemSetId,
      compartments: [],
      superiorId: units[Math.floor(n / 5)]!.id,
      subordinateId: id,
      kind: "organic",
    }));
    const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
    const temporary = Array.from({ length: UNITS / 5 }, (_, n) => ({
      problemSetId,
      compartments: [],
      missionId,
      superiorId: units[n]!.id,
      subordinateId: units[UNITS - 1 - n]!.id,
      kind: "opcon",
      from: day(n % 300),
      until: day((n % 300) + 30),
    }));
    await host.store(Relationship).createMany(MESH, [...organic, ...temporary]);
    const wall: number[] = [],
      cpu: number[] = [];
    let findings = 0;
    for (let n = 0; n < ROUNDS; n++) {
      const [from, used] = [performance.now(), process.cpuUsage()];
      const answer = (await mesh.broker.call("command.validateHierarchy", { missionId }, { meta: { actor } })) as {
        findings: unknown[];
      };
      const spent = process.cpuUsage(used);
      findings = answer.findings.length;
      wall.push(performance.now() - from);
      cpu.push((spent.user + spent.system) / 1_000);
    }
    return [
      "## Chain of command",
      "",
      `Validating ${UNITS.toLocaleString("en")} units and ${(organic.length + temporary.length).toLocaleString("en")} relationships, store to answer; median of ${ROUNDS}.`,
      "",
      "| What | |",
      "|---|---|",
      `| wall | ${round(median(wall), 1)} ms |`,
      `| CPU | ${round(median(cpu), 1)} ms |`,
      `| findings | ${findings} |`,
      "",
      "The aim is 200 ms.",
      "",
    ].join("\n");
  });
}
