import { asSystem } from "../../../core/access/caller.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { configurationActions } from "./configurations/configurations.actions.ts";
import { Configuration, ConfigurationStored, Version } from "./configurations/configurations.ts";
import { note } from "./configurations/saving.ts";

const STAYS = "Who changed what of the platform stays on record, under an id that leads to nobody.";

export default {
  name: "admin",
  settings: { rest: "/admin" },
  mixins: [
    domain({
      entities: [Configuration, Version],
      tells: () => [ConfigurationStored],
      hears: [
        on(ConfigurationStored, async function (this: Host, told) {
          await note(this, asSystem("admin"), told);
        }),
      ],
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
  actions: {
    ...configurationActions,
  },
} satisfies MeshService;
