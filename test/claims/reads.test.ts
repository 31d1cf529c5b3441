import { setPermitsOf } from "../../config/set-roles.ts";
import type { Find } from "../../core/records/documents.ts";
import { IssuedCredential } from "../../services/identity/credentials/credentials.ts";
import { LinkedScenario } from "../../services/workspace/problem-sets/scenarios/scenarios.ts";
import { PHASES } from "../../services/workspace/mdmp/process/phases.ts";
import { PhaseGate, Workflow } from "../../services/workspace/mdmp/workflows.ts";
import { actor, world, type TestWorld } from "../mesh.ts";

// What a request reads grows with what it asks about, and no answer needs a whole collection in memory at once.

let at: TestWorld;
beforeAll(async () => {
  at = await world({ PUBLIC_URL: "https://mesh.example" });
});
afterAll(() => at.stop());

/**
 * What a service reads from a collection while something is done, one row a call; the outbox looks for facts left
 * untold on its own.
 */
async function readsOf(
  service: string,
  name: string,
  deed: () => Promise<unknown>,
): Promise<{ rows: number; asked: Find }[]> {
  const collection = await at.commons(service).world.documents.collection(name);
  const { find } = collection;
  const reads: { rows: number; asked: Find }[] = [];
  collection.find = async (asked = {}) => {
    const found = await find.call(collection, asked);
    if (!JSON.stringify(asked).includes("_pending")) reads.push({ rows: found.length, asked });
    return found;
  };
  try {
    await deed();
  } finally {
    Reflect.deleteProperty(collection, "find");
  }
  return reads;
}

it("statistics of a phase go through the workflows in slices, read what they count, and no gate", async () => {
  const ann = actor("reader", {
    userId: "ann",
    memberships: { alpha: { role: "commander", permits: setPermitsOf("commander"), compartments: [] } },
  });
  const [phase] = PHASES;
  const [from, until] = ["2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z"];
  const workflows = await at.mesh.world.documents.collection(Workflow.collection),
    gates = await at.mesh.world.documents.collection(PhaseGate.collection);
  const common = {
    problemSetId: "alpha",
    compartments: [],
    rev: 1,
    createdAt: from,
    updatedAt: from,
    createdBy: "ann",
  };
  await workflows.insertMany(
    Array.from({ length: 450 }, (_, n) => ({
      ...common,
      _id: `m${n}`,
      phase: PHASES[1],
      done: [],
      history: [
        { phase, from, until, by: "ann" },
        { phase: PHASES[1], from: until, by: "ann" },
      ],
    })),
  );
  await gates.insertMany(
    Array.from({ length: 450 }, (_, n) => ({
      ...common,
      _id: `g${n}`,
      missionId: `m${n}`,
      phase,
      name: "Guidance issued",
      required: true,
      satisfied: n % 3 === 0,
    })),
  );
  let figures: unknown;
  let ofGates: unknown[] = [];
  const reads = await readsOf("mdmp", Workflow.collection, async () => {
    ofGates = await readsOf("mdmp", PhaseGate.collection, async () => {
      figures = await at.call("mdmp.phases.getStatistics", { phase }, ann);
    });
  });
  expect(figures).toMatchObject({
    workflows: 450,
    present: 0,
    stays: { count: 450, medianMs: 3_600_000 },
    gates: { satisfied: 150, total: 450 },
  });
  expect(reads.length).toBeGreaterThan(1);
  for (const { rows, asked } of reads) {
    expect(rows).toBeLessThanOrEqual(200);
    expect(asked.fields).toEqual(["phase", "history", "done"]);
  }
  expect(ofGates).toEqual([]);
});

it("the verification of a credential of ours looks at its own entry, not through the others' in its list", async () => {
  const issue = async () =>
    (
      await at.http("POST", "/api/credentials/issue/entity-attribute", {
        body: { subject: "urn:device:7", attribute: "mass", value: 7 },
      })
    ).body.data;
  const revoked = await issue(),
    sound = await issue();
  expect((await at.http("POST", `/api/credentials/${revoked.id}/revoke`)).status).toBe(200);
  const verify = async (credential: unknown) =>
    (await at.http("POST", "/api/credentials/verify", { body: { credential } })).body.data;
  const reports: any[] = [];
  const reads = await readsOf("credentials", IssuedCredential.collection, async () => {
    for (const one of [revoked, sound]) reports.push(await verify(one.credential));
  });
  expect(reports.map(({ verified }) => verified)).toEqual([false, true]);
  expect(reports[0].checks).toContainEqual({ check: "status", outcome: "failed", message: "It is revoked." });
  expect(reads).toEqual([]);
  const beyond = structuredClone(sound.credential);
  for (const entry of beyond.credentialStatus) entry.statusListIndex = "131072";
  expect((await verify(beyond)).checks).toContainEqual(
    expect.objectContaining({
      check: "status",
      outcome: "unknown",
      message: expect.stringContaining("no entry 131072"),
    }),
  );
});

it("scenarios are counted by the store: of one's own sets none is read, and of others' none is looked at", async () => {
  const links = await at.mesh.world.documents.collection(LinkedScenario.collection);
  const common = { rev: 1, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "", createdBy: "ann" };
  await links.insertMany(
    Array.from({ length: 500 }, (_, n) => ({
      ...common,
      _id: `set${n}`,
      scenarioId: `own-${n % 120}`,
      version: "1.0.0",
      name: "Own",
      summary: "",
      built: false,
    })),
  );
  const member = { role: "commander" as const, permits: setPermitsOf("commander"), compartments: [] };
  const ann = actor("reader", {
    userId: "ann",
    memberships: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`set${n}`, member])),
  });
  let answer: any;
  const reads = await readsOf("problem-sets", LinkedScenario.collection, async () => {
    answer = await at.call("problem-sets.scenarios.countUses", {}, ann);
  });
  expect(reads).toEqual([]);
  expect(answer.meta).toEqual({ total: 300, more: true });
  expect(answer.data.filter(({ bundled }: { bundled: boolean }) => !bundled)).toHaveLength(100);
});
