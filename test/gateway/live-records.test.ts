import { done, enrol } from "../staff/setup.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { connect, type Client } from "./live-setup.ts";

// A page that shows a record is told when somebody makes, changes or removes it, as far as its reader sees it.

type Kind =
  | "agent.changed"
  | `credential.${"changed" | "noticed"}`
  | `network.${"changed" | "noticed"}`
  | `${"team" | "tool" | "compartment" | "encryption-key" | "register" | "personnel"}.changed`;

let at: TestWorld;
let ann: Person, ben: Person, cleo: Person, dora: Person;
let problemSetId: string, red: string;
/** Ann and Ben are read in, Cleo is not, Dora is in no set; the last administers the platform. */
let inside: Client, outside: Client, stranger: Client, training: Client, admin: Client;
const clients = (): Client[] => [inside, outside, stranger, training, admin];

beforeAll(async () => {
  at = await world();
  [ann, ben, cleo, dora] = await persons(at, "ann", "ben", "cleo", "dora");
  problemSetId = await openSet(at, ann, { name: "Dyke" });
  await admit(at, problemSetId, ben, "deputy");
  await admit(at, problemSetId, cleo, "deputy");
  red = await openCompartment(at, problemSetId, ann, "Red", ben);
  await done(at, ben, "POST", `/api/problem-sets/${problemSetId}/compartments/${red}/members`, { did: ann.did });
  const trainee = (await persons(at, "tom"))[0];
  await done(at, trainee, "PUT", "/api/user-mode", { mode: "training" });
  const tokens = [ann.token, cleo.token, dora.token, trainee.token, await at.tokenOf("system_admin")];
  [inside, outside, stranger, training, admin] = (await Promise.all(
    tokens.map((token) => connect(at.url, { auth: { token } })),
  )) as [Client, Client, Client, Client, Client];
  for (const client of [inside, outside]) await client.subscribe({ problemSetId });
  for (const client of clients())
    for (const topic of ["agents", "credentials", "discovery", "resources"]) await client.subscribe({ topic });
}, 60_000);
afterAll(async () => {
  for (const client of clients()) client?.socket.close();
  await at?.stop();
});

const heard = (client: Client, kind: Kind): any[] => client.of(kind).map(({ data }) => data);
/** What those who hear of it are told once something was done, and that nobody else hears. */
async function tells(kind: Kind, hearers: readonly Client[], act: () => Promise<unknown>): Promise<any> {
  const before = new Map(clients().map((client) => [client, heard(client, kind).length]));
  await act();
  const news = (client: Client) => heard(client, kind).slice(before.get(client));
  for (const client of hearers)
    await eventually(
      () => news(client),
      (all) => all.length > 0,
    );
  expect(clients().map((client) => news(client).length > 0)).toEqual(clients().map((one) => hearers.includes(one)));
  return news(hearers[0]!).at(-1);
}
const asAdmin = async (method: string, path: string, body: object = {}): Promise<any> => {
  const reply = await at.http(method, path, { body });
  expect(reply.status).toBeLessThan(300);
  return reply.body?.data;
};

it("agents: those of a set to its members who are read in, those of all sets to everybody", async () => {
  let agent: any;
  const enrolled = await tells("agent.changed", [inside], async () => {
    agent = await enrol(at, ben, problemSetId, { compartments: [red], tools: ["list_gates"] });
  });
  expect(enrolled).toEqual({ id: agent.id });
  await tells("agent.changed", [inside], () => done(at, ben, "PUT", `/api/agents/${agent.id}/deactivate`, {}));
  await tells("agent.changed", [inside, outside], () => enrol(at, ben, problemSetId, { tools: ["list_gates"] }));
  let everywhere: any;
  await tells("agent.changed", clients(), async () => {
    everywhere = await asAdmin("POST", "/api/admin/agents", { name: "Clerk", tools: ["list_gates"] });
  });
  await tells("agent.changed", clients(), () =>
    asAdmin("PUT", `/api/admin/agents/${everywhere.id}/character`, { character: "Be brief." }),
  );
  await tells("agent.changed", clients(), () => asAdmin("DELETE", `/api/admin/agents/${everywhere.id}`));
});

it("tools and teams: to those who administer the platform", async () => {
  const http = { method: "GET", url: "https://tides.example.org/table", hosts: ["tides.example.org"] };
  const said = { summary: "Show the tides", parameters: { type: "object" }, class: "observe", effect: "read" };
  const tool = { name: "tide_table", kind: "http", http, ...said };
  expect(await tells("tool.changed", [admin], () => asAdmin("POST", "/api/admin/tools", tool))).toEqual({
    id: "tide_table",
  });
  await tells("tool.changed", [admin], () => asAdmin("DELETE", "/api/admin/tools/tide_table"));
  let team: any;
  await tells("team.changed", [admin], async () => {
    team = await asAdmin("POST", "/api/admin/teams", { name: "Night watch" });
  });
  await tells("team.changed", [admin], () => asAdmin("PUT", `/api/admin/teams/${team.id}`, { name: "Day watch" }));
});

it("credentials: to their holder, and to those who may change their status", async () => {
  const granted = { userId: dora.userId, problemSetId, role: "analyst" };
  let issued: any;
  const told = await tells("credential.changed", [inside, outside, stranger], async () => {
    issued = await done(at, ben, "POST", "/api/credentials/issue/role-assignment", granted);
  });
  expect(told).toEqual({ id: issued.id, status: "active" });
  const suspended = await tells("credential.changed", [inside, outside, stranger], () =>
    done(at, ben, "POST", `/api/credentials/${issued.id}/suspend`, {}),
  );
  expect(suspended).toEqual({ id: issued.id, status: "suspended" });
  const ofNoSet = { userId: cleo.userId, coalition: "Flood relief" };
  let pass: any;
  await tells("credential.noticed", [admin], async () => {
    pass = await asAdmin("POST", "/api/credentials/issue/coalition-membership", ofNoSet);
  });
  expect(heard(outside, "credential.changed").at(-1)).toEqual({ id: pass.id, status: "active" });
});

it("networks: to those who inspect there, a report of many links once", async () => {
  const place = { problemSetId, compartments: [red] };
  const post = (path: string, body: object): Promise<any> => done(at, ben, "POST", `/api/discovery/${path}`, body);
  const entry = { kind: "block", by: "oui", value: "00:1B:C5" };
  expect(await tells("network.changed", [inside], () => post("access-list", { ...place, ...entry }))).toEqual({
    what: "access-list",
  });
  const radio = { name: "Command post radio", frequencyHz: 46.5e6, powerDbm: 46 };
  await tells("network.changed", [inside, outside], () => post("em/emitters", { problemSetId, ...radio }));
  const end = (n: number) => ({ name: `host-${n}` });
  const links = Array.from({ length: 20 }, (_, n) => ({ from: end(n), to: end(n + 1), evidence: "lldp" }));
  const emissions = [{ frequencyHz: 100e6, bandwidthHz: 1e3, powerDbm: -60 }];
  const before = heard(inside, "network.changed").length;
  await tells("network.changed", [inside], () => post("observations", { ...place, links, emissions }));
  await eventually(
    () => heard(inside, "network.changed").slice(before),
    (all) => new Set(all.map(({ what }) => what)).size === 2,
  );
  expect(heard(inside, "network.changed").slice(before).length).toBeLessThan(10);
  await tells("network.noticed", [inside, outside, stranger, admin], () =>
    asAdmin("POST", "/api/discovery/em/emitters", radio),
  );
});

it("compartments: to those who manage them, read in or not; keys to those who may use them", async () => {
  const within = `/api/problem-sets/${problemSetId}`;
  const told = await tells("compartment.changed", [inside, outside], () =>
    done(at, ben, "POST", `${within}/compartments`, { name: "Blue" }),
  );
  expect(told).toEqual({ problemSetId });
  await tells("compartment.changed", [inside, outside], () =>
    done(at, ben, "DELETE", `${within}/compartments/${red}/members/${ann.did}`),
  );
  await done(at, ben, "POST", `${within}/compartments/${red}/members`, { did: ann.did });
  const key = { problemSetId, compartments: [red], name: "night-watch" };
  await tells("encryption-key.changed", [inside], () => done(at, ben, "POST", "/api/encryption/keys", key));
  await tells("encryption-key.changed", [stranger], () =>
    done(at, dora, "POST", "/api/encryption/keys", { name: "own" }),
  );
});

it("resources, groups, supplies and people: to those who see them, outside of all sets in one's mode", async () => {
  const place = { problemSetId, compartments: [red] };
  const post = (path: string, body: object): Promise<any> => done(at, ben, "POST", `/api/resources${path}`, body);
  await tells("register.changed", [inside], () => post("", { ...place, name: "Boat", kind: "vessel" }));
  await tells("register.changed", [inside, outside], () => post("/groups", { problemSetId, name: "Fleet" }));
  await tells("personnel.changed", [inside], () => post("/personnel", { ...place, name: "Karl" }));
  await tells("register.changed", [inside, outside, stranger, admin], () =>
    asAdmin("POST", "/api/resources", { name: "Mast", kind: "facility" }),
  );
});
