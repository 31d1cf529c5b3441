import { admit, as, openSet, person, type Person } from "./people.ts";
import type { TestWorld } from "../mesh.ts";

/** A problem set with a parent, a commander of both, and a deputy; the same for every request of a world. */
export interface Desk { commander: Person; deputy: Person; id: string; parentId: string }

async function open(at: TestWorld): Promise<Desk> {
  const [commander, deputy] = [await person(at, "desk"), await person(at, "desk")];
  const parentId = await openSet(at, commander, { name: "Above" });
  const id = await openSet(at, commander, { name: "Desk", parentId });
  await admit(at, id, deputy, "deputy");
  return { commander, deputy, id, parentId };
}

const desks = new WeakMap<TestWorld, Promise<Desk>>();
export const desk = (at: TestWorld): Promise<Desk> => {
  if (!desks.has(at)) desks.set(at, open(at));
  return desks.get(at)!;
};

/** Makes something as the desk's commander (or deputy) and answers its data; throws what the server says otherwise. */
export async function made(at: TestWorld, method: string, path: string, body?: unknown, who?: Person): Promise<any> {
  const reply = await as(at, who ?? (await desk(at)).commander)(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body?.data;
}

export const stored = (collection: string) => async (at: TestWorld): Promise<number> => (await at.mesh.world.documents.collection(collection)).count();
