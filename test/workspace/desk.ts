import { admit, as, openSet, person, type Person } from "./people.ts";
import { oncePerWorld, type TestWorld } from "../mesh.ts";

/** A problem set with a parent, a commander of both, and a deputy; the same for every request of a world. */
export interface Desk {
  commander: Person;
  deputy: Person;
  id: string;
  parentId: string;
}

export const desk = oncePerWorld(async (at): Promise<Desk> => {
  const [commander, deputy] = [await person(at, "desk"), await person(at, "desk")];
  const parentId = await openSet(at, commander, { name: "Above" });
  const id = await openSet(at, commander, { name: "Desk", parentId });
  await admit(at, id, deputy, "deputy");
  return { commander, deputy, id, parentId };
});

/** Makes something as the desk's commander (or deputy) and answers its data; throws what the server says otherwise. */
export async function made(at: TestWorld, method: string, path: string, body?: unknown, who?: Person): Promise<any> {
  const reply = await as(at, who ?? (await desk(at)).commander)(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body?.data;
}
