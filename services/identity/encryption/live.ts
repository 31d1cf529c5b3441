import { z } from "zod";
import { liveType } from "../../../core/contract/live.ts";
import { showing } from "../../../core/events/showing.ts";
import { EncryptionKey } from "./keys.ts";

export const KeyAltered = liveType("encryption-key.changed", {
  domain: "encryption",
  summary: "A named key of yours, or of a problem set in which you use them, was made or rotated",
  may: "encryption:use",
  payload: z.object({ id: z.string() }),
});

export const SHOWS = [
  showing(EncryptionKey, ({ id, ownerId, problemSetId, compartments = [] }) => {
    const to = problemSetId === undefined ? ownerId && { userId: ownerId } : { problemSetId, compartments };
    return to ? [{ event: KeyAltered, to, data: { id } }] : [];
  }),
];
