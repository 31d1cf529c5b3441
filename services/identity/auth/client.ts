import { z } from "zod";
import type { Caller } from "../../../core/access/caller.ts";
import { operationalOnly, simulates } from "../../../core/access/training-mode.ts";
import type { Host } from "../../../core/contract/endpoint.ts";

/** Addresses are compared without regard to case. */
export const Email = z
  .email()
  .max(254)
  .overwrite((address) => address.toLowerCase());
export const Password = z.string().min(10, "At least 10 characters.").max(200);
export const PersonName = z.string().trim().min(1).max(120);

/** For a new account without a password, of which a mail would be sent. Throws 409 in training. */
export function refuseInTraining(caller: Pick<Caller, "meta">): void {
  if (simulates(caller)) throw operationalOnly("an account without a password is handed over by mail");
}

/** Makes a user, in the name of the asking service; answers the id. Without a password a link is mailed to them. */
export const addUser = async (host: Host, user: { email: string; password?: string; name?: string }): Promise<string> =>
  (await host.ask<{ id: string }>("auth.users.create", user)).id;

/** Whether there is a user of this id whose account is active. */
export const isUser = async (host: Host, userId: string): Promise<boolean> =>
  (await host.ask<object | null>("auth.actor", { userId })) !== null;

export interface Person {
  id: string;
  email?: string;
  claimedEmail?: string;
  name?: string;
  role: string;
  createdAt: string;
}
/** What the account says of a person; null without one. */
export const accountOf = (host: Host, userId: string): Promise<Person | null> => host.ask("auth.person", { userId });

/** Ends every session and token of an account; answers how many there were. */
export const endSignIns = (host: Host, userId: string): Promise<number> => host.ask("auth.endSignIns", { userId });
