import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoNode } from "./edge-node.ts";
import { bold, columns, dim, green, red, say, step, table, yellow } from "./terminal.ts";
import { invite, openThrowaway } from "./throwaway.ts";

/**
 * `npm run demo -- edge`: a headquarters and two edge nodes that are cut off for a day; everybody works on, and they come
 * together. Every step by HTTP: at the hub through its gateway, at a node through its local face.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { clock, admin, person, end } = await openThrowaway();
const folder = await mkdtemp(join(tmpdir(), "signalmesh-demo-edge-"));
const skewed = (by: number) => ({ now: () => clock.now() + by });
const nodes: DemoNode[] = [];

try {
  step("1  A headquarters and two nodes");
  const [ilona, petr, jana] = [await person("Ilona"), await person("Petr"), await person("Jana")];
  const hub = ilona.http;
  const set = (await hub.done("POST", "/api/problem-sets", { name: "Flood at Hradek" })).id as string;
  await invite(ilona, set, [
    [petr, "planner"],
    [jana, "planner"],
  ]);
  const members: any[] = await hub.done("GET", `/api/problem-sets/${set}/members`);
  const didOf = (id: string): string => members.find(({ userId }) => userId === id).did;
  const secret = await hub.done("POST", `/api/problem-sets/${set}/compartments`, { name: "Evacuation" });
  const readers = `/api/problem-sets/${set}/compartments/${secret.id}/members`;
  for (const { id } of [petr, jana]) await hub.done("POST", readers, { did: didOf(id) });
  const make = async (path: string, body: object): Promise<string> =>
    (await petr.http.done("POST", path, { problemSetId: set, ...body })).id;
  const bridge = await make("/api/resources", { name: "Bridge", kind: "facility", description: "Open to cars." });
  const sand = await make("/api/resources/consumables", { name: "Sandbags", unit: "piece", level: 400 });
  const bus = await make("/api/resources", {
    name: "Bus 3 for the care home",
    kind: "vehicle",
    compartments: [secret.id],
  });

  const enrolled = async (name: string, token: string, skew: number): Promise<DemoNode> => {
    const settings = { name, folder: join(folder, name), hub: hub.url, clock: skewed(skew) };
    const node = await new DemoNode(settings).start(token);
    nodes.push(node);
    return node;
  };
  const post = await enrolled("Post", petr.http.token!, -3 * HOUR_MS);
  const boat = await enrolled("Boat", jana.http.token!, 26 * HOUR_MS);
  say(
    `${bold("Ilona")} commands from the headquarters. ${bold("Petr")} takes a node to the forward post, ` +
      `${bold("Jana")} one on her boat. Each node makes a key of its own, proves it to the hub under its ` +
      "person's sign-in, and is then a device of theirs:\n",
  );
  const rows: string[][] = [];
  for (const [name, who, node] of [
    ["Post", "Petr", post],
    ["Boat", "Jana", boat],
  ] as const) {
    const { round, status } = await node.sync();
    rows.push([name, who, `${node.did.slice(0, 24)}…`, `${round.received}`, status.clock.warning]);
  }
  table(["node", "person", "DID", "records", "what the hub's time told it"], rows);

  step("2  A day without a line");
  for (const node of nodes) node.isCut = true;
  const { status: cut } = await boat.sync();
  say(`The water takes the mast. Jana's node says: ${red(cut.hub.message)} It goes on with what it has.`);
  const at = {
    bridge: `/records/resource/${bridge}`,
    sand: `/records/consumable/${sand}`,
    bus: `/records/resource/${bus}`,
  };
  await post.done("PATCH", at.bridge, { description: "The north lane is under water." });
  await post.done("POST", `${at.sand}/delta`, { field: "level", value: -200 });
  clock.ahead += 20 * MINUTE_MS;
  await boat.done("PATCH", at.bridge, { description: "A tree lies across the south lane." });
  await boat.done("POST", `${at.sand}/delta`, { field: "level", value: -120 });
  // Room for what the boat knows of, and not for what the headquarters gets meanwhile.
  await boat.done("PATCH", at.sand, { capacity: 300 });
  const pump = await boat.done("POST", "/records/resource", { problemSetId: set, name: "Pump 9", kind: "equipment" });
  const water = { field: "capabilities", value: "engineering.water" };
  await boat.done("POST", `/records/resource/${pump.id}/add`, water);
  await post.close();
  await post.start();
  clock.ahead += 24 * HOUR_MS;
  const anew = await ilona.signIn();
  await anew.done("PATCH", `/api/resources/${bridge}`, { name: "Bridge at the mill" });
  await anew.done("PATCH", `/api/resources/consumables/${sand}/level`, { delta: 300 });
  say(
    "Petr and Jana write down what they see, take sandbags, Jana notes that there is room for 300, and makes " +
      "a record of a pump that she found. The post's battery dies once: what was acknowledged is on its disk. Meanwhile Ilona renames the " +
      `bridge and gets 300 sandbags. ${dim("(the demo's clock jumps a day)")}\n`,
  );
  const seenAt = async (ask: (path: string) => Promise<any>): Promise<any> => (await ask(at.bridge)).fields;
  const look = async (node: DemoNode): Promise<string[]> => {
    const fields = await seenAt((path) => node.done("GET", path));
    const { level } = (await node.done("GET", at.sand)).fields;
    return [fields.name, fields.description, String(level)];
  };
  const headquarters = async (): Promise<string[]> => {
    const { name, description } = await anew.done("GET", `/api/resources/${bridge}`);
    const { level } = await anew.done("GET", `/api/resources/consumables/${sand}`);
    return [name, description, String(level)];
  };
  const compare = async (): Promise<void> =>
    table(
      ["", "the bridge is called", "and said to be", "sandbags"],
      [
        ["headquarters", ...(await headquarters())],
        ["Post", ...(await look(post))],
        ["Boat", ...(await look(boat))],
      ],
    );
  await compare();

  step("3  They come together");
  for (const node of nodes) node.isCut = false;
  const { round: first } = await post.sync();
  const { round: second, status } = await boat.sync();
  await post.sync();
  say(
    `The line is back. The post sends ${first.sent} changes and the boat ${second.sent}, each signed by its ` +
      "node and numbered without a gap; what the others did comes back. 400 + 300 − 200 − 120 is 380: " +
      "counters add up, nobody's number overwrites another's.\n",
  );
  await compare();
  const [refusal] = await boat.done("GET", "/rejections");
  const { name, capabilities } = await anew.done("GET", `/api/resources/${pump.id}`);
  say(
    `\nOne change was refused (${refusal.field}, “${refusal.value}”): ${red(refusal.message)} The node ` +
      `keeps it for Jana to read, and ${green("those behind it went on")}: the headquarters has ${bold(name)} ` +
      `now, with ${capabilities.join(", ")}.`,
  );
  say(
    `Jana's clock is still wrong (“${status.clock.warning}”). Her node knows, and a stamp only chooses ` +
      "which of two texts is shown for the moment. Nothing is lost by it:",
  );

  step("4  Two who said different things");
  const open = (await post.done("GET", "/conflicts"))[0];
  const { field, heads } = open.conflicts[0];
  const [found] = (await anew.ask("GET", `/api/edge-sync/conflicts?problemSetId=${set}`)).body.data;
  table(
    [`${field} of the bridge`, "by"],
    found.fields[0].values.map(({ value, node }: any) => [yellow(value), node ?? "headquarters"]),
  );
  say(
    "\nBoth stand there, on every node and at the headquarters, until a person decides. Petr edits as if " +
      `there was one: ${red(await post.refused(409, "PATCH", at.bridge, { description: "Closed." }))}`,
  );
  await post.done("POST", `${at.bridge}/decide`, {
    ...{ field, value: "Closed: water on the north lane, a tree on the south lane." },
    seen: heads.map(({ dot }: any) => dot),
  });
  await post.sync();
  await boat.sync();
  say(`He decides, naming what he saw; ${green("a round later it is so everywhere")}:\n`);
  await compare();

  step("5  Access that ends");
  const about = "Bus 3 for the care home";
  const before = boat.holds(about);
  await anew.done("DELETE", `${readers}/${encodeURIComponent(didOf(jana.id))}`);
  const { round: purge } = await boat.sync();
  say(
    `Ilona takes Jana out of the compartment ${yellow("Evacuation")}. At its next round the boat is told to ` +
      `let go of ${purge.purged} record. The words “${about}” in the files of its disk: ` +
      `${before ? "there" : "not there"} before, ` +
      `${boat.holds(about) ? red("still there") : green("not one byte after")}. Jana asks for the record: ` +
      `${red(await boat.refused(404, "GET", at.bus))}`,
  );
  say(`Petr's node has it: ${(await post.done("GET", at.bus)).fields.name}.`);

  step("6  An emergency");
  const operator = await admin();
  const { created } = await operator.done("POST", "/api/discovery/observations", {
    devices: [{ did: boat.did, name: "Boat" }],
  });
  const result = await operator.done("POST", `/api/discovery/devices/${created[0]}/emergency-disconnect`, {
    reason: "The boat was stolen.",
  });
  await boat.done("PATCH", at.bridge, { description: "Everything is fine." });
  const { round: none, status: off } = await boat.sync();
  const kept = await post.sync();
  const ended = `${result.sessionsEnded} ${result.sessionsEnded === 1 ? "sign-in" : "sign-ins"}`;
  say(
    "The boat is stolen with its node. The administrator disconnects the device: its DID is blocked, " +
      `${ended} and the keys of its person end. The thief writes “Everything is fine.” The node: ` +
      `${red(`${off.hub.code}: ${off.hub.message}`)} ` +
      `${none ? "" : green("Nothing of it came to the headquarters")}, and the post ` +
      `${kept.round ? "goes on" : "stopped"}.\n`,
  );
  table(
    ["", "the bridge is called", "and said to be", "sandbags"],
    [
      ["headquarters", ...(await headquarters())],
      ["Post", ...(await look(post))],
    ],
  );

  step("That was a hub and two nodes over HTTP, on this machine alone");
  columns([
    ["npm run edge -- --help", "a node of your own"],
    ["docs/edge.md", "the protocol, as a stranger would speak it"],
    ["npm run demo -- picture", "three who watch one map"],
  ]);
} finally {
  for (const node of nodes) await node.close();
  await end();
  await rm(folder, { recursive: true, force: true });
}
