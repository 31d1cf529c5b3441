import { iso } from "../../../../core/clock.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { LINK_MS, WELCOME_MS, type LinkWish } from "./links.ts";
import { originFor } from "../parts.ts";
import type { User } from "../users/users.ts";

/** Mail is written some time after the answer, so that the answer's own time cannot tell whether there is any. */
const LATER_MS = 1_000;

export type Wish = Pick<LinkWish, "kind" | "email" | "userId">;

/** Writes a mail with a link in the background. */
export async function queue(host: Host, ctx: Ctx<unknown>, wanted: Wish): Promise<void> {
  const now = host.world.clock.now();
  const lasts = wanted.kind === "welcome" ? WELCOME_MS : LINK_MS;
  const input: LinkWish = { ...wanted, origin: originFor(host, ctx.meta), expiresAt: iso(now + lasts) };
  await host.jobs.add("auth.link", input, { by: "system:auth", id: newId(), runAt: now + LATER_MS });
}

/** Hands an account without a password over to the owner of its address. */
export const mailWelcome = (host: Host, ctx: Ctx<unknown>, { id, email }: User): Promise<void> =>
  queue(host, ctx, { kind: "welcome", email: email!, userId: id });
