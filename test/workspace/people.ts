import type { SetRole } from "../../config/set-roles.ts";
import { systemActor } from "../../core/access/access.ts";
import { PASSWORD, type Reply, type TestWorld } from "../mesh.ts";

/** Somebody with an account: signs in by `token`, is addressed by `did`. */
export interface Person {
  name: string;
  email: string;
  token: string;
  userId: string;
  did: string;
}

let made = 0;

/** A token whose proof of person is new: acts that want one take no other, however long a suite has been running. */
export const signIn = async (at: TestWorld, email: string): Promise<string> =>
  (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data.token;

/** Makes an account and signs it in. */
export async function person(at: TestWorld, name: string): Promise<Person> {
  const email = `${name}-${++made}@example.org`;
  const { id: userId } = (
    await at.http("POST", "/api/auth/users", { body: { email, role: "analyst", password: PASSWORD } })
  ).body.data;
  const token = await signIn(at, email);
  const { did } = await at.call("identity.primaryDid", { userId }, systemActor("test"));
  return { name, email, token, userId, did };
}

/** Several at once, in the order of their names. */
export const persons = <Names extends readonly string[]>(
  at: TestWorld,
  ...names: Names
): Promise<{ [At in keyof Names]: Person }> =>
  Promise.all(names.map((name) => person(at, name))) as Promise<{ [At in keyof Names]: Person }>;

/** Speaks to the gateway as somebody. */
export const as =
  (at: TestWorld, who: Person) =>
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    at.http(method, path, { as: who.token, ...(body !== undefined && { body }), ...(headers && { headers }) });

/** Opens a problem set as its commander; answers its id. */
export async function openSet(at: TestWorld, commander: Person, fields: object = {}): Promise<string> {
  const reply = await as(at, commander)("POST", "/api/problem-sets", { name: "Flood", ...fields });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
}

/** Makes somebody a member, past the invitation. */
export const admit = (at: TestWorld, problemSetId: string, { did }: Person, role: string): Promise<unknown> =>
  at.call("problem-sets.grant", { problemSetId, did, role }, systemActor("test"));

/** Opens a problem set with one member in each of these roles beside its commander; answers its id. */
export async function openStaffedSet(
  at: TestWorld,
  commander: Person,
  staff: Partial<Record<SetRole, Person>>,
  fields: object = {},
): Promise<string> {
  const id = await openSet(at, commander, fields);
  for (const [role, who] of Object.entries(staff)) await admit(at, id, who, role);
  return id;
}

/** Opens a compartment of a problem set, with these read into it, of whom its maker cannot be one; answers its id. */
export async function openCompartment(
  at: TestWorld,
  problemSetId: string,
  maker: Person,
  name: string,
  ...readers: Person[]
): Promise<string> {
  const path = `/api/problem-sets/${problemSetId}/compartments`;
  const { id } = (await as(at, maker)("POST", path, { name })).body.data;
  for (const { did } of readers) await as(at, maker)("POST", `${path}/${id}/members`, { did });
  return id;
}
