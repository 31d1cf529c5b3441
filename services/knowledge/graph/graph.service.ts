import type { Entity } from "../../../core/records/entity.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ArticleRemoved } from "../../news/articles/events.ts";
import { DocumentRemoved } from "../documents/events.ts";
import { actorActions } from "./actors/actors.actions.ts";
import { buildActions } from "./build/build.actions.ts";
import { build, forgetArticle, forgetDocument, giveUpBuild } from "./build/building.ts";
import { BUILD, Build } from "./build/builds.ts";
import * as events from "./events.ts";
import { EventLinked, EventRecorded } from "./events.ts";
import { GraphChanged } from "./live.ts";
import { osintActions } from "./osint/osint.actions.ts";
import { OsintEvent } from "./osint/osint.ts";
import { markTold, readTold } from "./osint/recording.ts";
import { GraphMark } from "./statements/keeping.ts";
import { Statement } from "./statements/statements.ts";
import { ValidityChanged } from "./validity/calculating.ts";
import { ValidityAlerted } from "./validity/events.ts";
import { hearsValidity, keepsValidity, validityJobs, validitySchedules } from "./validity/following.ts";
import { validityActions } from "./validity/validity.actions.ts";
import { Assertion, VALIDITY, ValidityAlert } from "./validity/validity.ts";
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
      entities: [Statement, GraphMark, Workspace, Build, OsintEvent, ...VALIDITY],
      books: [GraphMark, Assertion],
      tells: () => [...eventsIn(events), ValidityAlerted],
      hears: [
        on(DocumentRemoved, forgetDocument),
        on(ArticleRemoved, forgetArticle),
        on(EventRecorded, readTold),
        on(EventLinked, markTold),
        ...hearsValidity,
      ],
      live: [GraphChanged, ValidityChanged],
      jobs: { [BUILD]: { run: build, failed: giveUpBuild, concurrency: 2 }, ...validityJobs },
      schedules: { ...validitySchedules },
      keeps: keepsValidity,
      personal: [
        common("Statements of the graph that came of what you asked for", Statement),
        common("Graph workspaces that you made", Workspace),
        common("Readings into the graph that you asked for", Build, "by"),
        common("OSINT events that you recorded", OsintEvent),
        common("Alerts on objectives that you acknowledged", ValidityAlert, "acknowledgedBy"),
      ],
    }),
  ],
  actions: {
    ...viewActions,
    ...workspaceActions,
    ...buildActions,
    ...actorActions,
    ...osintActions,
    ...validityActions,
  },
} satisfies MeshService;
