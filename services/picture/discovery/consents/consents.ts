import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId, sha256 } from "../../../../core/ids.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";

/** Where devices are looked for: by this platform itself, or by the pages of an origin in somebody's browser. */
export const SERVER = "server";
const isOrigin = (text: string): boolean =>
  text === SERVER || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text);
export const Origin = z
  .string()
  .max(300)
  .refine(isOrigin, "Must be `server`, or an origin such as https://example.org, without a path.");

/** Rises whenever a text below changes: what was accepted before is out of date then. */
export const TEXT_VERSION = "1";

const COMMON = [
  "What is found (names, hardware addresses, addresses, services) may be data of persons. It is shown to those " +
    "who may inspect devices there, and is forgotten sixty days after it was seen last.",

  "Looking into networks without leave of whoever runs them is a crime in many countries. You confirm that you " +
    "have that leave.",
].join("\n\n");

/** The text that a person accepts before devices are looked for from there. */
export function textFor(origin: string): string {
  const first =
    origin === SERVER
      ? "Signalmesh will look for devices from its own machines: it sends questions to the segments that its " +
        "settings name, and connects to the addresses and ports that are listed as targets, and to nothing else, " +
        "until somebody stops it."
      : `Pages of ${origin} will report to Signalmesh which devices they come across in your browser: Bluetooth, ` +
        "USB, serial and local ones, as far as your browser lets them.";
  return `${first}\n\n${COMMON}`;
}

export const consentHash = (origin: string): string => sha256(`${TEXT_VERSION}\n${textFor(origin)}`);

/** That a person accepted the text of a version for an origin. */
export const Consent = entity("discovery.consents", {
  title: "consent",
  fields: {
    userId: PersonId,
    origin: Origin,
    version: z.string(),
    hash: z.string(),
    acceptedAt: Instant,
  },
  indexes: [{ fields: ["userId", "-createdAt"] }],
});
export type Consent = Item<typeof Consent>;

export const consentId = (userId: string, origin: string): string =>
  derivedId(`consent of ${userId} to look for devices from ${origin}: ${TEXT_VERSION} ${consentHash(origin)}`);
