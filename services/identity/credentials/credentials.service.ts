import type { MeshService } from "../../../core/contract/endpoint.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { IssuedCredential } from "./credentials.ts";
import { CredentialAltered, CredentialNoticed, SHOWS } from "./live.ts";
import { heldCredentials } from "./personal.ts";
import { StatusList } from "./status/status-lists.ts";
import { expire, ownCredentials } from "./kept.actions.ts";
import { issuingCredentials } from "./issuing.actions.ts";
import { presentedCredentials } from "./presented.actions.ts";
import { publishedParts, type Credentials } from "./published.actions.ts";

const EXPIRE_EVERY_MS = 60_000;

export default {
  name: "credentials",
  metadata: {
    description: "Verifiable Credentials (W3C VC Data Model 2.0): issue, present, verify, suspend and revoke.",
  },
  settings: { rest: "/credentials" },
  mixins: [
    domain({
      entities: [IssuedCredential, StatusList],
      live: [CredentialAltered, CredentialNoticed],
      shows: SHOWS,
      personal: [heldCredentials],
      schedules: { expire: { everyMs: EXPIRE_EVERY_MS, run: expire } },
    }),
  ],

  actions: {
    ...issuingCredentials,
    ...presentedCredentials,
    ...ownCredentials,
    ...publishedParts,
  },

  created(this: Credentials) {
    this.published = new Map();
  },
} satisfies MeshService;
