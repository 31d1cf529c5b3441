import { z } from "zod";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { withSeenNames } from "../../../../core/contract/input/names.ts";
import { conflict, isConflict, isProblem } from "../../../../core/problem.ts";
import { Email } from "../client.ts";
import { mailWelcome } from "../links/wishes.ts";
import { findable, User } from "./users.ts";
import { upTo } from "../../../../core/text/cutting.ts";

const MESH = asSystem("auth");
/** Accounts that one request may make. */
export const MOST_INVITED = 200;
/** Accounts made side by side: they share the store's group commit. */
const CHUNK = 50;

const { name, role } = User.create;
const Entry = withSeenNames(z.strictObject({ email: Email, name: name.unwrap().trim().min(1).optional(), role }));
type Entry = z.output<typeof Entry>;

/** Why one entry of many was not taken; `index` counts from 0. */
const RefusedAccount = z
  .object({
    index: z.int(),
    email: z.string().optional().describe("The address as the entry gives it, if any."),
    code: z.string(),
    message: z.string(),
  })
  .meta({ id: "AccountFailure" });
type RefusedAccount = z.output<typeof RefusedAccount>;

/** What became of each entry. */
export const Invited = z
  .object({ created: z.array(User.view), failed: z.array(RefusedAccount) })
  .meta({ id: "AccountBulkResult" });

const HAS_ONE = "This address has an account already.";

/** Tells good entries from bad ones, each for itself; of two with the same address the first is taken. */
function sortEntries(entries: readonly unknown[]): { accepted: [number, Entry][]; failed: RefusedAccount[] } {
  const accepted: [number, Entry][] = [];
  const failed: RefusedAccount[] = [];
  const places = new Map<string, number>();
  for (const [index, given] of entries.entries()) {
    const { success, data, error } = Entry.safeParse(given);
    const before = success ? places.get(data.email) : undefined;
    if (!success) {
      const message = error.issues.map(({ path, message: why }) => [path.join("."), why].filter(Boolean).join(": "));
      failed.push({ index, code: "VALIDATION_ERROR", message: message.join("; ") });
    } else if (before !== undefined)
      failed.push({ index, code: "CONFLICT", message: `email: the same address as entry ${before}.` });
    else {
      places.set(data.email, index);
      accepted.push([index, data]);
    }
  }
  return { accepted, failed };
}

/**
 * Makes an account for each good entry and mails it a link that signs in; says of each other entry why it was not taken.
 * Throws only where the store itself fails.
 */
export async function inviteMany(
  host: Host,
  ctx: Ctx<unknown>,
  entries: readonly unknown[],
): Promise<z.input<typeof Invited>> {
  const { accepted, failed } = sortEntries(entries);
  const created: User[] = [];
  for (let at = 0; at < accepted.length; at += CHUNK) {
    const chunk = accepted.slice(at, at + CHUNK);
    const outcomes = await Promise.allSettled(chunk.map(([, entry]) => invite(host, ctx, entry)));
    for (const [place, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") created.push(outcome.value);
      else failed.push(refusal(chunk[place]![0], outcome.reason));
    }
  }
  const named = failed.map((one) => ({ ...addressOf(entries[one.index]), ...one }));
  return { created, failed: named.sort((a, b) => a.index - b.index) };
}

/**
 * Makes an account. Throws 409 where the address has one: looked up first, since the audit log has what is written
 * before its outcome is known, and would tell of an account that never was.
 */
export async function makeAccount(
  host: Host,
  ctx: Ctx<unknown>,
  account: Entry & { passwordHash?: string },
): Promise<User> {
  if (await host.store(User).one(MESH, { email: account.email })) throw conflict(HAS_ONE, { fields: ["email"] });
  return host.store(User).create(ctx, findable(account));
}

/** Makes an account that is handed over by mail. Throws 409 where the address has one. */
export async function invite(host: Host, ctx: Ctx<unknown>, entry: Entry): Promise<User> {
  const user = await makeAccount(host, ctx, entry);
  await mailWelcome(host, ctx, user);
  return user;
}

function addressOf(entry: unknown): { email?: string } {
  const { email } = (entry ?? {}) as Record<string, unknown>;
  return typeof email === "string" ? { email: upTo(254, email) } : {};
}

function refusal(index: number, reason: unknown): RefusedAccount {
  if (!isProblem(reason)) throw reason;
  const { type: code, message } = reason;
  return { index, code, message: isConflict(reason) ? HAS_ONE : message };
}
