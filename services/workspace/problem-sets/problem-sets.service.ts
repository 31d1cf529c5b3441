import type { MeshService } from "../../../core/endpoint.ts";
import { on } from "../../../core/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { compartmentActions } from "./compartments.actions.ts";
import { Compartment } from "./compartments.ts";
import { invitationActions } from "./invitations.actions.ts";
import { Invitation } from "./invitations.ts";
import { memberActions } from "./members.actions.ts";
import { Member, MemberRemoved } from "./members.ts";
import { meshActions } from "./mesh.actions.ts";
import { panelActions } from "./panels.actions.ts";
import { PanelConfig } from "./panels.ts";
import { positionActions, vacate } from "./positions.actions.ts";
import { Position } from "./positions.ts";
import { erasePrimaries, gatherPrimaries, setActions, type SetsHost } from "./sets.actions.ts";
import { ProblemSet } from "./sets.ts";
import { withdrawals } from "./withdrawal.ts";

export default {
  name: "problem-sets",
  settings: { rest: "/problem-sets" },
  mixins: [domain({
    entities: [ProblemSet, Member, Compartment, Invitation, Position, PanelConfig],
    hears: [on(MemberRemoved, vacate), ...withdrawals],
    personal: [
      { what: "Memberships", entity: Member, by: "userId", erasure: { keep: "Who had a part in common work stays on record, by an id and a DID that lead to nobody." } },
      { what: "Invitations addressed to them", entity: Invitation, by: "userId", erasure: "remove" },
      { what: "Primary problem sets", gather: gatherPrimaries, erase: erasePrimaries },
    ],
  })],
  actions: { ...setActions, ...memberActions, ...invitationActions, ...positionActions, ...compartmentActions, ...panelActions, ...meshActions },

  async started(this: SetsHost) {
    this.primaries = await this.world.documents.collection("primary_problem_sets");
  },
} satisfies MeshService;
