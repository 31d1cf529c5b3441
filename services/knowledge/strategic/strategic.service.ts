import type { Entity } from "../../../core/records/entity.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { assessmentActions } from "./assessments/assessments.actions.ts";
import { Assessment } from "./assessments/assessments.ts";
import * as events from "./events.ts";
import { IntentChanged, ObjectiveChanged, ObjectiveDecided } from "./events.ts";
import { intentActions } from "./intents/intents.actions.ts";
import { Intent, IntentVersion } from "./intents/intents.ts";
import { Comment } from "./objectives/comments.ts";
import { giveWay, handDown, takeUp } from "./objectives/escalating.ts";
import { ObjectiveMoved } from "./objectives/live.ts";
import { objectiveActions } from "./objectives/objectives.actions.ts";
import { Objective } from "./objectives/objectives.ts";
import { passDown, passDownDecided } from "./objectives/offering.ts";
import { removeWhatIsOfIt } from "./objectives/removing.ts";
import { workflowActions } from "./objectives/workflow.actions.ts";
import { operationActions } from "./operations/operations.actions.ts";
import { Operations } from "./operations/operations.ts";
import { riskActions } from "./risks/risks.actions.ts";
import { Risk } from "./risks/risks.ts";

const COMMON_WORK = "Who had a part in common work stays on record, by an id that leads to nobody.";
const written = (what: string, entity: Entity) => ({
  what,
  entity,
  by: "createdBy",
  erasure: { keep: COMMON_WORK },
});

export default {
  name: "strategic",
  settings: { rest: "/strategic" },
  mixins: [
    domain({
      entities: [Objective, Comment, Assessment, Risk, Intent, IntentVersion, Operations],
      tells: () => eventsIn(events),
      hears: [
        on(ObjectiveChanged, takeUp),
        on(ObjectiveChanged, removeWhatIsOfIt),
        on(ObjectiveDecided, handDown),
        on(ObjectiveDecided, giveWay),
        on(ObjectiveDecided, passDownDecided),
        on(IntentChanged, passDown),
      ],
      live: [ObjectiveMoved],
      personal: [
        written("Objectives that you wrote", Objective),
        written("Comments on objectives that you made", Comment),
        written("Assessments of objectives that you made", Assessment),
        written("Risk assessments that you made", Risk),
        written("Commander's intents that you wrote", Intent),
        written("Breakdowns of objectives that you made", Operations),
      ],
    }),
  ],
  actions: {
    ...objectiveActions,
    ...workflowActions,
    ...assessmentActions,
    ...riskActions,
    ...intentActions,
    ...operationActions,
  },
} satisfies MeshService;
