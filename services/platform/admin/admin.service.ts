import { asSystem } from "../../../core/access/caller.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { admissionActions } from "./admission/admission.actions.ts";
import { cacheActions } from "./caches/caches.actions.ts";
import { configurationActions } from "./configurations/configurations.actions.ts";
import { Configuration, ConfigurationStored, Version } from "./configurations/configurations.ts";
import { noteVersion } from "./configurations/saving.ts";
import { fundingActions, watchFunding } from "./funding/funding.actions.ts";
import { FundingChange } from "./funding/funding.ts";
import { modelActions, rememberModels, type ModelsHost } from "./models/models.actions.ts";
import { collect, COLLECT, collectDue } from "./osint/collecting.ts";
import { materialActions } from "./osint/material.actions.ts";
import { sourceActions } from "./osint/sources.actions.ts";
import { OsintItem, OsintSource } from "./osint/sources.ts";
import { letterActions } from "./running/letters.actions.ts";
import { runningActions } from "./running/nodes.actions.ts";

const STAYS = "Who changed what of the platform stays on record, under an id that leads to nobody.";
const WATCH_MS = 300_000;
const COLLECT_MS = 15_000;
const KEPT_DAYS = 400;

export default {
  name: "admin",
  metadata: {
    description: "Running the platform: configurations, agents, tools, teams, models, mail, caches, funding.",
  },
  settings: { rest: "/admin" },
  mixins: [
    domain({
      entities: [Configuration, Version, FundingChange, OsintSource, OsintItem],
      tells: () => [ConfigurationStored],
      hears: [
        on(ConfigurationStored, async function (this: Host, told) {
          await noteVersion(this, asSystem("admin"), told);
        }),
      ],
      jobs: { [COLLECT]: { run: collect, attempts: 3, concurrency: 4 } },
      schedules: {
        "watch-funding": { everyMs: WATCH_MS, firstMs: 1_000, run: watchFunding },
        "collect-osint": { everyMs: COLLECT_MS, run: collectDue },
      },
      keeps: [{ entity: OsintItem, days: () => KEPT_DAYS }],
      personal: [
        {
          what: "Configurations that you changed last",
          entity: Configuration,
          by: "updatedBy",
          erasure: { keep: STAYS },
        },
        { what: "Configurations that you changed", entity: Version, by: "by", erasure: { keep: STAYS } },
      ],
    }),
  ],
  created(this: ModelsHost) {
    rememberModels(this);
  },
  actions: {
    ...configurationActions,
    ...admissionActions,
    ...modelActions,
    ...fundingActions,
    ...cacheActions,
    ...runningActions,
    ...letterActions,
    ...sourceActions,
    ...materialActions,
  },
} satisfies MeshService;
