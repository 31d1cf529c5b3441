import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../../config/env.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { bold, columns, dim, green, red, say, step, table, yellow } from "./terminal.ts";

/**
 * `npm run demo -- workspace`: one bundled scenario, walked by four people, every step through the gateway as they
 * would take it.
 */
const HOUR_MS = 3_600_000;
/** Runs as usual, and jumps where the story says so. */
const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-demo-"));
const password = "a pass phrase for the demo";
const mesh = await startMesh(
  readEnv({
    PORT: "0",
    DATA_DIR: dataDir,
    ADMIN_EMAIL: "demo@example.org",
    ADMIN_PASSWORD: password,
    LOG_LEVEL: "error",
    INGEST_INTERVAL_MINUTES: "1000",
    COMPARE_INTERVAL_MINUTES: "0",
    RATE_LIMIT_TIER: "development",
  }),
  { clock },
);

interface Person {
  name: string;
  token: string;
  did?: string;
}
interface Answer {
  status: number;
  body: any;
}

async function ask(who: Person | null, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(mesh.url + path, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(who && { authorization: `Bearer ${who.token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
}
/** What must succeed; answers its data. */
async function done(who: Person | null, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await ask(who, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body?.data;
}
/** What must be refused; answers why, in the platform's words. */
async function refused(who: Person, status: number, method: string, path: string, body?: unknown): Promise<string> {
  const answer = await ask(who, method, path, body);
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} instead of ${status}`);
  return answer.body.error.message;
}
const named = (rows: readonly any[], name: string): any => rows.find((row) => row.name === name || row.title === name)!;
async function until(look: () => Promise<any>, fits: (found: any) => boolean): Promise<any> {
  for (
    const deadline = Date.now() + 30_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    const found = await look();
    if (fits(found)) return found;
  }
  throw new Error("It did not come about in half a minute.");
}

const signIn = async (email: string): Promise<string> =>
  (await done(null, "POST", "/api/auth/login", { email, password })).token;
async function person(admin: Person, name: string): Promise<Person> {
  const email = `${name.toLowerCase()}@example.org`;
  await done(admin, "POST", "/api/auth/users", { email, password, role: "analyst" });
  return { name, token: await signIn(email) };
}

/** Everything of the set that somebody gets from the platform, by kind. */
async function seen(who: Person, set: string): Promise<Record<string, string[]>> {
  const lists = {
    mission: `/api/missions?problemSetId=${set}&limit=100`,
    unit: `/api/command/units?problemSetId=${set}&limit=100`,
    gate: `/api/gates/${set}?limit=100`,
    direction: `/api/inheritance/directions?problemSetId=${set}&limit=100`,
  };
  const found = await Promise.all(
    Object.entries(lists).map(
      async ([kind, path]) => [kind, (await done(who, "GET", path)).map((row: any) => row.name ?? row.title)] as const,
    ),
  );
  const { documents, resources } = await done(who, "GET", `/api/problem-sets/${set}/linked-scenario`);
  return {
    ...Object.fromEntries(found),
    document: documents.map(({ title }: any) => title),
    resource: resources.map(({ name }: any) => name),
  };
}

try {
  step("1  A workspace from a scenario");
  const admin = { name: "Admin", token: await signIn("demo@example.org") };
  const [ilona, petr, jana] = [await person(admin, "Ilona"), await person(admin, "Petr"), await person(admin, "Jana")];
  const built = await done(ilona, "POST", "/api/problem-sets/from-scenario", { scenarioId: "river-flood" });
  const set = built.problemSetId as string;
  say(
    `${bold("Ilona")} opens ${bold(`“${built.name}”`)}: ${Object.entries(built.made)
      .map(([kind, count]) => `${count} ${kind === "daos" ? "DAO" : kind}`)
      .join(", ")}.`,
  );
  for (const { name, wants } of built.compartments)
    say(`The compartment ${yellow(name)} wants ${wants.join(" and ")}. Nobody is in it, Ilona neither.`);

  step("2  People, and what each may know");
  for (const [who, role] of [
    [petr, "deputy"],
    [jana, "planner"],
  ] as const) {
    const { code } = await done(ilona, "POST", `/api/problem-sets/${set}/invite`, { role });
    await done(who, "POST", "/api/problem-sets/invite/accept-by-code", { code });
  }
  const members: any[] = await done(ilona, "GET", `/api/problem-sets/${set}/members`);
  const didOf = (role: string): string => members.find((member) => member.role === role).did;
  const [dam, people] = built.compartments;
  const readIn = (compartment: any, did: string) =>
    [`/api/problem-sets/${set}/compartments/${compartment.id}/members`, { did }] as const;
  await done(ilona, "POST", ...readIn(dam, didOf("deputy")));
  await done(ilona, "POST", ...readIn(people, didOf("planner")));
  say(
    `Ilona, the commander, reads ${bold("Petr")} into ${yellow(dam.name)} and ${bold("Jana")} into ` +
      `${yellow(people.name)}.`,
  );
  say(`Ilona reads herself in: ${red(await refused(ilona, 403, "POST", ...readIn(dam, didOf("commander"))))}`);
  const views = [await seen(ilona, set), await seen(petr, set), await seen(jana, set)];
  const same = Object.entries(views[0]!).flatMap(([kind, names]) =>
    names.filter((name) => views.every((view) => view[kind]!.includes(name))),
  ).length;
  const differing = Object.keys(views[0]!).flatMap((kind) =>
    [...new Set(views.flatMap((view) => view[kind]!))]
      .filter((name) => !views.every((view) => view[kind]!.includes(name)))
      .map((name) => ({ kind, name })),
  );
  say(`The three ask the same questions. ${same} records answer them all alike; these do not:\n`);
  table(
    ["", "", "Ilona", "Petr", "Jana"],
    differing.map(({ kind, name }) => [
      dim(kind),
      name,
      ...views.map((view) => (view[kind]!.includes(name) ? green("sees") : dim("–"))),
    ]),
  );
  const damWatch = named(await done(petr, "GET", `/api/missions?problemSetId=${set}`), "Watch the Lipno dam");
  say(
    "\nPetr gives Ilona the address of his mission. She opens it: " +
      `${red(await refused(ilona, 404, "GET", `/api/missions/${damWatch.id}`))}`,
  );

  step("3  A gate that really stops, and opens by four eyes");
  const mission = named(await done(ilona, "GET", `/api/missions?problemSetId=${set}`), "Evacuate zone A");
  const workflow = `/api/mdmp/workflows/${mission.id}`;
  const onward = [`${workflow}/transitions`, { to: "mission-analysis" }] as const;
  say(
    "Ilona wants to go on to mission analysis:\n    " +
      `${red((await refused(ilona, 409, "POST", ...onward)).replaceAll(". ", ".\n    "))}`,
  );
  const assumption = (await done(ilona, "GET", `${workflow}/assumptions?blocking=true`))[0];
  await done(ilona, "PUT", `${workflow}/assumptions/${assumption.id}/accept`);
  const gates: any[] = await done(ilona, "GET", `/api/gates/${set}`);
  const order = named(gates, "Evacuation order released");
  await done(ilona, "POST", `/api/gates/${order.id}/submit`, { note: "Sirens at six, buses at seven." });
  say(
    "She accepts the assumption, puts the gate up for approval, and approves it herself: " +
      `${red(await refused(ilona, 403, "POST", `/api/gates/${order.id}/approve`, {}))}`,
  );
  await done(petr, "POST", `/api/gates/${order.id}/approve`, { note: "Seen and agreed." });
  const { phase } = await done(ilona, "POST", ...onward);
  say(`Petr approves. Ilona asks again: ${green(`the process is in ${phase}.`)}`);

  step("4  A vote that opens a gate");
  const [council] = await done(ilona, "GET", `/api/dao?problemSetId=${set}`);
  const polder = named(gates, "Polder opened by vote");
  const proposals = `/api/dao/${council.id}/proposals`;
  const proposal = await done(jana, "POST", proposals, {
    title: "Open the Dubina polder",
    description: "Hradek stays dry; two hundred hectares do not.",
    measures: [{ do: "open-gate", gateId: polder.id }],
  });
  for (const [who, choice] of [
    [ilona, "for"],
    [petr, "against"],
    [jana, "for"],
  ] as const)
    await done(who, "POST", `${proposals}/${proposal.id}/vote`, { choice });
  say(
    `Jana moves to open the polder. Ilona and Jana vote ${green("for")}, Petr ${red("against")}. The gate ` +
      `is ${yellow(polder.status)}: undecided, it stops.`,
  );
  say(`Too early: ${red(await refused(jana, 409, "POST", `${proposals}/${proposal.id}/finalize`))}`);
  clock.ahead += HOUR_MS + 1_000;
  say(dim("(the demo's clock jumps an hour)"));
  await done(jana, "POST", `${proposals}/${proposal.id}/finalize`);
  const { status } = await done(jana, "POST", `${proposals}/${proposal.id}/execute`);
  const {
    equal,
    recomputed: { scores },
  } = await done(petr, "GET", `${proposals}/${proposal.id}/tally`);
  const opened = await done(ilona, "GET", `/api/gates/gate/${polder.id}`);
  say(
    `The proposal is ${green(status)}, the gate ${green(opened.status)}. Petr counts again from the stored ` +
      `votes: ${scores.join(" : ")}, ${equal ? green("the same as the tally") : red("not the tally")}.`,
  );

  step("5  What a set below inherits");
  const child = (await done(ilona, "POST", "/api/problem-sets", { name: "Local staff of Hradek", parentId: set }))
    .id as string;
  const { code } = await done(ilona, "POST", `/api/problem-sets/${child}/invite`, { role: "planner" });
  await done(jana, "POST", "/api/problem-sets/invite/accept-by-code", { code });
  const above: any[] = await done(ilona, "GET", `/api/inheritance/directions?problemSetId=${set}&limit=100`);
  const openGates = gates.length;
  const inherited = () => done(jana, "GET", `/api/inheritance/${child}/inherited-context`);
  const context = await until(inherited, ({ items }) => items.length >= above.length + openGates);
  say(
    `Jana, in “Local staff of Hradek”, reads what comes from above: ${context.items
      .filter(({ kind }: any) => kind !== "gate")
      .map(({ title }: any) => title)
      .sort()
      .join(" · ")} – and ${openGates} gates.`,
  );
  const acknowledge = () => done(jana, "POST", `/api/inheritance/${child}/inherited-context/acknowledge`, {});
  await acknowledge();
  const boats = above.find(({ title }) => title.startsWith("No boats"));
  await done(ilona, "PATCH", `/api/inheritance/directions/${boats.id}`, { title: "No boats on the river by night" });
  const { changes } = await until(inherited, (now) => now.changes > 0);
  const [change] = await done(jana, "GET", `/api/inheritance/${child}/inherited-context/changelog?limit=1`);
  say(`She acknowledges. Ilona changes a word above; Jana sees ${yellow(`${changes} change`)} since then:`);
  for (const { field, before, after } of change.fields) say(`    ${field}: ${red(before)} → ${green(after)}`);
  await acknowledge();
  say(`She acknowledges again: ${green(`${(await inherited()).changes} changes open`)}.`);

  step("6  Who commands whom, and what is wrong with it");
  const twoDays = new Date(clock.now() + 2.5 * 24 * HOUR_MS).toISOString();
  const units = new Map(
    (await done(ilona, "GET", `/api/command/units?problemSetId=${set}&limit=100`)).map((unit: any) => [
      unit.id,
      unit.designation,
    ]),
  );
  // Somebody who holds a function twice is named once, by the fuller authority, which stands first.
  const holders = (held: any[]) =>
    held
      .filter(({ superiorId }, at) => held.findIndex((one) => one.superiorId === superiorId) === at)
      .map(({ superiorId, authority }) =>
        authority === "full" ? green(units.get(superiorId) as string) : dim(`(${units.get(superiorId)})`),
      )
      .join(" ") || dim("–");
  const rows: any[] = await done(ilona, "GET", `/api/command/matrix/${mission.id}?at=${twoDays}`);
  const functions = ["task", "position", "administer", "sustain", "protect"];
  table(
    ["in two and a half days", ...functions],
    rows.map(({ name, functions: held }) => [name, ...functions.map((one) => holders(held[one]))]),
  );
  say(`\n${dim(`${green("full")} authority, ${dim("(limited)")} authority, – nobody but the unit itself`)}`);
  const { findings } = await done(ilona, "POST", `/api/command/validate-hierarchy/${mission.id}?at=${twoDays}`);
  for (const { message } of findings.filter(({ code: found }: any) => found === "TWO_SUPERIORS"))
    say(`${yellow("finding")}  ${message}`);

  step("That was all of it over HTTP, on this machine alone");
  columns([
    ["npm start", "the platform"],
    ["/api/docs", "every endpoint"],
    ["POST /api/problem-sets/from-scenario", "your own: see /api/problem-sets/scenario-schema"],
  ]);
} finally {
  await mesh.stop();
  await rm(dataDir, { recursive: true, force: true });
}
