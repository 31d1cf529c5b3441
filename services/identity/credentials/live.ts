import { z } from "zod";
import { liveType, type Telling } from "../../../core/contract/live.ts";
import { showing } from "../../../core/events/showing.ts";
import { IssuedCredential } from "./credentials.ts";

const TOPIC = "credentials";
const payload = z.object({ id: z.string(), status: IssuedCredential.record.shape.status });

export const CredentialAltered = liveType("credential.changed", {
  domain: "credentials",
  summary: "A credential about you, or of a problem set in which you issue, was issued or changed",
  may: "credentials:issue",
  payload,
});
export const CredentialNoticed = liveType("credential.noticed", {
  domain: "credentials",
  summary: "A credential that belongs to no problem set was issued or changed (topic `credentials`)",
  permit: "credentials:administer",
  topics: [TOPIC],
  payload,
});

/** To its holder, and to those who may change its status. */
export const SHOWS = [
  showing(IssuedCredential, ({ id, status, holderId, problemSetId, compartments = [], training = false }) => {
    const data = { id, status };
    const governing: Telling<typeof payload> =
      problemSetId === undefined
        ? { event: CredentialNoticed, to: { topic: TOPIC, training }, data }
        : { event: CredentialAltered, to: { problemSetId, compartments }, data };
    const own = { event: CredentialAltered, to: { userId: holderId!, training }, data };
    return holderId === undefined ? [governing] : [governing, own];
  }),
];
