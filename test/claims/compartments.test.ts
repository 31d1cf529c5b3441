import type { DomainParts } from "../../core/contract/endpoint.ts";
import { dividing } from "../../core/records/keeping/contents.ts";
import type { Entity } from "../../core/records/entity.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { plant } from "../requests.ts";
import { admit, as, openCompartment, openSet, persons } from "../workspace/people.ts";

// What a compartment's contents count, over all kinds of records that can lie in one.

/** What one person alone sees: to count it would tell of theirs. */
const ALONE = ["strategic.opinions", "messages.subscriptions", "ai-staff.messages", "problem-sets.notifications"];
/** What names compartments and lies in none: who is read in, what a credential says, where a source's items go. */
const NAMING = ["problem-sets.members", "credentials", "admin.osint-sources"];

let at: TestWorld;
let parts: DomainParts[];
beforeAll(async () => {
  at = await world();
  parts = commonsOf(at.mesh.broker).services.flatMap(({ mixins = [] }) =>
    mixins.flatMap((mixin) => (mixin as { domain?: DomainParts }).domain ?? []),
  );
});
afterAll(() => at.stop());

it("are of all kinds but the domains' own books and what one person alone sees", () => {
  const books = parts.flatMap((domain) => domain.books ?? []);
  const lying = parts.flatMap((domain) => domain.entities ?? []).filter(({ record }) => "compartments" in record.shape);
  expect(lying.length).toBeGreaterThan(80);
  const counted = parts.flatMap(dividing);
  const left = lying.filter((entity) => !counted.includes(entity) && !books.includes(entity));
  expect(left.map(({ name }) => name).sort()).toEqual([...ALONE, ...NAMING].sort());
});

it("are never counted against a bound of what lies elsewhere: its refusal would tell of them", () => {
  const bounded = parts
    .flatMap((domain) => domain.entities ?? [])
    .flatMap(({ name, most, barrier }) => (most && barrier?.compartments ? [{ name, most, barrier }] : []));
  expect(bounded.length).toBeGreaterThan(3);
  // Of what somebody made themselves they know how many there are.
  const isOwn = (per: readonly string[]): boolean => per.includes("by") || per.includes("userId");
  const counting = bounded.filter(
    ({ most: { per }, barrier: { set, compartments } }) =>
      per.includes(set) && !isOwn(per) && !per.includes(compartments!),
  );
  expect(counting.map(({ name }) => name)).toEqual([]);
});

it("are as many as lie there", async () => {
  const [ann, red] = await persons(at, "ann", "red");
  const parentId = await openSet(at, ann, { name: "Corps" });
  const problemSetId = await openSet(at, ann, { name: "Division", parentId });
  for (const id of [parentId, problemSetId]) await admit(at, id, red, "commander");
  const cid = await openCompartment(at, problemSetId, ann, "Deep", red);
  await plant(at, { problemSetId, parentId, compartments: [cid], by: red, text: "planted" });
  const stored = async (entity: Entity): Promise<[string, number]> => {
    const { set, compartments } = entity.barrier!;
    const query = { [set]: problemSetId, [compartments!]: cid };
    return [entity.title, await (await at.mesh.world.documents.collection(entity.collection)).count({ query })];
  };
  const kinds = parts.flatMap(dividing);
  const both = async () => {
    const { body } = await as(at, red)("GET", `/api/problem-sets/${problemSetId}/compartments/${cid}/contents`);
    const lies = new Map<string, number>();
    for (const [title, count] of await Promise.all(kinds.map(stored))) lies.set(title, (lies.get(title) ?? 0) + count);
    return {
      told: Object.fromEntries(body.data.map(({ kind, count }: any) => [kind, count])),
      lies: Object.fromEntries([...lies].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  };
  const { told, lies } = await eventually(both, ({ told, lies }) => JSON.stringify(told) === JSON.stringify(lies));
  expect(told).toEqual(lies);
  expect(told).toMatchObject({ "encryption key": 1, person: 1, delegation: 3 });
}, 120_000);
