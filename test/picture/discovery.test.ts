import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { forgetDevices } from "../../services/picture/discovery/devices/access-decisions.ts";
import { actor, eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { connect } from "../gateway/live-setup.ts";
import { as, openCompartment, openStaffedSet, persons, type Person } from "../workspace/people.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, dana: Person;
let set: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, bob, cleo, dana] = await persons(at, "ann", "bob", "cleo", "dana");
  set = await openStaffedSet(at, ann, { analyst: bob, observer: cleo, deputy: dana });
  red = await openCompartment(at, set, ann, "Red", dana);
}, 120_000);
afterAll(() => at.stop());

let onTestEnd: (() => void) | undefined;
afterEach(() => onTestEnd?.());

const call = (who: Person | string, method: string, tail: string, body?: object) =>
  typeof who === "string"
    ? at.http(method, `/api/discovery${tail}`, { as: who, ...(body && { body }) })
    : as(at, who)(method, `/api/discovery${tail}`, body);
const report = async (
  rows: object,
  who: Person | "analyst" = ann,
  place: object = { problemSetId: set },
): Promise<any> => {
  const { status, body, text } = await call(who, "POST", "/observations", { ...place, ...rows });
  if (status !== 201) throw new Error(text);
  return { ...body.data, devices: body.data.created };
};
const device = async (id: string, who: Person | "analyst" = ann): Promise<any> =>
  (await call(who, "GET", `/devices/${id}`)).body.data;

describe("consent", () => {
  it("is by person, origin and version of the text: without it nothing starts and no browser reports", async () => {
    expect((await call("reader", "POST", "/start")).status).toBe(403);
    const origin = encodeURIComponent("https://map.example.org");
    const text = (await call(bob, "GET", `/legal-consent/${origin}`)).body.data;
    expect(text).toMatchObject({ origin: "https://map.example.org", accepted: false, acceptedAt: null });
    expect((await call(bob, "GET", "/legal-consent/server")).body.data.text).not.toBe(text.text);
    expect((await call(bob, "GET", "/legal-consent/nowhere")).body.error.details[0].path).toBe("origin");
    const seen = { problemSetId: set, origin: text.origin, name: "Kettle" };
    const refused = await call(bob, "POST", "/client-discovery", seen);
    expect([refused.status, refused.body.error.code]).toEqual([403, "CONSENT_REQUIRED"]);
    const accept = (more: object) => call(bob, "POST", "/legal-consent", { origin: text.origin, ...more });
    const old = await accept({ version: "0" });
    expect([old.status, old.body.error.code]).toEqual([409, "CONSENT_OUTDATED"]);
    expect((await accept({ version: text.version, hash: "0".repeat(64) })).status).toBe(409);
    expect((await accept({ version: text.version, hash: text.hash })).status).toBe(201);
    expect((await call(bob, "GET", `/legal-consent/${origin}`)).body.data.accepted).toBe(true);
    expect((await call(cleo, "GET", `/legal-consent/${origin}`)).body.data.accepted).toBe(false);
    const found = await call(bob, "POST", "/client-discovery", seen);
    expect(found.body.data).toMatchObject({ name: "Kettle", state: "discovered", identities: ["name:kettle"] });
    expect((await call(bob, "POST", "/client-discovery", { problemSetId: set, origin: text.origin })).status).toBe(400);
    const mistyped = { ...seen, macs: ["00-1B-44-11-3A-ZZ"], addresses: ["10.0.0.300"] };
    expect((await call(bob, "POST", "/client-discovery", mistyped)).body.error.details).toEqual([
      { path: "macs.0", message: "Must be a hardware address, such as 00:1b:c5:00:00:01." },
      { path: "addresses.0", message: "Must be an IP address, such as 10.1.0.7." },
    ]);
    expect((await call(cleo, "POST", "/client-discovery", seen)).status).toBe(403);
  });
});

describe("a device", () => {
  it("is known again by what is strongest, never by its address or a hardware address drawn at random", async () => {
    const { devices } = await report({
      devices: [
        { mac: "00-1B-C5-00-00-01", addresses: ["10.9.0.5"] },
        { mac: "001bc5000001", name: "Gate camera", addresses: ["10.9.0.9"] },
        { mac: "02:11:22:33:44:55", addresses: ["10.9.0.5"] },
        { mac: "02:99:22:33:44:55", addresses: ["10.9.0.5"], name: "Phone" },
        { mac: "00:1b:c5:00:00:02", name: "Gate camera" },
      ],
    });
    expect(devices[1]).toBe(devices[0]);
    expect(new Set(devices).size).toBe(4);
    expect(await device(devices[0])).toMatchObject({
      name: "Gate camera",
      state: "identified",
      vendor: "Converging Systems Inc.",
      identities: ["mac:00:1b:c5:00:00:01", "name:gate camera"],
      sightings: 2,
    });
    expect((await device(devices[2])).identities).toEqual([]);
    expect((await device(devices[3])).state).toBe("discovered");
    const filtered = (await call(ann, "GET", `/devices?problemSetId=${set}&state=identified&transport=collector`)).body
      .data;
    expect(filtered.map(({ id }: any) => id)).toEqual(expect.arrayContaining([devices[0], devices[4]]));
    expect((await call(ann, "GET", `/devices?problemSetId=${set}&transport=mdns`)).body.data).toEqual([]);
    expect((await call(ann, "GET", `/devices?problemSetId=${set}&transport=x`)).status).toBe(400);
    const called = (await call(ann, "GET", `/devices?problemSetId=${set}&q=camera%20gat`)).body.data;
    expect(called.map(({ id }: any) => id).sort()).toEqual([devices[0], devices[4]].sort());
  });

  it("is seen by those alone who inspect, behind its compartments", async () => {
    const secret = { problemSetId: set, compartments: [red] };
    const { devices } = await report({ devices: [{ name: "Red one", serial: "SN-RED-1" }] }, dana, secret);
    expect((await call(dana, "GET", `/devices/${devices[0]}`)).status).toBe(200);
    expect((await call(bob, "GET", `/devices/${devices[0]}`)).status).toBe(404);
    expect((await call(cleo, "GET", `/devices?problemSetId=${set}`)).status).toBe(403);
    const own = await report({ devices: [{ name: "Rack", serial: "SN-RACK-1" }] }, "analyst", {});
    expect((await call("analyst", "GET", "/devices")).body.data.map(({ id }: any) => id)).toContain(own.devices[0]);
    expect((await call("reader", "GET", "/devices")).status).toBe(403);
    expect((await call("reader", "GET", `/devices/${own.devices[0]}`)).status).toBe(404);
    const words = JSON.stringify((await call(bob, "GET", `/topology?problemSetId=${set}`)).body);
    expect(words).not.toContain("Red one");
  });

  it("is lost after three intervals and comes back with the decision that it had", async () => {
    const seen = { devices: [{ name: "Boiler", serial: "SN-BOILER" }] };
    const { devices } = await report(seen);
    await call(ann, "POST", "/access-list", { problemSetId: set, kind: "allow", by: "name", value: "boiler" });
    const state = async (): Promise<string> => (await device(devices[0])).state;
    expect(await state()).toBe("allowed");
    at.clock.advance(3 * 300_000 + 1_000);
    expect(await device(devices[0])).toMatchObject({ state: "lost", decision: "allowed" });
    await eventually(
      async () =>
        (await call(ann, "GET", `/devices?problemSetId=${set}&state=lost`)).body.data.map(({ id }: any) => id),
      (ids: string[]) => ids.includes(devices[0]),
    );
    await report(seen);
    expect(await state()).toBe("allowed");
  });

  it("has an assistant's verdict as a proposal, which allows nothing", async () => {
    const { devices } = await report({ devices: [{ name: "Meter", serial: "SN-METER" }] });
    const verdict = {
      deviceId: devices[0],
      verdict: "benign",
      proposes: "allow",
      confidence: 0.99,
      rationale: "Known.",
    };
    const { status, body } = await call(bob, "POST", "/assistant-result", verdict);
    expect([status, body.data.state, body.data.analysis.proposes]).toEqual([200, "identified", "allow"]);
    // Nothing says that a language model made it unless whoever sends it does.
    expect(body.data.analysis.method).toBe("heuristic");
    expect((await device(devices[0])).decision).toBe("undecided");
    expect((await call(cleo, "POST", "/assistant-result", verdict)).status).toBe(403);
    expect((await call(bob, "POST", "/assistant-result", { ...verdict, deviceId: "none" })).status).toBe(404);
  });

  it("is told of ten times a minute a kind, and then as a sum", async () => {
    const watch = await connect(at.url, { auth: { token: bob.token } });
    await watch.subscribe({ problemSetId: set });
    at.clock.advance(120_000);
    await report({ devices: Array.from({ length: 17 }, (_, n) => ({ serial: `SN-MANY-${n}` })) });
    at.clock.advance(61_000);
    const told = () => watch.of("device.changed").filter(({ data }) => data.kind === "found");
    await eventually(told, (all) => all.some(({ data }) => data.deviceId === undefined));
    expect(told().reduce((sum, { data }) => sum + data.count, 0)).toBe(17);
    expect(told().length).toBeLessThanOrEqual(12);
    watch.socket.close();
  });
});

describe("the access list", () => {
  it("decides anew on all devices when it changes: any block wins, then any allow", async () => {
    const { devices } = await report({
      devices: [{ mac: "00:1b:c5:00:10:01", name: "Pump", addresses: ["10.20.3.4", "fd00::7"] }],
    });
    const add = async (entry: object, who: Person = ann): Promise<string> => {
      const { status, body, text } = await call(who, "POST", "/access-list", { problemSetId: set, ...entry });
      if (status !== 201) throw new Error(text);
      return body.data.id;
    };
    const stored = (decision: string) =>
      eventually(
        async () =>
          (await call(ann, "GET", `/devices?problemSetId=${set}&state=${decision}`)).body.data.map(({ id }: any) => id),
        (ids: string[]) => ids.includes(devices[0]),
      );
    await expect(add({ kind: "block", by: "oui", value: "00:1b" })).rejects.toThrow(
      /as oui, as 00:1b:c5 \(6, 7 or 9 digits/,
    );
    await add({ kind: "allow", by: "cidr", value: "10.20.0.0/16" });
    await stored("allowed");
    const block = await add({ kind: "block", by: "oui", value: "00:1B:C5:00:1" });
    await stored("blocked");
    const listed = (await call(bob, "GET", `/access-list?problemSetId=${set}&kind=block`)).body.data;
    expect(listed).toContainEqual(expect.objectContaining({ id: block, value: "001bc5001" }));
    const twice = { problemSetId: set, kind: "block", by: "oui", value: "001bc5001" };
    expect((await call(ann, "POST", "/access-list", twice)).status).toBe(409);
    expect((await call(ann, "DELETE", `/access-list/${block}`)).status).toBe(204);
    await stored("allowed");
    expect((await call(bob, "POST", "/access-list", { ...twice, by: "mac" })).status).toBe(403);
    const past = { by: "cidr", value: "10.0.0.0/33", expiresAt: "2020-01-01T00:00:00Z" };
    expect((await call(ann, "POST", "/access-list", { ...twice, ...past })).body.error.details).toHaveLength(2);
    // Nobody has swept away yet what has just expired.
    const soon = { ...twice, by: "name", value: "Kettle" };
    const expiresAt = new Date(at.clock.now() + 1_000).toISOString();
    const kettle = (await call(ann, "POST", "/access-list", { ...soon, expiresAt })).body.data;
    at.clock.advance(1_001);
    const anew = await call(ann, "POST", "/access-list", soon);
    expect([anew.status, anew.body.data.id, anew.body.data.expiresAt]).toEqual([201, kettle.id, undefined]);
    const wrong = await call(ann, "POST", "/access-list", { ...twice, by: "cidr", value: "10.0.0.0/33" });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, "value"]);
  });
});

describe("an emergency disconnect", () => {
  it("blocks by all that is strong, ends sessions and keys of its DID, refuses the DID, tells of it by flash, and bears repetition", async () => {
    const { did } = (await as(at, bob)("POST", "/api/identity/did/create", { method: "key" })).body.data;
    const claim = (token: string) => at.http("GET", "/api/auth/me", { as: token, headers: { "X-DID": did } });
    expect((await claim(bob.token)).status).toBe(200);
    const key = (await as(at, bob)("POST", "/api/keys", { name: "edge" })).body.data.key;
    const { devices } = await report({ devices: [{ did, mac: "00:1b:c5:00:20:01", name: "Rogue" }] }, "analyst", {});
    expect((await call("analyst", "POST", `/devices/${devices[0]}/emergency-disconnect`, {})).status).toBe(403);
    const cut = () =>
      call("system_admin", "POST", `/devices/${devices[0]}/emergency-disconnect`, { reason: "It floods." });
    const { status, body } = await cut();
    expect([status, body.data.device.state, body.data.sessionsEnded >= 1]).toEqual([200, "disconnected", true]);
    expect(body.data.blocked.sort()).toEqual(["00:1b:c5:00:20:01", did].sort());
    expect((await as(at, bob)("GET", "/api/auth/me")).status).toBe(401);
    expect((await at.http("GET", "/api/auth/me", { as: null, headers: { "X-API-Key": key } })).status).toBe(401);
    const messages = (await at.http("GET", "/api/messages?channel=alerts&priority=flash")).body.data;
    expect(messages.map(({ payload }: any) => payload.deviceId)).toContain(devices[0]);
    const again = (await cut()).body.data;
    expect([again.messageId, again.device.disconnected]).toEqual([body.data.messageId, body.data.device.disconnected]);
    const login = { email: bob.email, password: PASSWORD };
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: login })).body.data;
    bob = { ...bob, token };
    expect((await claim(token)).body.error.code).toBe("DID_CUT_OFF");
    await report({ devices: [{ did, mac: "00:1b:c5:00:20:01", name: "Rogue" }] }, "analyst", {});
    expect((await device(devices[0], "analyst")).state).toBe("disconnected");
    const release = async () => {
      const entries = (await call("system_admin", "GET", "/access-list?kind=block")).body.data;
      for (const { id, deviceId } of entries)
        if (deviceId === devices[0]) await call("system_admin", "DELETE", `/access-list/${id}`);
    };
    await release();
    const released = await device(devices[0], "analyst");
    expect([released.state, released.disconnected]).toEqual(["identified", undefined]);
    expect((await claim(token)).status).toBe(200);
    await eventually(
      async () => (await at.mesh.world.documents.collection("discovery_devices")).findById(devices[0]!),
      (stored) => stored?.["decision"] === "undecided",
    );
    const anew = await call("system_admin", "POST", `/devices/${devices[0]}/emergency-disconnect`, {
      reason: "It jams.",
    });
    expect(anew.body.data.device.disconnected.reason).toBe("It jams.");
    expect(anew.body.data.messageId).not.toBe(body.data.messageId);
    await release();
    bob = { ...bob, token: (await at.http("POST", "/api/auth/login", { as: null, body: login })).body.data.token };
  });

  it("in a problem set ends nobody's sessions: the commander commands there alone", async () => {
    const did = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";
    const { devices } = await report({ devices: [{ did, name: "Drone" }] });
    const watch = await connect(at.url, { auth: { token: bob.token } });
    await watch.subscribe({ problemSetId: set });
    const { body } = await call(dana, "POST", `/devices/${devices[0]}/emergency-disconnect`, {});
    expect([body.data.device.state, body.data.sessionsEnded, typeof body.data.messageId]).toEqual([
      "disconnected",
      0,
      "string",
    ]);
    await eventually(
      () => watch.of("device.changed"),
      (all) => all.some(({ data }) => data.kind === "disconnected" && data.deviceId === devices[0]),
    );
    watch.socket.close();
    const nameless = await report({ devices: [{ addresses: ["10.77.0.1"] }] });
    const refused = await call(dana, "POST", `/devices/${nameless.devices[0]}/emergency-disconnect`, {});
    expect(refused.body.error.code).toBe("NO_IDENTITY");
    const activity = (await as(at, ann)("GET", `/api/problem-sets/${set}/activity?limit=100`)).body.data;
    expect(JSON.stringify(activity)).toContain('The device \\"Drone\\" was disconnected in an emergency.');
  });
});

describe("in training", () => {
  it("devices are another world's, a disconnection is simulated, and nothing is scanned", async () => {
    const [tess] = await persons(at, "tess");
    const users = (await at.http("GET", "/api/auth/users?limit=100")).body.data;
    const { id } = users.find((user: any) => user.email === tess!.email);
    await at.http("PUT", `/api/auth/users/${id}`, { body: { role: "system_admin" } });
    const { token } = (
      await at.http("POST", "/api/auth/login", { as: null, body: { email: tess!.email, password: PASSWORD } })
    ).body.data;
    expect((await at.http("PUT", "/api/user-mode", { as: token, body: { mode: "training" } })).status).toBe(200);
    const seen = { devices: [{ name: "Dummy", serial: "SN-DUMMY-1" }] };
    const { created: devices } = (await call(token, "POST", "/observations", seen)).body.data;
    expect((await call("analyst", "GET", `/devices/${devices[0]}`)).status).toBe(404);
    const cut = (await call(token, "POST", `/devices/${devices[0]}/emergency-disconnect`, {})).body.data;
    expect([cut.simulated, cut.device.state, cut.sessionsEnded]).toEqual([true, "disconnected", 0]);
    const real = await report(seen, "analyst", {});
    expect((await device(real.devices[0], "analyst")).decision).toBe("undecided");
    await call(token, "POST", "/legal-consent", { origin: "server", version: "1" });
    expect((await call(token, "POST", "/start")).body.error.code).toBe("OPERATIONAL_ONLY");
  });
});

describe("the spectrum", () => {
  it("is summed up by band, with what the platform itself emits beside it", async () => {
    const ago = (seconds: number) => new Date(at.clock.now() - seconds * 1_000).toISOString();
    const place = { problemSetId: set };
    const { failed } = await report({
      emissions: [
        { frequencyHz: 2.41e9, bandwidthHz: 20e6, powerDbm: 0, source: "mast" },
        { frequencyHz: 2.42e9, bandwidthHz: 20e6, powerDbm: -30, source: "mast" },
        { frequencyHz: 2.41e9, bandwidthHz: 20e6, powerDbm: -20, at: ago(400), source: "mast" },
        { frequencyHz: 1e9, powerDbm: -60 },
        { frequencyHz: "loud", powerDbm: 1 },
        // Megahertz, given as hertz.
        { frequencyHz: 435.5, powerDbm: 1 },
        { frequencyHz: 1e9, powerDbm: 1, at: ago(-1_000) },
      ],
    });
    expect(failed.map(({ index, code }: any) => [index, code])).toEqual([
      [4, "VALIDATION_ERROR"],
      [5, "VALIDATION_ERROR"],
      [6, "IN_FUTURE"],
    ]);
    const { bands } = (await call(bob, "GET", `/em/snapshot?problemSetId=${set}`)).body.data;
    const of = (name: string) => bands.find(({ band }: any) => band === name);
    expect(of("S")).toMatchObject({ emissions: 2, peakPowerDbm: 0, trend: "rising" });
    expect(of("S").meanPowerDbm).toBeCloseTo(-3.006, 2);
    expect(of("S").occupancy).toBeCloseTo(0.03e9 / 2e9, 6);
    expect([of("L").emissions, of("UHF").emissions]).toEqual([1, 0]);
    const declared = await call(dana, "POST", "/em/emitters", {
      ...place,
      name: "Radio",
      frequencyHz: 46e6,
      powerDbm: 46,
    });
    expect(declared.status).toBe(201);
    const footprint = (await call(bob, "GET", `/em/own-footprint?problemSetId=${set}`)).body.data;
    expect(footprint.emitters.map(({ name }: any) => name)).toEqual(["Radio"]);
    const own = (await call("analyst", "GET", "/em/own-footprint")).body.data;
    expect(own.nodes.flatMap(({ interfaces }: any) => interfaces).length).toBeGreaterThan(0);
  });
});

describe("the topology", () => {
  it("joins what several tell of links, and finds the cheapest way", async () => {
    const macs = ["00:1b:c5:00:30:01", "00:1b:c5:00:30:02", "00:1b:c5:00:30:03"];
    const { devices } = await report({
      devices: macs.map((mac, n) => ({ mac, name: `Switch ${n}`, addresses: [`10.30.0.${n + 1}`] })),
    });
    const [a, b, c] = devices;
    const link = (from: number, to: object, more: object = {}) => ({
      from: { macs: [macs[from]] },
      to,
      evidence: "lldp",
      ...more,
    });
    await report({
      links: [
        link(0, { macs: [macs[1]] }, { cost: 1 }),
        link(1, { macs: [macs[0]] }, { cost: 1 }),
        link(1, { address: "10.30.0.3", macs: [macs[2]] }, { evidence: "arp", cost: 1 }),
        link(0, { address: "10.30.0.3" }, { evidence: "manual", cost: 5 }),
      ],
    });
    const path = async (from: string, to: string) =>
      call(bob, "GET", `/topology/path/${from}/${to}?problemSetId=${set}`);
    expect((await path(a, c)).body.data).toMatchObject({ nodes: [a, b, c], length: 2, cost: 2 });
    expect((await path(a, a)).body.data).toMatchObject({ nodes: [a], length: 0, cost: 0 });
    expect((await path(a, "nobody")).body.error).toMatchObject({
      code: "NOT_FOUND",
      message: "No node of the network nobody.",
    });
    const { edges } = (await call(bob, "GET", `/topology?problemSetId=${set}`)).body.data;
    const { nodes } = (await call(bob, "GET", `/topology?problemSetId=${set}`)).body.data;
    expect(nodes.find(({ id }: any) => id === a)).toEqual({
      id: a,
      kind: "device",
      name: "Switch 0",
      state: "identified",
    });
    // One without a name is called by what else is known of it; those who see it are told behind which barrier.
    const secret = { problemSetId: set, compartments: [red] };
    const hidden = await report({ devices: [{ mac: "00:1b:c5:00:30:09", addresses: ["10.30.0.9"] }] }, dana, secret);
    const seen = (await call(dana, "GET", `/topology?problemSetId=${set}`)).body.data.nodes;
    expect(seen.find(({ id }: any) => id === hidden.devices[0])).toMatchObject({
      name: "10.30.0.9",
      compartments: [red],
    });
    const edge = (one: string, other: string) =>
      edges.find((each: any) => [each.from, each.to].sort().join() === [one, other].sort().join());
    expect(edge(a, b)).toMatchObject({ isOneSided: false, evidence: ["lldp"], isManual: false });
    expect(edge(b, c)).toMatchObject({ isOneSided: true, confidence: 0.6 });
    expect(edge(a, c)).toMatchObject({ isManual: true, cost: 5, confidence: 1 });
    await report({ links: [link(0, { macs: [macs[1]] }, { evidence: "manual", present: false })] });
    expect((await path(a, c)).body.data).toMatchObject({ nodes: [a, c], cost: 5 });
    const told = await report({ links: [link(0, { macs: [macs[1]] }, { evidence: "manual" })] }, bob);
    expect(told.failed[0].code).toBe("FORBIDDEN");
    const stats = (await call(bob, "GET", `/topology/stats?problemSetId=${set}`)).body.data;
    expect(stats).toMatchObject({ edges: 2, manual: 1, oneSided: 1 });
  });
});

describe("the scanner", () => {
  it("goes from state to state as its table says, and sends to nothing but what is listed", async () => {
    const heard: string[] = [];
    const listening = async (banner: string): Promise<Server> => {
      const server = createServer((socket) => {
        heard.push(banner);
        socket.on("error", () => {});
        socket.end(`${banner}\r\n`);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    };
    const [listed, unlisted] = [await listening("SSH-2.0-listed"), await listening("never")];
    onTestEnd = () => [listed, unlisted].forEach((server) => server.close());
    const admin = (
      await at.http("POST", "/api/auth/login", { as: null, body: { email: "admin@example.org", password: PASSWORD } })
    ).body.data.token;
    const portOf = (server: Server): number => (server.address() as AddressInfo).port;
    const post = (move: string) => call("system_admin", "POST", `/${move}`);
    expect((await post("start")).body.error.code).toBe("CONSENT_REQUIRED");
    await call("system_admin", "POST", "/legal-consent", { origin: "server", version: "1" });
    expect((await post("pause")).body.error.code).toBe("INVALID_TRANSITION");
    const target = {
      name: "Bench",
      hosts: ["127.0.0.1", "127.0.0.9"],
      ports: [portOf(listed)],
      ratePerSecond: 50,
    };
    for (const [change, status, path] of [
      [{ hosts: ["169.254.169.254"] }, 422, "hosts.0"],
      [{ hosts: ["224.0.0.251"] }, 422, "hosts.0"],
      [{ hosts: ["10.0.0.1", "255.255.255.255"] }, 422, "hosts.1"],
      [{ hosts: ["10.0.0.0/21"] }, 400, "hosts.0"],
      [{ hosts: ["10.0.0.0/22", "10.1.0.0/22"] }, 400, "hosts.1"],
      [{ ports: Array.from({ length: 33 }, (_, n) => n + 1) }, 400, "ports"],
      [{ ratePerSecond: 51 }, 400, "ratePerSecond"],
    ] as const) {
      const refused = await call(admin, "POST", "/scan-targets", { ...target, ...change });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([status, path]);
    }
    const wrong = { hosts: ["10.0.0.0/8", "pump station", "224.0.0.1"], ports: [80, 80] };
    const all = await call(admin, "POST", "/scan-targets", { ...target, ...wrong });
    expect(all.body.error.details.map((one: any) => one.path)).toEqual(["ports.1", "hosts.0", "hosts.1", "hosts.2"]);
    expect((await call("analyst", "POST", "/scan-targets", target)).status).toBe(403);
    const made = await call(admin, "POST", "/scan-targets", target);
    expect(made.status).toBe(201);
    expect((await post("start")).body.data).toMatchObject({ state: "running", consentHolds: true });
    expect((await post("start")).status).toBe(409);
    const found = await eventually(
      async () => (await call("analyst", "GET", "/devices?transport=tcp&limit=100")).body.data,
      (all: any[]) => all.some(({ targetId }) => targetId === made.body.data.id),
    );
    expect(found.find(({ targetId }: any) => targetId === made.body.data.id)).toMatchObject({
      identities: [],
      state: "discovered",
      services: [{ type: "tcp", port: portOf(listed), banner: "SSH-2.0-listed" }],
    });
    await eventually(
      async () => (await call("analyst", "GET", "/scan-targets")).body.data[0],
      (one: any) => one.lastScannedAt !== undefined,
    );
    expect(new Set(heard)).toEqual(new Set(["SSH-2.0-listed"]));
    expect((await post("pause")).body.data.state).toBe("paused");
    const count = heard.length;
    const moved = await call(admin, "PUT", `/scan-targets/${made.body.data.id}`, { ports: [portOf(unlisted)] });
    expect(moved.body.data).toMatchObject({ ports: [portOf(unlisted)], hosts: target.hosts });
    expect((await post("resume")).body.data.state).toBe("running");
    await eventually(
      () => heard.length,
      (now) => now > count,
    );
    expect(heard.at(-1)).toBe("never");
    expect((await call(admin, "DELETE", `/scan-targets/${made.body.data.id}`)).status).toBe(204);
    expect((await post("stop")).body.data.state).toBe("stopped");
    expect((await call("analyst", "GET", "/status")).body.data).toMatchObject({
      state: "stopped",
      targets: { total: 0 },
    });
    const where = (await at.http("POST", "/api/problem-sets", { as: admin, body: { name: "Old exercise" } })).body.data;
    await call(admin, "POST", "/scan-targets", { ...target, problemSetId: where.id });
    expect((await at.http("DELETE", `/api/problem-sets/${where.id}`, { as: admin })).status).toBe(200);
    // Nobody could take it off the list there.
    await eventually(
      async () => (await call(admin, "GET", `/scan-targets?problemSetId=${where.id}`)).body.data,
      ([left]: any[]) => left.enabled === false,
    );
    const config = await call(admin, "PUT", "/scanner/mdns/config", { intervalSeconds: 60, via: ["127.0.0.1"] });
    expect(config.body.data).toMatchObject({
      transport: "mdns",
      enabled: true,
      intervalSeconds: 60,
      via: ["127.0.0.1"],
    });
    expect((await call(admin, "PUT", "/scanner/mdns/config", { via: ["224.0.0.1"] })).status).toBe(400);
    expect((await call(admin, "PUT", "/scanner/radio/config", {})).status).toBe(400);
    await call(admin, "PUT", "/scanner/mdns/config", { via: [] });
  });
});

describe("what was found", () => {
  itInside("is forgotten sixty days after it was seen last, with all that it was known by", async () => {
    const seen = { devices: [{ name: "Relic", serial: "SN-RELIC" }] };
    const take = async (): Promise<string> => (await at.call("discovery.takeObservations", seen, admin)).created[0];
    const admin = actor("system_admin");
    const id = await take();
    const forget = (days: number): Promise<void> => {
      at.clock.advance(days * 86_400_000);
      return forgetDevices.call(at.service("discovery"));
    };
    await forget(59);
    expect((await at.call("discovery.devices.get", { id }, admin)).state).toBe("lost");
    expect(await take()).toBe(id);
    await forget(61);
    await expect(at.call("discovery.devices.get", { id }, admin)).rejects.toMatchObject({ code: 404 });
    expect((await at.call("discovery.devices.get", { id: await take() }, admin)).sightings).toBe(1);
  });
});
