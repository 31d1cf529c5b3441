import { ServiceBroker } from "moleculer";
import { lineOf } from "../../adapters/transporter/index.ts";
import { brokerOptions } from "../../config/broker.ts";
import { readEnv } from "../../config/env.ts";
import { systemActor, type Actor } from "../../core/access/access.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// Somebody in many problem sets, whose memberships travel by their hash: on nodes of their own, what they lose is lost
// with their next request, wherever it goes, and a hash that nobody made opens nothing.

const SETS = 24;
const PASSWORD = "correct horse battery staple 43";
const AREAS = ["gateway", "gateway", "identity,platform", "workspace", "workspace", "picture"];
let stage: Stage | undefined;
let nodes: Nodes;
let ada: { token: string; userId: string; did: string };
let broker: ServiceBroker | undefined;
const sets: string[] = [];

beforeAll(async () => {
  if (!process.env["MONGO_URL"]) return;
  stage = await startStage();
  nodes = new Nodes(stage);
  await Promise.all(AREAS.map((areas) => nodes.start(areas)));
  const gateways = [...nodes.all].filter(({ id }) => id.startsWith("gateway"));
  for (const at of gateways) await nodes.knows(["/api/problem-sets/me", "/api/messages/channels"], at);
  const email = "ada@example.org";
  await asked("POST", "/api/auth/users", { body: { email, password: PASSWORD, role: "analyst" } });
  const { token } = await asked("POST", "/api/auth/login", { token: null, body: { email, password: PASSWORD } });
  const { userId } = await asked("GET", "/api/auth/me", { token });
  broker = await olderNode(stage.redis.url);
  for (let n = 0; n < SETS; n++)
    sets.push((await asked("POST", "/api/problem-sets", { body: { name: `Set ${n}` } })).id);
  ada = { token, userId, did: (await call<{ did: string }>("identity.primaryDid", { userId })).did };
  for (const id of sets) await call("problem-sets.grant", { problemSetId: id, did: ada.did, role: "analyst" });
}, 150_000);
afterAll(async () => {
  await broker?.stop();
  await nodes?.stop();
  await stage?.redis.stop();
}, 60_000);

async function asked(method: string, path: string, given: Parameters<Nodes["http"]>[2] = {}): Promise<any> {
  const { status, body } = await nodes.http(method, path, given);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** A node that knows of no hashes, and is told none. */
async function olderNode(url: string): Promise<ServiceBroker> {
  const NAMESPACE = new URL(nodes.mongoUrl).pathname.slice(1);
  const env = readEnv({ TRANSPORTER: url, NAMESPACE, NODE_ID: "older" });
  const made = new ServiceBroker({
    ...brokerOptions(env),
    ...lineOf(env).options,
    logger: false,
    skipProcessEventRegistration: true,
  });
  await made.start();
  await made.waitForServices(["problem-sets", "identity", "auth", "messages"], 60_000);
  return made;
}
const call = <T>(action: string, params: object, actor: Actor = systemActor("test")): Promise<T> =>
  broker!.call(action, params, { meta: { actor } });

const gateways = (): MeshNode[] => [...nodes.all].filter(({ id }) => id.startsWith("gateway"));
const PATHS = ["/api/problem-sets/", "/api/messages?problemSetId="];
/** What she is answered about a set by each gateway, from the area that keeps memberships and from another one. */
const answers = (set: string): Promise<number[]> =>
  Promise.all(
    gateways().flatMap((at) =>
      PATHS.map(async (path) => (await nodes.http("GET", path + set, { at, token: ada.token })).status),
    ),
  );
const all = (status: number): number[] => gateways().flatMap(() => PATHS.map(() => status));
/** By the gateway that was told: what came over it is heard there before it is answered. */
const member = (set: string, deed: string): Promise<unknown> =>
  asked("POST", `/api/problem-sets/${set}/members/${encodeURIComponent(ada.did)}/${deed}`, { body: {} });

itOnStage(
  "what is taken from a member of many sets, or given back, is so with the next request, on every node",
  async () => {
    for (const set of sets.slice(0, 3)) expect(await answers(set)).toEqual(all(200));
    for (let n = 0; n < 10; n++) {
      const set = sets[n]!;
      await member(set, "suspend");
      expect(await answers(set)).toEqual(all(404));
      expect(await answers(sets[n + 1]!)).toEqual(all(200));
      await member(set, "unsuspend");
      expect(await answers(set)).toEqual(all(200));
    }
  },
  90_000,
);

itOnStage(
  "a hash that nobody made, or that is another's, opens nothing that its bearer is not a member of",
  async () => {
    const stranger = await asked("POST", "/api/problem-sets", { body: { name: "Not hers" } });
    const { roles, permits, memberships } = await call<Actor>("auth.actor", { userId: ada.userId });
    expect(Object.keys(memberships!).sort()).toEqual([...sets].sort());
    const forged = { [stranger.id]: { role: "commander", permits: ["*"], compartments: [] } };
    const hers = { userId: ada.userId, roles, permits, via: "session" as const };
    for (const action of ["problem-sets.get", "messages.list"]) {
      const ask = (set: string, carried: object): Promise<unknown> =>
        call(action, action === "messages.list" ? { problemSetId: set } : { id: set }, {
          ...hers,
          ...carried,
        } as Actor);
      await expect(ask(stranger.id, { $roll: "forged" })).rejects.toMatchObject({ code: 404 });
      await expect(ask(stranger.id, { $roll: "forged", memberships: forged })).rejects.toMatchObject({ code: 404 });
      // What she does belong to is what their keeper says.
      await ask(sets[0]!, { $roll: "forged" });
      await ask(sets[0]!, { memberships });
    }
  },
  60_000,
);
