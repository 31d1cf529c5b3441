import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { MemberReadOut, MemberRemoved } from "../../workspace/problem-sets/events.ts";
import { DocumentAdded, DocumentRead, DocumentRemoved } from "../documents/events.ts";
import { agentActions } from "./agents/agents.actions.ts";
import { Run } from "./agents/agents.ts";
import { forgetRuns, giveUpAgent, RUN_AGENT, runAgent, startAgents } from "./agents/running.ts";
import { assessmentActions } from "./assessments/assessments.actions.ts";
import { Assessment } from "./assessments/assessments.ts";
import { assignmentActions } from "./assignments/assignments.actions.ts";
import { Assignment } from "./assignments/assignments.ts";
import { AssignmentDue, AssignmentGiven, AssignmentMoved } from "./assignments/events.ts";
import { AssignmentTold, notifyDue, notifyGiven, notifyMoved, release, tellDue } from "./assignments/notifying.ts";
import { documentActions } from "./documents/documents.actions.ts";
import { categoryActions } from "./environments/categories.actions.ts";
import { containerActions } from "./environments/containers.actions.ts";
import { environmentActions } from "./environments/environments.actions.ts";
import { Category, Container, Filing, Placement } from "./environments/environments.ts";
import { CategoryRemoved, ContainerRemoved, DocumentPlaced, DocumentTakenOut } from "./environments/events.ts";
import { empty, EnvironmentChanged, follow, regroup, settleTold } from "./environments/filings.ts";
import * as events from "./events.ts";
import { IntentChanged, ObjectiveChanged, ObjectiveDecided } from "./events.ts";
import { extractionActions } from "./extraction/extraction.actions.ts";
import { EXTRACT, extractObjectives, giveUpExtraction } from "./extraction/extracting.ts";
import { Extraction } from "./extraction/extraction.ts";
import { forgetDrafts } from "./extraction/outdated.ts";
import { wake } from "./run-progress.ts";
import { intentActions } from "./intents/intents.actions.ts";
import { Intent, IntentVersion } from "./intents/intents.ts";
import { Comment } from "./objectives/comments.ts";
import { giveWay, handDown, takeUp } from "./objectives/escalating.ts";
import { ObjectiveMoved } from "./objectives/live.ts";
import { meshActions } from "./mesh.actions.ts";
import { objectiveActions } from "./objectives/objectives.actions.ts";
import { Objective } from "./objectives/objectives.ts";
import { passDown, passDownDecided } from "./objectives/offering.ts";
import { removeWhatIsOfIt } from "./objectives/removing.ts";
import { workflowActions } from "./objectives/workflow.actions.ts";
import { operationActions } from "./operations/operations.actions.ts";
import { Operations } from "./operations/operations.ts";
import { hearsReadings } from "./reading.ts";
import { reviewActions } from "./reviews/reviews.actions.ts";
import { Review, ReviewChanged } from "./reviews/reviews.ts";
import { giveUpReview, REVIEW, reviewDocument } from "./reviews/reviewing.ts";
import { riskActions } from "./risks/risks.actions.ts";
import { Risk } from "./risks/risks.ts";
import { forget, learn, weighPlacing } from "./suggestions/learning.ts";
import { suggestionActions } from "./suggestions/suggestions.actions.ts";
import { Opinion } from "./suggestions/suggestions.ts";

export default {
  name: "strategic",
  metadata: {
    description:
      "Strategic documents and the objectives in them: extracted, reviewed, approved, broken down, assigned.",
  },
  settings: { rest: "/strategic" },
  mixins: [
    domain({
      entities: [
        Objective,
        Comment,
        Assessment,
        Risk,
        Intent,
        IntentVersion,
        Operations,
        Extraction,
        Review,
        Assignment,
        Category,
        Container,
        Filing,
        Placement,
        Opinion,
        Run,
      ],
      books: [Filing],
      tells: () => eventsIn(events),
      hears: [
        hearsReadings,
        on(ObjectiveChanged, takeUp),
        on(ObjectiveChanged, removeWhatIsOfIt),
        on(ObjectiveDecided, handDown),
        on(ObjectiveDecided, giveWay),
        on(ObjectiveDecided, passDownDecided),
        on(IntentChanged, passDown),
        on(DocumentAdded, follow),
        on(DocumentRemoved, follow),
        on(DocumentPlaced, settleTold),
        on(DocumentTakenOut, settleTold),
        on(ContainerRemoved, empty),
        on(CategoryRemoved, regroup),
        on(DocumentRead, learn),
        on(DocumentPlaced, weighPlacing),
        on(DocumentPlaced, startAgents),
        on(ContainerRemoved, forget),
        on(ContainerRemoved, forgetRuns),
        on(DocumentRemoved, forgetRuns),
        on(DocumentRemoved, forget),
        on(DocumentRemoved, forgetDrafts),
        on(AssignmentGiven, notifyGiven),
        on(AssignmentMoved, notifyMoved),
        on(AssignmentDue, notifyDue),
        on(MemberRemoved, release),
        on(MemberReadOut, release),
      ],
      live: [ObjectiveMoved, ReviewChanged, EnvironmentChanged, AssignmentTold],
      jobs: {
        [EXTRACT]: { run: extractObjectives, failed: giveUpExtraction, concurrency: 2 },
        [REVIEW]: { run: reviewDocument, failed: giveUpReview, concurrency: 2 },
        [RUN_AGENT]: { run: runAgent, failed: giveUpAgent },
      },
      schedules: { remind: { everyMs: 1_000, run: tellDue } },
      personal: [
        commonWork("Objectives that you wrote, or had found", Objective),
        commonWork("Objectives that you decided last", Objective, "decidedBy"),
        commonWork("Comments on objectives that you made", Comment),
        commonWork("Assessments of objectives that you made", Assessment),
        commonWork("Risk assessments that you made", Risk),
        commonWork("Risk assessments that you accepted or returned", Risk, "reviewedBy"),
        commonWork("Commander's intents that you wrote", Intent),
        commonWork("Commander's intents that you approved", Intent, "approvedBy"),
        commonWork("Commander's intents that you wrote anew", Intent, "writtenBy"),
        commonWork("Earlier versions of a commander's intent that you wrote", IntentVersion, "writtenBy"),
        commonWork("Breakdowns of objectives that you made", Operations),
        commonWork("Extractions that you asked for", Extraction, "by"),
        commonWork("Reviews that you asked for", Review, "by"),
        commonWork("Reviews that you decided", Review, "decidedBy"),
        commonWork("Assignments given to you", Assignment, "assigneeId"),
        commonWork("Assignments that you gave", Assignment),
        commonWork("Documents that you placed in containers", Placement, "placedBy"),
        commonWork("What agents started on documents that you placed", Run, "userId"),
        { what: "What you thought of containers suggested to you", entity: Opinion, by: "userId", erasure: "remove" },
      ],
    }),
  ],
  actions: {
    ...documentActions,
    ...extractionActions,
    ...reviewActions,
    ...objectiveActions,
    ...workflowActions,
    ...assessmentActions,
    ...riskActions,
    ...intentActions,
    ...operationActions,
    ...assignmentActions,
    ...environmentActions,
    ...categoryActions,
    ...containerActions,
    ...suggestionActions,
    ...agentActions,
    ...meshActions,
  },
  events: {
    /** A hint that a job has changed; followers read it, and read it occasionally without hints too. */
    "platform.job.changed": {
      context: true,
      handler(this: Host, ctx: { params: { id: string } }) {
        wake(ctx.params.id);
      },
    },
  },
} satisfies MeshService;
