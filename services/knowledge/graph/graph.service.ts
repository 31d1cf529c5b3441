import type { Entity } from "../../../core/records/entity.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { centralityActions } from "./centrality/centrality.actions.ts";
import { Comparison } from "./centrality/comparison.ts";
import { COMPARE, measure } from "./centrality/measuring.ts";
import { DocumentRemoved } from "../documents/events.ts";
import { ContainerRemoved } from "../strategic/events.ts";
import * as events from "./events.ts";
import { Judgement } from "./resolution/judgements.ts";
import { resolutionActions } from "./resolution/resolution.actions.ts";
import { GraphMark } from "./statements/keeping.ts";
import { StixRecord } from "./stix/importing.ts";
import { stixActions } from "./stix/stix.actions.ts";
import { Statement } from "./statements/statements.ts";
import { summaryActions } from "./summaries/summaries.actions.ts";
import { Summary } from "./summaries/summaries.ts";
import { forgetContainer, forgetDocument } from "./summaries/summarising.ts";
import { tensionActions } from "./tensions/tensions.actions.ts";
import { viewActions } from "./views/views.actions.ts";
import { workspaceActions } from "./workspaces/workspaces.actions.ts";
import { Workspace } from "./workspaces/workspaces.ts";

/** What somebody did for all stays, by an id that leads to nobody. */
const common = (what: string, entity: Entity, by = "createdBy") => ({
  what,
  entity,
  by,
  erasure: { keep: "Who had a part in common work stays on record, by an id that leads to nobody." },
});

export default {
  name: "graph",
  settings: { rest: "/graph" },
  mixins: [
    domain({
      entities: [Statement, GraphMark, Workspace, Judgement, StixRecord, Comparison, Summary],
      books: [GraphMark, Comparison, Summary],
      tells: () => eventsIn(events),
      hears: [on(ContainerRemoved, forgetContainer), on(DocumentRemoved, forgetDocument)],
      live: [],
      jobs: { [COMPARE]: { run: measure } },
      keeps: [
        { entity: Comparison, days: () => 7 },
        { entity: Summary, days: () => 30 },
      ],
      schedules: {},
      personal: [
        common("Statements of the graph that came of what you asked for", Statement),
        common("Graph workspaces that you made", Workspace),
        common("STIX objects that you brought in", StixRecord),
        common("Judgements that you made of entities", Judgement),
        common("Judgements of entities that you decided last", Judgement, "decidedBy"),
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
  },
} satisfies MeshService;
