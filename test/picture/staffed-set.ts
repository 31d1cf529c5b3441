import { world, type TestWorld } from "../mesh.ts";
import { openCompartment, openStaffedSet, persons, type Person } from "../workspace/people.ts";

interface StaffedSet {
  at: TestWorld;
  ann: Person;
  bob: Person;
  cleo: Person;
  eve: Person;
  set: string;
  red: string;
}

/** A set that ann commands, with a compartment Red: bob plans and is read into it, cleo observes, eve is no member. */
export async function staffedWorld(): Promise<StaffedSet> {
  const at = await world();
  const [ann, bob, cleo, eve] = await persons(at, "ann", "bob", "cleo", "eve");
  const set = await openStaffedSet(at, ann, { planner: bob, observer: cleo });
  const red = await openCompartment(at, set, ann, "Red", bob);
  return { at, ann, bob, cleo, eve, set, red };
}
