import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";

let count = 0;
const mac = (): string =>
  `00:1b:c5:0a:${(++count >> 8).toString(16).padStart(2, "0")}:${(count & 255).toString(16).padStart(2, "0")}`;
const token = async (at: TestWorld): Promise<string> => (await desk(at)).commander.token;
const admin = (at: TestWorld): Promise<string> => at.tokenOf("system_admin");
const accept = async (at: TestWorld, who: string, origin: string): Promise<void> => {
  const body = { origin, version: "1" };
  const { status, text } = await at.http("POST", "/api/discovery/legal-consent", { as: who, body });
  if (status !== 201) throw new Error(text);
};
const observed = async (at: TestWorld, name: string): Promise<string> =>
  (
    await made(at, "POST", "/api/discovery/observations", {
      problemSetId: (await desk(at)).id,
      devices: [{ name, mac: mac() }],
    })
  ).created[0];
/** The scanner, brought to a state from whichever it is in. */
async function scanner(at: TestWorld, wanted: "stopped" | "running" | "paused"): Promise<void> {
  const as = await admin(at);
  const post = (move: string) => at.http("POST", `/api/discovery/${move}`, { as });
  await accept(at, as, "server");
  await post("stop");
  if (wanted !== "stopped") await post("start");
  if (wanted === "paused") await post("pause");
}
const move = (name: string, from: "stopped" | "running" | "paused"): Rows["requests"] => ({
  [`POST /api/discovery/${name}`]: async (at) => {
    await scanner(at, from);
    return { path: `/api/discovery/${name}`, as: await admin(at) };
  },
});

export const requests: Rows["requests"] = {
  ...move("start", "stopped"),
  ...move("stop", "running"),
  ...move("pause", "running"),
  ...move("resume", "paused"),
  "POST /api/discovery/access-list": async (at) => ({
    path: "/api/discovery/access-list",
    as: await token(at),
    body: { kind: "block", by: "mac", value: mac(), problemSetId: (await desk(at)).id },
    effect: stored("discovery_access_list"),
  }),
  "POST /api/discovery/legal-consent": async (at) => ({
    path: "/api/discovery/legal-consent",
    as: await token(at),
    body: { origin: `https://page-${++count}.example.org`, version: "1" },
    effect: stored("discovery_consents"),
  }),
  "POST /api/discovery/scan-targets": async (at) => ({
    path: "/api/discovery/scan-targets",
    as: await admin(at),
    body: { name: `Row ${++count}`, hosts: ["192.0.2.7"], ports: [9], enabled: false },
    effect: stored("discovery_scan_targets"),
  }),
  "POST /api/discovery/client-discovery": async (at) => {
    await accept(at, await token(at), "https://page.example.org");
    return {
      path: "/api/discovery/client-discovery",
      as: await token(at),
      body: {
        origin: "https://page.example.org",
        problemSetId: (await desk(at)).id,
        name: `Row ${++count}`,
        mac: mac(),
      },
      effect: stored("discovery_devices"),
    };
  },
  "POST /api/discovery/observations": async (at) => ({
    path: "/api/discovery/observations",
    as: await token(at),
    body: {
      emissions: [{ frequencyHz: 2.4e9, bandwidthHz: 2e7, powerDbm: -50 }],
      problemSetId: (await desk(at)).id,
    },
    effect: stored("discovery_emissions"),
  }),
  "POST /api/discovery/em/emitters": async (at) => ({
    path: "/api/discovery/em/emitters",
    as: await token(at),
    body: { name: `Row ${++count}`, frequencyHz: 46.5e6, powerDbm: 46, problemSetId: (await desk(at)).id },
    effect: stored("discovery_emitters"),
  }),
  "POST /api/discovery/devices/:id/emergency-disconnect": async (at) => ({
    path: `/api/discovery/devices/${await observed(at, `Row ${++count}`)}/emergency-disconnect`,
    as: await token(at),
    body: { reason: "Row" },
  }),
  "POST /api/discovery/assistant-result": async (at) => ({
    path: "/api/discovery/assistant-result",
    as: await token(at),
    body: {
      deviceId: await observed(at, `Row ${++count}`),
      verdict: "benign",
      proposes: "allow",
      confidence: 0.5,
      rationale: "Row",
    },
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const place = { problemSetId, compartments };
  const [one, other] = [mac(), mac()];
  const report = {
    ...place,
    devices: [
      { name: text, mac: one, manufacturer: text, model: text },
      { name: `${text} 2`, mac: other },
    ],
    emissions: [{ frequencyHz: 2.4e9, bandwidthHz: 2e7, powerDbm: -50, source: text, label: text }],
    links: [{ from: { macs: [one] }, to: { macs: [other] }, evidence: "lldp" }],
  };
  const { created: devices } = await made(at, "POST", "/api/discovery/observations", report, by);
  const entry = { ...place, kind: "allow", by: "mac", value: mac(), reason: text };
  const { id } = await made(at, "POST", "/api/discovery/access-list", entry, by);
  const emitter = { ...place, name: text, frequencyHz: 46.5e6, powerDbm: 46 };
  const own = await made(at, "POST", "/api/discovery/em/emitters", emitter, by);
  return {
    "/api/discovery/devices/:id": devices[0],
    "/api/discovery/access-list/:id": id,
    "/api/discovery/em/emitters/:id": own.id,
    "/api/discovery/topology/path/:from": devices[0],
    "/api/discovery/topology/path/:from/:to": devices[1],
  };
}
