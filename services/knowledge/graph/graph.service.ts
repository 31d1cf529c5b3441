import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ArticleRemoved } from "../../news/articles/events.ts";
import { DocumentRemoved } from "../documents/events.ts";
import { ContainerRemoved } from "../strategic/events.ts";
import { actorActions } from "./actors/actors.actions.ts";
import { linkableActions } from "./actors/linkable.actions.ts";
import { buildActions } from "./build/build.actions.ts";
import { buildGraph, forgetArticle, forgetDocument, giveUpBuild } from "./build/building.ts";
import { BUILD, Build } from "./build/builds.ts";
import { centralityActions } from "./centrality/centrality.actions.ts";
import { Comparison } from "./centrality/comparison.ts";
import { COMPARE, measure } from "./centrality/measuring.ts";
import * as events from "./events.ts";
import { EventLinked, EventRecorded } from "./events.ts";
import { GraphChanged } from "./live.ts";
import { osintActions } from "./osint/osint.actions.ts";
import { OsintEvent } from "./osint/osint.ts";
import { readTold } from "./osint/recording.ts";
import { Judgement } from "./resolution/judgements.ts";
import { look, LOOK, lookAround } from "./resolution/duplicate-search.ts";
import { resolutionActions } from "./resolution/resolution.actions.ts";
import { GraphMark } from "./statements/marks.ts";
import { StixRecord } from "./stix/importing.ts";
import { stixActions } from "./stix/stix.actions.ts";
import { Statement } from "./statements/statements.ts";
import { ValidityChanged } from "./validity/calculating.ts";
import { ValidityAlerted } from "./validity/events.ts";
import { hearsValidity, keepsValidity, validityJobs, validitySchedules } from "./validity/validity-updates.ts";
import { validityActions } from "./validity/validity.actions.ts";
import { Assertion, VALIDITY, ValidityAlert } from "./validity/validity.ts";
import { summaryActions } from "./summaries/summaries.actions.ts";
import { Summary } from "./summaries/summaries.ts";
import { forgetCited, forgetContainer } from "./summaries/summarising.ts";
import { tensionActions } from "./tensions/tensions.actions.ts";
import { viewActions } from "./views/views.actions.ts";
import { workspaceActions } from "./workspaces/workspaces.actions.ts";
import { Workspace } from "./workspaces/workspaces.ts";

export default {
  name: "graph",
  metadata: {
    description:
      "Known people, organisations, places and events, their relations, and the sources for each " +
      "statement; built from reports and news.",
  },
  settings: { rest: "/graph" },
  mixins: [
    domain({
      entities: [
        ...[Statement, GraphMark, Workspace, Build, OsintEvent, ...VALIDITY],
        ...[Judgement, StixRecord, Comparison, Summary],
      ],
      books: [GraphMark, Assertion, Comparison, Summary],
      tells: () => [...eventsIn(events), ValidityAlerted],
      hears: [
        on(DocumentRemoved, forgetDocument),
        on(DocumentRemoved, forgetCited),
        on(ContainerRemoved, forgetContainer),
        on(ArticleRemoved, forgetArticle),
        on(EventRecorded, readTold),
        on(EventLinked, lookAround),
        ...hearsValidity,
      ],
      live: [ValidityChanged, GraphChanged],
      jobs: {
        [BUILD]: { run: buildGraph, failed: giveUpBuild, concurrency: 2 },
        [COMPARE]: { run: measure },
        [LOOK]: { run: look },
        ...validityJobs,
      },
      keeps: [{ entity: Comparison, days: () => 7 }, { entity: Summary, days: () => 30 }, ...keepsValidity],
      schedules: { ...validitySchedules },
      personal: [
        commonWork("Statements of the graph that came of what you asked for", Statement),
        commonWork("Graph workspaces that you made", Workspace),
        commonWork("STIX objects that you brought in", StixRecord),
        commonWork("Judgements that you made of entities", Judgement),
        commonWork("Judgements of entities that you decided last", Judgement, "decidedBy"),
        commonWork("Readings into the graph that you asked for", Build, "by"),
        commonWork("OSINT events that you recorded", OsintEvent),
        commonWork("Alerts on objectives that you acknowledged", ValidityAlert, "acknowledgedBy"),
      ],
    }),
  ],
  actions: {
    ...viewActions,
    ...workspaceActions,
    ...resolutionActions,
    ...stixActions,
    ...centralityActions,
    ...tensionActions,
    ...summaryActions,
    ...buildActions,
    ...actorActions,
    ...linkableActions,
    ...osintActions,
    ...validityActions,
  },
} satisfies MeshService;
