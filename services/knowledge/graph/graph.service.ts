import type { Entity } from "../../../core/records/entity.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import * as events from "./events.ts";
import { Judgement } from "./resolution/judgements.ts";
import { resolutionActions } from "./resolution/resolution.actions.ts";
import { GraphMark } from "./statements/keeping.ts";
import { StixRecord } from "./stix/importing.ts";
import { stixActions } from "./stix/stix.actions.ts";
import { Statement } from "./statements/statements.ts";
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
      entities: [Statement, GraphMark, Workspace, Judgement, StixRecord],
      books: [GraphMark],
      tells: () => eventsIn(events),
      hears: [],
      live: [],
      jobs: {},
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
  },
} satisfies MeshService;
