import type { MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn } from "../../../core/records/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { consumableActions } from "./consumables/consumables.actions.ts";
import { Consumable } from "./consumables/consumables.ts";
import * as events from "./events.ts";
import { groupActions } from "./groups/groups.actions.ts";
import { Group } from "./groups/groups.ts";
import { personnelActions } from "./personnel/personnel.actions.ts";
import { Personnel } from "./personnel/personnel.ts";
import { importAction } from "./registry/import.actions.ts";
import { resourceActions } from "./registry/resources.actions.ts";
import { Resource } from "./registry/resources.ts";

export default {
  name: "resources",
  settings: { rest: "/resources" },
  mixins: [
    domain({
      entities: [Resource, Group, Personnel, Consumable],
      tells: () => eventsIn(events),
      personal: [{ what: "Your record among the personnel", entity: Personnel, by: "userId", erasure: "remove" }],
    }),
  ],
  actions: { ...resourceActions, ...importAction, ...groupActions, ...personnelActions, ...consumableActions },
} satisfies MeshService;
