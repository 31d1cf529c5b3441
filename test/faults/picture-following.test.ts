import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { connect, type Client } from "../gateway/live-setup.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { as, openStaffedSet, persons, type Person } from "../workspace/people.ts";

// Claim 6, for the picture: ten thousand reports come, move and go, fifty disconnections; who follows a layer by what is
// told of it, feature by feature, has at the end what the node has, whether they stayed or were cut off.

const REPORTS = 10_000,
  TOGETHER = 100,
  UIDS = 300,
  DISCONNECTIONS = 50;
const BODIES = REPORTS / TOGETHER;

let at: TestWorld;
let ann: Person, bob: Person, stays: Person, isCutOff: Person;
let set: string, layerId: string;

beforeAll(async () => {
  at = await world();
  [ann, bob, stays, isCutOff] = await persons(at, "ann", "bob", "stays", "is-cut-off");
  set = await openStaffedSet(at, ann, { planner: bob, observer: stays, analyst: isCutOff });
  const layer = { problemSetId: set, name: "Reports", type: "units", kind: "live", spec: { source: "reports" } };
  layerId = (await as(at, bob)("POST", "/api/cop/layers", layer)).body.data.id;
  await as(at, bob)("POST", `/api/cop/layers/${layerId}/transition`, { to: "review" });
  await as(at, bob)("POST", "/api/cop/agents/polling/start", { problemSetId: set });
}, 120_000);
afterAll(() => at.stop());

type Features = Map<string, unknown>;
async function read(who: Person): Promise<Features> {
  const { status, body, text } = await as(at, who)("GET", `/api/cop/layers/${layerId}`);
  if (status !== 200) throw new Error(text);
  return new Map(
    body.data.featureCollection.features.map(({ id, geometry, properties }: any) => [id, { geometry, properties }]),
  );
}
const hashOf = (features: Features): string =>
  createHash("sha256")
    .update(canonicalize([...features].sort(([one], [other]) => (one < other ? -1 : 1)))!)
    .digest("hex");

/** What somebody has of the layer: read whole when they come, and then only what they are told of. */
class Copy {
  readonly #who: Person;
  #features: Features = new Map();
  #client: Client | undefined;
  #work: Promise<unknown> = Promise.resolve();
  told = 0;

  constructor(who: Person) {
    this.#who = who;
  }

  async come(): Promise<void> {
    const client = await connect(at.url, { auth: { token: this.#who.token } });
    this.#client = client;
    expect(await client.subscribe({ problemSetId: set })).toEqual({ ok: true });
    client.socket.on("cop.layer.changed", ({ data }) => {
      if (data.layerId === layerId && client === this.#client) this.#after(() => this.#hear(data));
    });
    this.#after(async () => (this.#features = await read(this.#who)));
  }

  leave(): void {
    this.#client?.socket.close();
    this.#client = undefined;
  }

  async hash(): Promise<string> {
    await this.#work;
    return hashOf(this.#features);
  }

  #after(work: () => Promise<unknown>): void {
    this.#work = this.#work.then(work);
  }

  async #hear({ added, updated, removed, more }: Record<string, any>): Promise<void> {
    this.told++;
    const now = await read(this.#who);
    if (more) this.#features = now;
    for (const id of [...added, ...updated, ...removed])
      if (now.has(id)) this.#features.set(id, now.get(id));
      else this.#features.delete(id);
  }
}

it("whoever follows a layer has what the node has, after all that came, moved and went, and all disconnections", async () => {
  const [one, other] = [new Copy(stays), new Copy(isCutOff)];
  await Promise.all([one.come(), other.come()]);
  const begun = at.clock.now() - 3_600_000;
  for (let body = 0; body < BODIES; body++) {
    const time = new Date(begun + 1_000 * body).toISOString();
    const events = Array.from({ length: TOGETHER }, (_none, n) => {
      const uid = `uid ${(body * 37 + n) % UIDS}`;
      const common = { time, stale: new Date(begun + 86_400_000).toISOString() };
      if (n % 10 === 9) return { ...common, uid: "remover", type: "t-x-d-d", removes: uid };
      return { ...common, uid, type: "a-f-G", location: { latitude: n / 2, longitude: body } };
    });
    const sent = await as(at, bob)("POST", `/api/cop/reports?problemSetId=${set}`, { events });
    expect(sent.body.data.failed).toEqual([]);
    if (body % (BODIES / DISCONNECTIONS) === 0) {
      other.leave();
      await other.come();
    }
  }
  const server = await eventually(
    async () => [hashOf(await read(ann)), await one.hash(), await other.hash()],
    (hashes) => new Set(hashes).size === 1,
    120_000,
  );
  const reports = (await as(at, ann)("GET", `/api/cop/reports?problemSetId=${set}&limit=1`)).body.meta.total;
  expect(reports).toBeGreaterThan(UIDS / 2);
  // What was told last is heard: nothing more changes.
  expect(await one.hash()).toBe(server[0]);
  for (const copy of [one, other]) copy.leave();
  console.info(`${REPORTS} reports, ${DISCONNECTIONS} disconnections: told ${one.told} times, 0 differences`);
}, 600_000);
