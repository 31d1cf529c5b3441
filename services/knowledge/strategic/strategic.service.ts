import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { DocumentAdded, DocumentRead, DocumentRemoved } from "../documents/events.ts";
import { MemberReadOut, MemberRemoved } from "../../workspace/problem-sets/events.ts";
import { agentActions } from "./agents/agents.actions.ts";
import { Run } from "./agents/agents.ts";
import { forgetRuns, giveUpAgent, RUN_AGENT, runAgent, startAgents } from "./agents/running.ts";
import { assignmentActions } from "./assignments/assignments.actions.ts";
import { Assignment } from "./assignments/assignments.ts";
import * as assignments from "./assignments/events.ts";
import { AssignmentDue, AssignmentGiven, AssignmentMoved } from "./assignments/events.ts";
import { AssignmentTold, notifyDue, notifyGiven, notifyMoved, release, tellDue } from "./assignments/telling.ts";
import { categoryActions } from "./environments/categories.actions.ts";
import { containerActions } from "./environments/containers.actions.ts";
import { environmentActions } from "./environments/environments.actions.ts";
import { Category, Container, Filing, Placement } from "./environments/environments.ts";
import * as environments from "./environments/events.ts";
import { CategoryRemoved, ContainerRemoved, DocumentPlaced, DocumentTakenOut } from "./environments/events.ts";
import { empty, EnvironmentChanged, follow, regroup, settleTold } from "./environments/filings.ts";
import { forget, learn, weigh } from "./suggestions/learning.ts";
import { suggestionActions } from "./suggestions/suggestions.actions.ts";
import { Opinion } from "./suggestions/suggestions.ts";

export default {
  name: "strategic",
  settings: { rest: "/strategic" },
  mixins: [
    domain({
      entities: [Category, Container, Filing, Placement, Assignment, Opinion, Run],
      books: [Filing],
      tells: () => eventsIn(environments, assignments),
      hears: [
        on(DocumentAdded, follow),
        on(DocumentRemoved, follow),
        on(DocumentPlaced, settleTold),
        on(DocumentTakenOut, settleTold),
        on(ContainerRemoved, empty),
        on(CategoryRemoved, regroup),
        on(DocumentRead, learn),
        on(DocumentPlaced, weigh),
        on(DocumentPlaced, startAgents),
        on(ContainerRemoved, forget),
        on(ContainerRemoved, forgetRuns),
        on(DocumentRemoved, forgetRuns),
        on(DocumentRemoved, forget),
        on(AssignmentGiven, notifyGiven),
        on(AssignmentMoved, notifyMoved),
        on(AssignmentDue, notifyDue),
        on(MemberRemoved, release),
        on(MemberReadOut, release),
      ],
      live: [EnvironmentChanged, AssignmentTold],
      jobs: { [RUN_AGENT]: { run: runAgent, failed: giveUpAgent } },
      schedules: { remind: { everyMs: 1_000, run: tellDue } },
      personal: [
        {
          what: "What agents started on documents that you placed",
          entity: Run,
          by: "userId",
          erasure: { keep: "What was started on common work stays on record, by an id that leads to nobody." },
        },
        { what: "What you thought of containers suggested to you", entity: Opinion, by: "userId", erasure: "remove" },
        {
          what: "Assignments given to you",
          entity: Assignment,
          by: "assigneeId",
          erasure: { keep: "Who was to do what stays on record, by an id that leads to nobody." },
        },
        {
          what: "Assignments that you gave",
          entity: Assignment,
          by: "createdBy",
          erasure: { keep: "Who gave them stays on record, by an id that leads to nobody." },
        },
        {
          what: "Documents that you placed in containers",
          entity: Placement,
          by: "placedBy",
          erasure: { keep: "Who placed a document stays on record, by an id that leads to nobody." },
        },
      ],
    }),
  ],
  actions: {
    ...environmentActions,
    ...categoryActions,
    ...containerActions,
    ...assignmentActions,
    ...suggestionActions,
    ...agentActions,
  },
} satisfies MeshService;
