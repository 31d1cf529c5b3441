import { oncePerWorld, stored } from "../mesh.ts";
import type { Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { openSet } from "../workspace/people.ts";

/** A design that lacks nothing, section by section. */
export const WHOLE = {
  environment: {
    currentState: "The river has cut the northern road. The bridge at Lhota is open to traffic.",
    desiredEndState: "Supplies reach the northern villages by road every day.",
  },
  problem: {
    problemStatement: "The villages cannot be supplied while the road is cut.",
    tensions: [{ id: "t1", statement: "Farmers want the road raised; the water authority wants it lowered." }],
    causes: [{ id: "c1", statement: "The culvert under the northern road is too small." }],
  },
  approach: {
    conditions: [{ id: "road-open", statement: "The northern road carries supplies to the villages." }],
    linesOfEffort: [
      { id: "repair", statement: "Repair the northern road and its culvert.", conditions: ["road-open"] },
      { id: "talks", statement: "Settle the height of the road with farmers and water authority.", conditions: [] },
    ],
  },
  intent: {
    purpose: "Supply the northern villages.",
    keyTasks: [{ id: "k1", statement: "Open the northern road by Friday." }],
    endState: "The villages are supplied by road.",
  },
  assumptions: {
    assumptions: [
      {
        id: "a1",
        statement: "The bridge at Lhota carries 40 tonnes.",
        confirmBy: "The engineers' survey",
        blocking: true,
      },
      { id: "a2", statement: "The rain stops within two days." },
    ],
  },
  risks: { risks: [{ id: "r1", statement: "The culvert bursts.", mitigation: "Pumps stand ready." }] },
  guidance: {
    planningGuidance: "Plan for ten days without outside help.",
    constraints: [{ id: "n1", statement: "Keep one lane open for ambulances.", kind: "must" }],
  },
  assessment: { measures: [{ id: "m1", statement: "Tonnes delivered a day.", condition: "road-open" }] },
} as const;

/** A set of its own: what a design hands over stands in the way of the processes of its set. */
const drawing = oncePerWorld(async (at) => {
  const { commander } = await desk(at);
  return { commander, id: await openSet(at, commander, { name: "Design" }) };
});
let designed = 0;

export const requests: Rows["requests"] = {
  "POST /api/design/:problemSetId/push-handoff": async (at) => {
    const { commander, id } = await drawing(at);
    for (const [section, fields] of Object.entries(WHOLE))
      await made(at, "PATCH", `/api/design/${id}/${section}`, fields);
    const planningGuidance = `Plan for ${++designed} days.`;
    await made(at, "PATCH", `/api/design/${id}/guidance`, { planningGuidance });
    return {
      path: `/api/design/${id}/push-handoff`,
      as: commander.token,
      body: {},
      effect: stored("design_handoffs"),
    };
  },
  "POST /api/design/:problemSetId/analyze": async (at) => {
    const { commander, id } = await drawing(at);
    return { path: `/api/design/${id}/analyze`, as: commander.token, body: {} };
  },
};
