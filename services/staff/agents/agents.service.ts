import type { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { AccessChanged } from "../../identity/auth/events.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { approvalActions, endForTool, expire } from "./approvals/approvals.actions.ts";
import { Approval } from "./approvals/approvals.ts";
import { assistantActions } from "./assistant/assistant.actions.ts";
import { emergencyActions } from "./assistant/emergencies.actions.ts";
import { builderActions } from "./builder/builder.actions.ts";
import { copilotActions } from "./copilot/copilot.actions.ts";
import { delegationActions } from "./delegations/delegations.actions.ts";
import { Delegation } from "./delegations/delegations.ts";
import * as events from "./events.ts";
import { AgentRemoved, AuthorityLessened, ToolChanged } from "./events.ts";
import { endDid } from "./registry/enrolling.ts";
import { drive, DRIVE, giveUp, sweep } from "./executions/driving.ts";
import { trainingActions } from "./executions/training.actions.ts";
import { composedActions } from "./executions/composed.actions.ts";
import { executionActions } from "./executions/executions.actions.ts";
import { overseeingActions } from "./executions/overseeing.actions.ts";
import { Execution, Output, OVER, AgentStep } from "./executions/executions.ts";
import { ExecutionChanged } from "./executions/records.ts";
import { Allowance } from "./gate/allowances.ts";
import type { AgentsHost } from "./gate/definitions.ts";
import { planActions } from "./gate/plans.actions.ts";
import { Switch } from "./gate/switches.ts";
import { lookAgain } from "./gate/watch.ts";
import { AgentAltered, SHOWS, TeamAltered, ToolAltered } from "./live.ts";
import { registryActions } from "./registry/agents.actions.ts";
import { Agent } from "./registry/agents.ts";
import { enrolmentActions } from "./registry/enrolments.actions.ts";
import { AgentVersion } from "./registry/versions.ts";
import { teamActions } from "./teams/teams.actions.ts";
import { Team } from "./teams/teams.ts";
import { offeredToolActions } from "./tools/offered-tools.actions.ts";
import { toolActions } from "./tools/tools.actions.ts";
import { Tool } from "./tools/tools.ts";

const SWEEP_MS = 2_000;
const EXPIRE_MS = 5_000;
const STAYS = "What agents did stays on record with the problem set, under an id that leads to nobody.";
const KEPT_DAYS = 400;
/** How many runs one process drives side by side; a run is driven by one process only. */
const AT_ONCE = 8;
const MOST_CLAIMS = 10;
const days = (): number => KEPT_DAYS;

export default {
  name: "agents",
  metadata: {
    description: "AI agents: what they may do and on whose behalf, what they did, and what waits for your approval.",
  },
  settings: { rest: "/" },
  mixins: [
    domain({
      entities: [
        Agent,
        AgentVersion,
        Tool,
        Team,
        Delegation,
        Execution,
        AgentStep,
        Output,
        Approval,
        Switch,
        Allowance,
      ],
      books: [AgentVersion, Output, Switch, Allowance],
      hears: [on(ToolChanged, endForTool), on(AgentRemoved, endDid)],
      tells: () => eventsIn(events),
      live: [ExecutionChanged, AgentAltered, TeamAltered, ToolAltered],
      shows: SHOWS,
      jobs: { [DRIVE]: { attempts: MOST_CLAIMS, concurrency: AT_ONCE, run: drive, failed: giveUp } },
      schedules: {
        sweep: { everyMs: SWEEP_MS, run: sweep },
        expire: { everyMs: EXPIRE_MS, run: expire },
      },
      personal: [
        { what: "Agents that you enrolled", entity: Agent, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Teams of agents that you put together", entity: Team, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Tools that you added", entity: Tool, by: "createdBy", erasure: { keep: STAYS } },
        { what: "Tools that you changed", entity: Tool, by: "updatedBy", erasure: { keep: STAYS } },
        { what: "What you delegated to agents", entity: Delegation, by: "by", erasure: "remove", shared: true },
        { what: "Runs of agents for you", entity: Execution, by: "by", erasure: { keep: STAYS } },
        { what: "What agents did for you", entity: AgentStep, by: "createdBy", erasure: { keep: STAYS } },
        { what: "What agents asked to be approved for you", entity: Approval, by: "for", erasure: { keep: STAYS } },
        { what: "What you decided of agents", entity: Approval, by: "decidedBy", erasure: { keep: STAYS } },
      ],
      keeps: [
        { entity: Execution, days, where: { status: { $in: OVER } } },
        { entity: AgentVersion, days },
        // None lasts longer than 90 days: after that they have all ended, those for single acts included.
        { entity: Delegation, days },
        { entity: AgentStep, days },
        { entity: Output, days },
        { entity: Allowance, days },
        { entity: Approval, days, where: { status: { $ne: "pending" } } },
      ],
    }),
  ],
  events: {
    [AuthorityLessened.name]: {
      context: true,
      handler(this: Host, { params }: Ctx<z.output<typeof AuthorityLessened.payload>>) {
        lookAgain(this, params);
      },
    },
    [AccessChanged.name]: {
      context: true,
      handler(this: Host, { params }: Ctx<z.output<typeof AccessChanged.payload>>) {
        lookAgain(this, params);
      },
    },
  },
  created(this: AgentsHost) {
    this.meshServices = () => commonsOf(this.broker).services;
  },
  actions: {
    ...assistantActions,
    ...copilotActions,
    ...emergencyActions,
    ...builderActions,
    ...approvalActions,
    ...delegationActions,
    ...composedActions,
    ...planActions,
    ...executionActions,
    ...overseeingActions,
    ...trainingActions,
    ...registryActions,
    ...enrolmentActions,
    ...teamActions,
    ...toolActions,
    ...offeredToolActions,
  },
} satisfies MeshService;
