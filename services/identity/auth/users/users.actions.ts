import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { fitsPassword, hashPassword, weakness } from "../../../../adapters/passwords.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { withWords } from "../../../../core/records/reading/by-words.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { conflict, forbidden, invalid, overtaken } from "../../../../core/problem.ts";
import { crud } from "../../../../mixins/crud.ts";
import { guess } from "../lockout/guesses.ts";
import { authOf, personOf } from "../parts.ts";
import { endSessions } from "../sessions/sessions.actions.ts";
import { invite, Invited, inviteMany, makeAccount, MOST_INVITED } from "./invitations.ts";
import { endingSignIns, findable, User, userQuery } from "./users.ts";
import { Email, Password, refuseInTraining } from "../client.ts";
import { AccessChanged } from "../events.ts";

const {
  create: _create,
  update: _update,
  ...ordinary
} = crud(User, {
  at: "/users",
  get: "users:administer",
  create: "users:administer",
  update: "users:administer",
});

export const users = {
  ...ordinary,

  "users.list": endpoint({
    rest: "GET /users",
    summary: "List accounts, also by words of their names and addresses",
    permit: "users:administer",
    beyond: true,
    query: userQuery,
    returns: list(User.view),
    handler(ctx) {
      return this.store(User).page(ctx, ctx.params, withWords(ctx.params.q));
    },
  }),

  "users.create": endpoint({
    rest: "POST /users",
    summary: "Create an account",
    permit: "users:administer",
    beyond: true,
    body: { ...User.create, email: Email, password: Password.optional() },
    returns: data(User.view),
    status: 201,
    description:
      "Without a `password`, a link that signs in once within seven days is mailed to the address. " +
      "After that the person signs in by links, or with a passkey that they add. In training no mail is sent: such an " +
      "account is refused.",
    errors: { 409: "The address has an account; or you are in training, without a `password` (`OPERATIONAL_ONLY`)." },
    example: { email: "colleague@example.org", name: "Ada", role: "analyst" },
    async handler(ctx) {
      const { password, ...fields } = ctx.params;
      if (password === undefined) {
        refuseInTraining(ctx);
        return invite(this, ctx, fields);
      }
      await refuseWeak(password, fields.email);
      return makeAccount(this, ctx, { ...fields, passwordHash: await hashPassword(password) });
    },
  }),

  "users.createMany": endpoint({
    rest: "POST /users/bulk",
    summary: "Create several accounts",
    permit: "users:administer",
    beyond: true,
    body: {
      accounts: z
        .array(z.unknown().describe("`{email, name?, role?}`; a wrong entry fails alone."))
        .min(1)
        .max(MOST_INVITED),
    },
    returns: data(Invited),
    status: 201,
    description:
      "Each entry is like that of a single create without a `password`: its address is mailed a link that signs in " +
      "once within seven days. Entries are handled separately: the others are listed in `failed` with their index " +
      `(from 0), a code (\`VALIDATION_ERROR\`, \`CONFLICT\`) and the reason. At most ${MOST_INVITED} entries.`,
    errors: { 409: "You are in training, where no mail is sent (`OPERATIONAL_ONLY`)." },
    example: { accounts: [{ email: "ada@example.org", name: "Ada", role: "analyst" }, { email: "ben@example.org" }] },
    handler(ctx) {
      refuseInTraining(ctx);
      return inviteMany(this, ctx, ctx.params.accounts);
    },
  }),

  "users.update": endpoint({
    rest: "PUT /users/:id",
    summary: "Change an account's name, role, active state or password",
    permit: "users:administer",
    beyond: true,
    on: User,
    body: { ...User.update, password: Password.optional() },
    returns: data(User.view),
    async handler(ctx, user) {
      const { password, ...change } = ctx.params;
      if (password) await refuseWeak(password, user.email);
      const secret = password ? { passwordHash: await hashPassword(password) } : {};
      const ends = password !== undefined || change.active === false;
      const revised = await alter(this, ctx, user, (read) => ({
        ...change,
        ...(change.name !== undefined && { words: findable({ ...read, ...change }).words }),
        ...secret,
        ...(ends && endingSignIns(read, this.world.clock.now())),
      }));
      if (ends) await endSessions(this, ctx, user.id);
      else await AccessChanged.emit(ctx, { userId: user.id });
      return revised;
    },
  }),

  "passwords.change": endpoint({
    rest: "PUT /password",
    summary: "Change your password, which ends every other session and every token",
    description: "A token with which you ask ends as well: sign in with the new password for another one.",
    permit: "signed-in",
    beyond: true,
    body: { current: z.string().min(1).max(200), password: Password },
    returns: nothing(),
    status: 204,
    errors: { 403: "The current password is wrong.", 429: "Too many wrong passwords." },
    example: { current: "a long pass phrase", password: "another long pass phrase" },
    async handler(ctx) {
      const { userId, via, credential } = personOf(ctx);
      const user = await this.store(User).get(asSystem("auth"), userId);
      if (!(await guess(authOf(this), ctx, user.id, () => fitsPassword(user.passwordHash, ctx.params.current))))
        throw forbidden("The current password is wrong.");
      await refuseWeak(ctx.params.password, user.email);
      const kept = via === "session" ? credential : undefined;
      await this.store(User).revise(ctx, user, {
        passwordHash: await hashPassword(ctx.params.password),
        ...endingSignIns(user, this.world.clock.now(), { kept }),
      });
      await endSessions(this, ctx, userId, kept === undefined ? {} : { _id: { $ne: kept } });
      return null;
    },
  }),
};

export async function refuseWeak(password: string, email: string | undefined): Promise<void> {
  const why = await weakness(password, email?.split(/[@.]/) ?? []);
  if (why) throw invalid([{ path: "password", message: why }]);
}

type RoleAndState = Pick<User, "role" | "active">;
const administers = ({ role, active }: RoleAndState): boolean => role === "system_admin" && active;

/** Whether only the revision changed, because another change relied on this account. */
const wasWitness = (before: User, now: User): boolean =>
  now.rev !== before.rev && isDeepStrictEqual({ ...now, rev: 0 }, { ...before, rev: 0 });

/**
 * Changes an account by the revision it was read with. There is always somebody who can let others in: the last system
 * administrator stays one (409).
 */
export async function alter(
  host: Host,
  caller: Caller,
  user: User,
  changeOf: (read: User) => Partial<RoleAndState> & Record<string, unknown>,
  told: { facts?: Fact[] } = {},
): Promise<User> {
  const users = host.store(User);
  let read = user;
  const revised = await retryOnConflict(
    async (attempt) => {
      const before = read;
      if (attempt > 1 && !wasWitness(before, (read = await users.get(caller, user.id)))) return null;
      const change = changeOf(read);
      if (administers(read) && !administers({ role: change.role ?? read.role, active: change.active ?? read.active })) {
        const witnessed = await users.witness(caller, { role: "system_admin", active: true, _id: { $ne: read.id } });
        if (!witnessed)
          throw conflict("This is the last active system administrator.", { reason: "LAST_ADMINISTRATOR" });
      }
      return users.revise(caller, read, change, told);
    },
    { apart: user.id },
  );
  if (!revised) throw overtaken(User.title, user);
  return revised;
}
