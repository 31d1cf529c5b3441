import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { begunTold, PlannedDesign } from "./from-design.ts";
import { Assumption, Constraint, PhaseGate, Workflow } from "./workflows.ts";
import * as events from "./events.ts";
import { WorkflowStarted } from "./events.ts";
import { phaseGateActions } from "./phase-gates.actions.ts";
import { workflowActions } from "./workflows.actions.ts";
import { assumptionActions } from "./assumptions.actions.ts";
import { processActions } from "./process/process.actions.ts";
import { safetyActions } from "./process/safety.actions.ts";
import { meshActions } from "./mesh.actions.ts";

export default {
  name: "mdmp",
  metadata: { description: "The military decision-making process of a mission, phase by phase." },
  settings: { rest: "/mdmp" },
  mixins: [
    domain({
      entities: [Workflow, PhaseGate, Assumption, Constraint, PlannedDesign],
      tells: () => eventsIn(events),
      personal: [
        commonWork("Decision processes that you began", Workflow),
        commonWork("Phase gates that you satisfied", PhaseGate, "satisfiedBy"),
        commonWork("Planning assumptions that you made", Assumption),
        commonWork("Planning assumptions that you accepted", Assumption, "acceptedBy"),
        commonWork("Planning assumptions that you withdrew", Assumption, "withdrawnBy"),
      ],
      hears: [on(WorkflowStarted, begunTold)],
    }),
  ],

  actions: {
    ...phaseGateActions,
    ...workflowActions,
    ...assumptionActions,
    ...processActions,
    ...safetyActions,
    ...meshActions,
  },
} satisfies MeshService;
