import dns from "dns-packet";
import fc from "fast-check";
import { FakeNetwork } from "../../adapters/discovery/fake.ts";
import { PASSWORD, eventually, world, type TestWorld } from "../mesh.ts";

// The scanner over a network in memory, which notes where each packet goes: it goes on after its node is gone, and
// sends nothing to what is not listed, whatever is listed, taken off and resolved.

const ADMIN = { email: "admin@example.org", password: PASSWORD };
type Say = (method: string, path: string, body?: object) => Promise<any>;
async function sayer(at: TestWorld): Promise<Say> {
  const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: ADMIN })).body.data;
  return async (method, path, body) => {
    const {
      status,
      body: told,
      text,
    } = await at.http(method, `/api/discovery${path}`, { as: token, ...(body && { body }) });
    if (status >= 400) throw new Error(text);
    return told?.data;
  };
}
const over = (at: TestWorld, network: FakeNetwork): void => {
  Object.defineProperty(at.mesh.world, "discovery", { value: network });
};
const probed = ({ sent }: FakeNetwork): string[] => sent.map((line) => line.split(" ")[1]!);

it("goes on with a pass on the next node where the last one was, and pauses and stops before the next packet", async () => {
  const network = new FakeNetwork();
  const all = Array.from({ length: 126 }, (_, n) => `10.66.0.${n + 1}:80`);
  let at = await world();
  over(at, network);
  let say = await sayer(at);
  await say("POST", "/legal-consent", { origin: "server", version: "1" });
  const target = { name: "Hall", hosts: ["10.66.0.0/25"], ports: [80], ratePerSecond: 50 };
  const { id } = await say("POST", "/scan-targets", target);
  await say("POST", "/start");
  await eventually(
    () => network.sent.length,
    (count) => count >= 20,
  );
  await say("POST", "/pause");
  const paused = network.sent.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  // One that had been asked for as the pause was written may follow it.
  expect(network.sent.length - paused).toBeLessThanOrEqual(1);
  await say("POST", "/resume");
  await eventually(
    () => network.sent.length,
    (count) => count >= 60,
  );
  await at.stop({ keep: true });
  const before = network.sent.length;
  at = await world({ DATA_DIR: at.dataDir });
  over(at, network);
  say = await sayer(at);
  expect((await say("GET", "/status")).state).toBe("running");
  await eventually(
    async () => (await say("GET", "/scan-targets")).find((one: any) => one.id === id).lastScannedAt,
    (last) => last !== undefined,
    120_000,
  );
  expect(before).toBeLessThan(126);
  expect(new Set(probed(network))).toEqual(new Set(all));
  expect(network.sent.length).toBeLessThanOrEqual(126 + 40);
  await at.stop();
}, 300_000);

it("sends no packet to what is not listed, over lists drawn at random that change while it scans", async () => {
  const network = new FakeNetwork();
  network.names.set("gate.example", ["10.67.0.9", "169.254.169.254", "224.0.0.9"]);
  const at = await world();
  over(at, network);
  const say = await sayer(at);
  await say("POST", "/legal-consent", { origin: "server", version: "1" });
  await say("POST", "/start");
  const host = fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((last) => `10.67.0.${last}`),
    fc.integer({ min: 0, max: 7 }).map((part) => `10.67.0.${part * 8}/29`),
    fc.constant("gate.example"),
  );
  const list = fc.record({
    hosts: fc.uniqueArray(host, { minLength: 1, maxLength: 3 }),
    ports: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
  });
  const addressesOf = (text: string): string[] => {
    if (text === "gate.example") return ["10.67.0.9"];
    const [address, bits] = text.split("/");
    if (bits === undefined) return [text];
    const first = Number(address!.split(".")[3]);
    return Array.from({ length: 6 }, (_, n) => `10.67.0.${first + 1 + n}`);
  };
  for (const { hosts, ports } of fc.sample(list, Number(process.env["LISTS"] ?? 12))) {
    const from = network.sent.length;
    const { id } = await say("POST", "/scan-targets", { name: "Drawn", hosts, ports, ratePerSecond: 50 });
    await eventually(
      () => network.sent.length,
      (count) => count > from,
    );
    await say("DELETE", `/scan-targets/${id}`);
    const listed = new Set(hosts.flatMap(addressesOf).flatMap((address) => ports.map((port) => `${address}:${port}`)));
    expect(
      probed(network)
        .slice(from)
        .filter((one) => !listed.has(one)),
    ).toEqual([]);
  }
  await say("POST", "/stop");
  expect(network.sent.every((line) => line.startsWith("tcp 10.67.0."))).toBe(true);
  await at.stop();
}, 300_000);

it("asks segments of the interfaces that are named, out of those alone, and takes in what a collector tells", async () => {
  const network = new FakeNetwork();
  const answers = [
    { name: "Lamp._hap._tcp.local", type: "SRV", ttl: 60, data: { port: 80, target: "lamp.local" } },
    { name: "Lamp._hap._tcp.local", type: "TXT", ttl: 60, data: ["md=Glow", "mac=00:1B:C5:00:77:01"] },
  ];
  network.packets.mdns.push({ from: "10.0.0.4", bytes: dns.encode({ type: "response", id: 0, answers }) });
  network.ports.set("10.69.0.1:8080", {
    report: {
      devices: [{ name: "Far switch", mac: "00:1b:c5:00:77:02" }, { name: 7 }],
      emissions: [{ frequencyHz: 2.41e9, bandwidthHz: 2e7, powerDbm: -40, source: "far mast" }],
      links: [{ from: { macs: ["00:1b:c5:00:77:02"] }, to: { macs: ["00:1b:c5:00:77:01"] }, evidence: "lldp" }],
    },
  });
  const at = await world();
  over(at, network);
  const say = await sayer(at);
  await say("POST", "/legal-consent", { origin: "server", version: "1" });
  await say("PUT", "/scanner/mdns/config", { via: ["127.0.0.1", "10.1.2.3"], timeoutMs: 200 });
  const collector = {
    name: "Far",
    hosts: ["10.69.0.1"],
    ports: [8080],
    transports: ["collector"],
    path: "/report.json",
  };
  await say("POST", "/scan-targets", collector);
  await say("POST", "/start");
  const graph = await eventually(
    () => say("GET", "/topology"),
    ({ edges, nodes }) => edges.length >= 3 && nodes.some(({ name }: any) => name === "Far switch"),
  );
  const idOf = (name: string): string => graph.nodes.find((node: any) => node.name === name).id;
  const path = await say("GET", `/topology/path/platform/${idOf("Far switch")}`);
  expect(path.nodes).toEqual(["platform", idOf("lamp"), idOf("Far switch")]);
  const { bands, sources } = await say("GET", "/em/snapshot");
  expect([bands.find(({ band }: any) => band === "S").emissions, sources]).toEqual([1, ["far mast"]]);
  const { scanning } = await say("GET", "/em/own-footprint");
  expect(scanning.map(({ transport }: any) => transport)).toEqual(["mdns"]);
  await say("POST", "/stop");
  expect(new Set(network.sent)).toEqual(new Set(["mdns via 127.0.0.1", "collector 10.69.0.1:8080"]));
  await at.stop();
}, 120_000);
