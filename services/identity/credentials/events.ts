import { z } from "zod";
import { Instant, TextId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";
import { Grants, type IssuedCredential } from "./credentials.ts";
import { KIND_NAMES } from "./kinds.ts";

const Told = z.object({
  credentialId: TextId,
  kind: z.enum(KIND_NAMES),
  subject: z.string(),
  holderId: TextId.optional(),
  grants: Grants,
  validFrom: Instant,
  validUntil: Instant.optional(),
  reason: z.string().optional(),
});
/**
 * What a credential grants holds from `issued` or `reinstated` on, within its period of validity, until one of the
 * other three.
 */
export const CredentialIssued = event("identity.credential.issued", Told);
export const CredentialReinstated = event("identity.credential.reinstated", Told);
export const CredentialRevoked = event("identity.credential.revoked", Told);
export const CredentialSuspended = event("identity.credential.suspended", Told);
export const CredentialExpired = event("identity.credential.expired", Told);

export const credentialEvent = ({
  id,
  kind,
  subject,
  holderId,
  grants = {},
  validFrom,
  validUntil,
  statusReason,
}: IssuedCredential): z.input<typeof Told> => ({
  credentialId: id,
  kind,
  subject,
  holderId,
  grants,
  validFrom,
  validUntil,
  reason: statusReason,
});
