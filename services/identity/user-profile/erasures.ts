import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

/** A person's wish to be forgotten, under the person's own id; it stays, as the proof that it was granted. */
export const Erasure = entity("user-profile.erasures", {
  title: "erasure",
  collection: "erasures",
  fields: { status: z.enum(["requested", "erased"]), erasedAt: Instant.optional() },
  readonly: ["status", "erasedAt"],
  indexes: [{ fields: ["status", "-createdAt"] }],
});
export type Erasure = Item<typeof Erasure>;

export const ErasureView = z
  .object({ status: Erasure.record.shape.status, requestedAt: Instant })
  .meta({ id: "ErasureRequest" });

/** The account is closed and what is held about the person is about to go. */
export const ErasureRequested = event("identity.erasure.requested", z.object({ userId: TextId }));
/** Nothing personal is left; whatever still names the person's id names nobody. */
export const PersonErased = event("identity.person.erased", z.object({ userId: TextId }));
