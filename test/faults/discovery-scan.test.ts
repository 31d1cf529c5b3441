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
