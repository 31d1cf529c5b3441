import type { MeshService } from "../../../core/endpoint.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { compartmentActions } from "./compartments.actions.ts";
import { Compartment } from "./compartments.ts";
import { memberActions } from "./members.actions.ts";
import { Member } from "./members.ts";
import { meshActions } from "./mesh.actions.ts";
import { setActions, type SetsHost } from "./sets.actions.ts";
import { ProblemSet } from "./sets.ts";

export default {
  name: "problem-sets",
  settings: { rest: "/problem-sets" },
  mixins: [domain({
    entities: [ProblemSet, Member, Compartment],
    personal: [{ what: "Memberships", entity: Member, by: "userId", erasure: { keep: "Who had a part in common work stays on record, by an id and a DID that lead to nobody." } }],
  })],
  actions: { ...setActions, ...memberActions, ...compartmentActions, ...meshActions },

  async started(this: SetsHost) {
    this.primaries = await this.world.documents.collection("primary_problem_sets");
  },
} satisfies MeshService;
