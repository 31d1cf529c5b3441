import { setPermitsOf } from "../../config/set-roles.ts";
import type { Actor } from "../../core/access/access.ts";
import { Workflow } from "../../services/workspace/mdmp/workflows.ts";
import { actor, world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const ann: Actor = actor("reader", {
  userId: "ann",
  provedAt: Date.now(),
  memberships: { alpha: { role: "commander", permits: setPermitsOf("commander"), compartments: [] } },
});

async function started(): Promise<string> {
  const { id } = await at.call("missions.create", { problemSetId: "alpha", name: "Open the route" }, ann);
  await at.call("mdmp.workflows.start", { missionId: id }, ann);
  return id;
}

/** Does something, to its answer, after a transition of a workflow was judged and just before it is written. */
async function between(missionId: string, deed: () => Promise<unknown>): Promise<unknown> {
  const workflows = await at.commons("mdmp").world.documents.collection(Workflow.collection);
  const { claim } = workflows;
  let done = 0;
  workflows.claim = async (query, update, options) => {
    if (update.$set?.["phase"] && !done++) await deed();
    return claim.call(workflows, query, update, options);
  };
  try {
    return await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, ann);
  } finally {
    expect(done).toBeGreaterThan(0);
    Reflect.deleteProperty(workflows, "claim");
  }
}

const gate = (missionId: string, enforcement: string) =>
  at.call(
    "gates.create",
    {
      problemSetId: "alpha",
      tab: "mdmp",
      name: "Order released",
      enforcement,
      guards: { kind: "mdmp-transition", subject: missionId },
    },
    ann,
  );
const phaseGate = async (missionId: string): Promise<string> =>
  (
    await at.call(
      "mdmp.gates.register",
      { missionId, gates: [{ phase: "receipt-of-mission", name: "Guidance issued" }] },
      ann,
    )
  )[0].id;

/** Each way to put something in a workflow's way: what is there before, and the deed. */
const WAYS: Record<string, (missionId: string) => Promise<() => Promise<unknown>>> = {
  "a hard decision gate": async (missionId) => () => gate(missionId, "hard"),
  "a soft decision gate that is made hard": async (missionId) => {
    const { id } = await gate(missionId, "soft");
    return () => at.call("gates.configure", { gateId: id, enforcement: "hard" }, ann);
  },
  "a phase gate": async (missionId) => () => phaseGate(missionId),
  "a satisfied phase gate that is opened again": async (missionId) => {
    const gateId = await phaseGate(missionId);
    await at.call("mdmp.gates.satisfy", { missionId, gateId }, ann);
    return () => at.call("mdmp.gates.satisfy", { missionId, gateId, satisfied: false }, ann);
  },
  "a blocking assumption": async (missionId) => () =>
    at.call("mdmp.assumptions.create", { missionId, statement: "The bridge carries 40 tonnes.", blocking: true }, ann),
};

describe("a transition stops at what was put in its way after it was judged:", () => {
  it.each(Object.keys(WAYS))("%s", async (way) => {
    const missionId = await started();
    const deed = await WAYS[way]!(missionId);
    await expect(between(missionId, deed)).rejects.toMatchObject({ code: 409, type: "BLOCKED" });
    expect(await at.call("mdmp.workflows.get", { missionId }, ann)).toMatchObject({ phase: "receipt-of-mission" });
  });

  it("not at what stops nothing, nor at another's mark for longer than it takes to read again", async () => {
    const missionId = await started();
    expect(await between(missionId, () => gate(missionId, "soft"))).toMatchObject({ phase: "mission-analysis" });
    const other = await started();
    await expect(
      between(other, () => at.call("mdmp.activities.mark", { missionId: other, activityId: "alert-the-staff" }, ann)),
    ).rejects.toMatchObject({ code: 409, type: "CONFLICT" });
  });
});
