import type { MeshService } from "../../../core/contract/endpoint.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AgentRemoved, RunOver } from "../agents/events.ts";
import { circuitActions } from "./circuits/circuits.actions.ts";
import { lookAtRuns } from "./circuits/circuits.ts";
import { CircuitEvent, Threshold } from "./circuits/thresholds.ts";
import * as events from "./events.ts";
import { reportActions } from "./reports/reports.actions.ts";
import { drive, DRIVE, giveUp } from "./runs/driving.ts";
import { runActions, sweep } from "./runs/runs.actions.ts";
import { CaseOutcome, ValidationRun } from "./runs/runs.ts";
import { suiteActions } from "./suites/suites.actions.ts";
import { Suite } from "./suites/suites.ts";

const SWEEP_MS = 5_000;
const MESH = asSystem("validation");
const KEPT_DAYS = 400;
const days = (): number => KEPT_DAYS;
const STAYS = "How agents did stays on record, under an id that leads to nobody.";

export default {
  name: "validation",
  metadata: {
    description: "Testing agents: suites, scores, thresholds, and circuits that stop an agent.",
  },
  settings: { rest: "/validation" },
  mixins: [
    domain({
      entities: [Suite, ValidationRun, CaseOutcome, Threshold, CircuitEvent],
      tells: () => eventsIn(events),
      hears: [
        on(RunOver, function ({ agentId }) {
          return lookAtRuns(this, agentId);
        }),
        // Its thresholds are no longer needed.
        on(AgentRemoved, async function ({ agentId }) {
          for (const one of await this.store(Threshold).find(MESH, { agentId }))
            await this.store(Threshold).remove(MESH, one);
        }),
      ],
      jobs: { [DRIVE]: { attempts: 10, concurrency: 2, run: drive, failed: giveUp } },
      schedules: { sweep: { everyMs: SWEEP_MS, run: sweep } },
      personal: [
        { what: "Suites that you keep for validation", entity: Suite, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Validations of agents that you began", entity: ValidationRun, by: "by", erasure: { keep: STAYS } },
        {
          what: "Answers of agents in validations of yours",
          entity: CaseOutcome,
          by: "createdBy",
          erasure: { keep: STAYS },
        },
      ],
      keeps: [
        { entity: ValidationRun, days },
        { entity: CaseOutcome, days },
        { entity: CircuitEvent, days },
      ],
    }),
  ],
  actions: { ...suiteActions, ...runActions, ...circuitActions, ...reportActions },
} satisfies MeshService;
