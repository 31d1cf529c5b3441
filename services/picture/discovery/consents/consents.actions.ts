import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { iso } from "../../../../core/clock.ts";
import { Problem } from "../../../../core/problem.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { Consent, consentId, consentHash, Origin, TEXT_VERSION, textFor } from "./consents.ts";
import { consentOf } from "./giving.ts";

const Demanded = z
  .object({
    origin: z.string(),
    version: z.string(),
    hash: z.string().describe("SHA-256 of version and text."),
    text: z.string(),
    accepted: z.boolean().describe("Whether you accepted this version."),
    acceptedAt: Instant.nullable(),
  })
  .meta({ id: "LegalConsent" });

export const consentActions = {
  "consents.get": endpoint({
    rest: "GET /legal-consent/:origin",
    summary: "Show the legal text that must be accepted for an origin",
    permit: "signed-in",
    path: { origin: Origin.describe("`server`, or an origin such as https://example.org, percent-encoded.") },
    returns: data(Demanded),
    async handler(ctx) {
      const { origin } = ctx.params;
      const consent = await consentOf(this, ctx.meta.actor!.userId, origin);
      return {
        origin,
        version: TEXT_VERSION,
        hash: consentHash(origin),
        text: textFor(origin),
        accepted: consent !== null,
        acceptedAt: consent?.acceptedAt ?? null,
      };
    },
  }),

  "consents.accept": endpoint({
    rest: "POST /legal-consent",
    summary: "Accept the legal text for an origin",
    permit: "signed-in",
    body: {
      origin: Origin,
      version: z.string().min(1).max(20).describe("Of the text that you read."),
      hash: z.string().length(64).optional().describe("Of the text that you read: says so to the letter."),
    },
    returns: data(Consent.view),
    status: 201,
    errors: { 409: "The text has changed (`CONSENT_OUTDATED`): read it again." },
    example: { origin: "server", version: TEXT_VERSION },
    description: "A person accepts for themselves; a key or an agent cannot. Accepting again changes nothing.",
    async handler(ctx) {
      const { origin, version, hash = consentHash(origin) } = ctx.params;
      const userId = personOf(ctx.meta.actor);
      if (version !== TEXT_VERSION || hash !== consentHash(origin))
        throw new Problem(409, "CONSENT_OUTDATED", "This is not the present text: read it, and accept that one.", {
          details: { origin, version: TEXT_VERSION, hash: consentHash(origin) },
        });
      const given = {
        id: consentId(userId, origin),
        userId,
        origin,
        version,
        hash,
        acceptedAt: iso(this.world.clock.now()),
      };
      return (await this.store(Consent).createOnce(ctx, given)).record;
    },
  }),
};
