import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Problem } from "../../../../core/problem.ts";
import { Consent, consentId, consentHash, TEXT_VERSION } from "./consents.ts";

const MESH = asSystem("discovery");

/** The acceptance of the present text by this person for this origin; null without one. */
export const consentOf = (host: Host, userId: string, origin: string): Promise<Consent | null> =>
  host.store(Consent).one(MESH, { _id: consentId(userId, origin) });

/** Throws 403 `CONSENT_REQUIRED` unless the person accepted the present text for this origin. */
export async function demandConsent(host: Host, userId: string, origin: string): Promise<Consent> {
  const consent = await consentOf(host, userId, origin);
  if (consent) return consent;
  throw new Problem(
    403,
    "CONSENT_REQUIRED",
    `Accept the text for ${origin} first: GET /api/discovery/legal-consent/${encodeURIComponent(origin)} shows it, ` +
      "POST /api/discovery/legal-consent accepts it.",
    { details: { origin, version: TEXT_VERSION, hash: consentHash(origin) } },
  );
}
