import { z } from "zod";
import { TextId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

/**
 * A hint: what was remembered of somebody's access, or without a user of everybody's, is out of date; with a problem
 * set, of what they are and may in that one alone.
 */
export const AccessChanged = event(
  "identity.access.changed",
  z.object({ userId: z.string().optional(), problemSetId: z.string().optional() }),
);
/** A person closed their account, to be erased. */
export const AccountGivenUp = event("identity.account.given-up", z.object({ userId: z.string() }));

/** How a passkey came to an account: with the account, by its signed-in owner, or by a recovery link. */
export const Origin = z.enum(["registered", "added", "recovered"]);
export const PasskeyAdded = event(
  "identity.passkey.added",
  z.object({
    userId: TextId,
    passkeyId: TextId,
    how: Origin,
    forgetOthers: z.boolean().default(false).describe("With a recovery: every other way into the account ends."),
  }),
);
