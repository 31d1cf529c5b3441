import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ActSettled, ApprovalDecided, ApprovalWanted, ExecutionEnded } from "../agents/events.ts";
import { checkpointActions, expire } from "./checkpoints/checkpoints.actions.ts";
import { Checkpoint } from "./checkpoints/checkpoints.ts";
import * as events from "./events.ts";
import { drive, giveUp, sweep } from "./executions/driving.ts";
import { emergencyActions } from "./executions/emergencies.actions.ts";
import { executionActions } from "./executions/executions.actions.ts";
import { Execution, Output, OVER, WorkflowStep } from "./executions/executions.ts";
import { DRIVE, MESH, wake, WorkflowChanged } from "./executions/records.ts";
import { supervisorActions } from "./supervisors/supervisors.actions.ts";
import { useActions } from "./supervisors/uses.actions.ts";
import { Supervisor } from "./supervisors/supervisors.ts";

const SWEEP_MS = 2_000;
const EXPIRE_MS = 5_000;
const STAYS = "What workflows did stays on record with the problem set, under an id that leads to nobody.";
const KEPT_DAYS = 400;
/** How many runs one process drives side by side. */
const AT_ONCE = 8;
const MOST_CLAIMS = 10;
const days = (): number => KEPT_DAYS;

/** Steps that run as a task of an agent; runs of other kinds contain a single act. */
const TASKS = { kind: { $in: ["agent", "round"] } };

/** An agent's act or run has ended: the workflow of that step continues. */
async function heard(host: Host, query: { actId: string } | { runId: string; kind: object }): Promise<void> {
  for (const { executionId } of await host.store(WorkflowStep).find(MESH, query, { limit: 1 }))
    await wake(host, executionId);
}

export default {
  name: "orchestration",
  metadata: {
    description: "Workflows of agents, tools and people that survive the failure of a node, with a trace of each step.",
  },
  settings: { rest: "/orchestration" },
  mixins: [
    domain({
      entities: [Execution, WorkflowStep, Output, Checkpoint, Supervisor],
      books: [Output],
      tells: () => eventsIn(events),
      live: [WorkflowChanged],
      hears: [
        on(ApprovalDecided, async function (this: Host, { id, executionId }) {
          await heard(this, { actId: id });
          await heard(this, { runId: executionId, ...TASKS });
        }),
        on(ApprovalWanted, function (this: Host, { executionId }) {
          return heard(this, { runId: executionId, ...TASKS });
        }),
        on(ActSettled, function (this: Host, { id }) {
          return heard(this, { actId: id });
        }),
        on(ExecutionEnded, function (this: Host, { id }) {
          return heard(this, { runId: id, ...TASKS });
        }),
      ],
      jobs: { [DRIVE]: { attempts: MOST_CLAIMS, concurrency: AT_ONCE, run: drive, failed: giveUp } },
      schedules: {
        sweep: { everyMs: SWEEP_MS, run: sweep },
        expire: { everyMs: EXPIRE_MS, run: expire },
      },
      personal: [
        { what: "Workflows that you set going", entity: Execution, by: "by", erasure: { keep: STAYS } },
        { what: "Steps of workflows for you", entity: WorkflowStep, by: "by", erasure: { keep: STAYS } },
        { what: "Checkpoints of your workflows", entity: Checkpoint, by: "for", erasure: { keep: STAYS } },
        { what: "What you decided at checkpoints", entity: Checkpoint, by: "decidedBy", erasure: { keep: STAYS } },
        { what: "Supervisors that you saved", entity: Supervisor, by: "createdBy", erasure: { keep: STAYS } },
      ],
      keeps: [
        { entity: Execution, days, where: { status: { $in: OVER } } },
        { entity: WorkflowStep, days },
        { entity: Output, days },
        { entity: Checkpoint, days, where: { status: { $ne: "pending" } } },
      ],
    }),
  ],
  actions: { ...checkpointActions, ...supervisorActions, ...executionActions, ...emergencyActions, ...useActions },
} satisfies MeshService;
