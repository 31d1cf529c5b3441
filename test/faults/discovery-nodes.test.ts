import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeNetwork } from "../../adapters/discovery/fake.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { itUnless, redisIsInstalled, startRedis, type TestRedis } from "../redis.ts";
import { persons } from "../workspace/people.ts";

// Three nodes over Redis, on one store: a target is one node's, and what is cut off on one is cut off on all.

const lacking = redisIsInstalled ? undefined : "redis-server is not installed";
let redis: TestRedis | undefined;
let dataDir: string;
const nodes: TestWorld[] = [];
beforeAll(async () => {
  redis = await startRedis();
  if (!redis) return;
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-discovery-"));
  const settings = { DATA_DIR: dataDir, TRANSPORTER: redis.url, NAMESPACE: `discovery${process.pid}` };
  for (const NODE_ID of ["one", "two", "three"]) nodes.push(await world({ ...settings, NODE_ID }));
  const gateways = (): number =>
    (
      nodes[0]!.mesh.broker.registry.getServiceList({ onlyAvailable: true } as never) as unknown as { name: string }[]
    ).filter(({ name }) => name === "gateway").length;
  await eventually(gateways, (count) => count === 3);
}, 120_000);
afterAll(async () => {
  for (const node of nodes.reverse()) await node.stop({ keep: true });
  await redis?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}, 120_000);

itUnless(
  lacking,
  "an emergency disconnect on one node ends sessions, keys and the DID on all three",
  async () => {
    const [one] = nodes as [TestWorld];
    const [bob] = await persons(one, "bob");
    const { did } = (await one.http("POST", "/api/identity/did/create", { as: bob!.token, body: { method: "key" } }))
      .body.data;
    const key = (await one.http("POST", "/api/keys", { as: bob!.token, body: { name: "edge" } })).body.data.key;
    const statuses = async (): Promise<number[]> =>
      (
        await Promise.all(
          nodes.flatMap((node) => [
            node.http("GET", "/api/auth/me", { as: bob!.token, headers: { "X-DID": did } }),
            node.http("GET", "/api/auth/me", { as: null, headers: { "X-API-Key": key } }),
          ]),
        )
      ).map(({ status }) => status);
    expect(await statuses()).toEqual(Array(6).fill(200));
    const seen = { devices: [{ did, name: "Rogue" }] };
    const { created: devices } = (await one.http("POST", "/api/discovery/observations", { body: seen })).body.data;
    const asked = performance.now();
    const cut = await one.http("POST", `/api/discovery/devices/${devices[0]}/emergency-disconnect`, { body: {} });
    expect(cut.body.data.sessionsEnded).toBeGreaterThan(0);
    const answered = performance.now();
    await eventually(statuses, (all) => all.every((status) => status === 401), 9_000);
    if (process.env["SHOW_LOG"])
      console.info(
        `answered after ${Math.round(answered - asked)} ms, refused on all after ${Math.round(performance.now() - asked)} ms`,
      );
    for (const node of nodes) {
      const { token } = (
        await node.http("POST", "/api/auth/login", { as: null, body: { email: bob!.email, password: PASSWORD } })
      ).body.data;
      const claim = await node.http("GET", "/api/auth/me", { as: token, headers: { "X-DID": did } });
      expect(claim.body.error.code).toBe("DID_CUT_OFF");
      const shown = await node.http("GET", `/api/discovery/devices/${devices[0]}`);
      expect(shown.body.data.state).toBe("disconnected");
    }
  },
  120_000,
);

itUnless(
  lacking,
  "a target is scanned by one node at a time: what each sends is together the list, once",
  async () => {
    const networks = nodes.map((node) => {
      const network = new FakeNetwork();
      Object.defineProperty(node.mesh.world, "discovery", { value: network });
      return network;
    });
    const [one] = nodes as [TestWorld];
    const post = (path: string, body?: object) => one.http("POST", `/api/discovery${path}`, { ...(body && { body }) });
    await post("/legal-consent", { origin: "server", version: "1" });
    const hosts = [0, 32, 64].map((from) => `10.68.0.${from}/28`);
    for (const host of hosts)
      expect((await post("/scan-targets", { name: host, hosts: [host], ports: [80], ratePerSecond: 20 })).status).toBe(
        201,
      );
    await post("/start");
    await eventually(
      async () => (await one.http("GET", "/api/discovery/scan-targets")).body.data,
      (all: any[]) => all.every(({ lastScannedAt }) => lastScannedAt !== undefined),
      60_000,
    );
    await post("/stop");
    const sent = networks.flatMap((network) => network.sent);
    expect(sent.length).toBe(new Set(sent).size);
    expect(sent.length).toBe(3 * 14);
  },
  120_000,
);
