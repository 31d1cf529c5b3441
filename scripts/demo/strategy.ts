import { DESIGN, planOf, printed } from "./plan.ts";
import { bold, columns, dim, green, red, say, step, table, yellow } from "./terminal.ts";
import { invite, openThrowaway, type Person } from "./throwaway.ts";

/**
 * `npm run demo -- strategy`: one plan, from its upload to the handoff to planning; every step through the gateway, as
 * three people would take it.
 */
const { clock, person, end } = await openThrowaway();
const quoted = (text: string): string => `“${text.replace(/\s+/g, " ").trim()}”`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

function paper(content: string | Uint8Array, name: string, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new File([content as Uint8Array<ArrayBuffer>], name));
  return form;
}
/** Puts a document in, and waits until it has been read. */
async function upload(who: Person, ...[content, name, fields]: Parameters<typeof paper>): Promise<any> {
  const { id } = await who.http.done("POST", "/api/strategic/documents", paper(content, name, fields));
  return (await who.http.until(`/api/strategic/documents/${id}`, ({ data }) => data.status === "ready")).data;
}

try {
  step("1  A plan comes in");
  const [ilona, petr, jana] = [await person("Ilona"), await person("Petr"), await person("Jana")];
  const set = (await ilona.http.done("POST", "/api/problem-sets", { name: "Operation Open Road" })).id as string;
  await invite(ilona, set, [
    [petr, "deputy"],
    [jana, "planner"],
  ]);
  say(`${bold("Ilona")} commands, ${bold("Petr")} is her deputy, ${bold("Jana")} plans.`);
  const file = await printed(planOf(clock.now()));
  const plan = await upload(jana, file, "open-road.pdf", { problemSetId: set, kind: "plan" });
  say(`Jana uploads ${yellow("open-road.pdf")} (${file.length} bytes); the platform reads its text, page by page.`);

  step("2  The objectives in it, and where they come from");
  const about = `/api/strategic/documents/${plan.id}`;
  await jana.http.done("POST", `${about}/extract`, {});
  const found: any[] = [];
  let method = "";
  for await (const { event, data } of jana.http.follow(`${about}/extract/stream`))
    if (event === "objective") {
      found.push(data);
      const { kind, confidence, citation } = data;
      say(
        `${green("found")}  page ${citation.page}, ${kind}, ${percent(confidence.value)} sure: ` +
          `${quoted(citation.quote)}`,
      );
    } else if (event === "progress") method = data.method ?? method;
  say(
    `${found.length} objectives, told while they were found ` +
      `(${method === "llm" ? "with a language model" : "by rules, without a language model"}). What others ` +
      "predict is none of them.",
  );
  const named = (words: string): any => found.find(({ statement }) => statement.includes(words));
  const road = named("northern road");
  const objective = `/api/strategic/objectives/${road.objectiveId}`;
  const owned = await jana.http.done("PUT", objective, {
    owner: "153rd engineer battalion",
    measure: { indicator: "Load that the northern road carries", unit: "t", baseline: 0, target: 20 },
  });
  say(
    `\nJana adds what the plan does not say of the road: ${owned.owner} answers for it, measured by the ` +
      "load it carries.",
  );

  step("3  Decided by somebody else than who put it up");
  await petr.http.done("POST", `${objective}/submit`, { note: "Everything else hangs on it." });
  const approval = { decision: "approve" };
  say(
    "Petr puts it up for review, and approves it himself: " +
      `${red(await petr.http.refused(403, "POST", `${objective}/review`, approval))}`,
  );
  const { status } = await ilona.http.done("POST", `${objective}/review`, approval);
  say(`Ilona decides: ${green(`the objective is ${status}.`)}`);
  const judged = [
    {
      hazard: "The bridge at Lhota does not carry the trucks",
      before: { probability: "likely", severity: "critical" },
    },
    {
      hazard: "Diesel for the pumps runs out",
      before: { probability: "likely", severity: "critical" },
      controls: [{ text: "Two tank trucks stand by in Hradek", owner: "G4" }],
      after: { probability: "seldom", severity: "moderate" },
    },
  ];
  const risks = [];
  for (const one of judged) risks.push(await jana.http.done("POST", `${objective}/risk`, one));
  const levels: Record<string, string> = { EH: "extremely high", H: "high", M: "medium", L: "low" };
  say("\nJana assesses what may go wrong. The level follows from the matrix, nobody writes it:\n");
  table(
    ["risk", "as it is", "with what is done about it"],
    risks.map(({ hazard, initialLevel, residualLevel }) => [
      hazard,
      levels[initialLevel]!,
      residualLevel === "L" ? green(levels["L"]!) : red(levels[residualLevel]!),
    ]),
  );
  const high: any[] = await ilona.http.done("GET", `/api/strategic/risk/high-risk?problemSetId=${set}`);
  say(`\nIlona's list of high risks: ${high.map(({ hazard }) => quoted(hazard)).join(", ")}.`);
  const acceptance = [`/api/strategic/risk/${high[0].id}/review`, { decision: "accept" }] as const;
  say(`Petr accepts it: ${red(await petr.http.refused(403, "PUT", ...acceptance))} That is Ilona's to do.`);

  step("4  What the plan says badly");
  const { reviewId } = await jana.http.done("POST", `${about}/review`, {});
  for await (const { event, data } of jana.http.follow(`${about}/review/stream`))
    if (event === "finding") {
      const remedy = data.with === undefined ? dim("only a person can know what instead") : green(quoted(data.with));
      say(
        `page ${data.citation.page}  ${data.message} ${red(quoted(data.replace))} → ` +
          `${data.with === "" ? green("left out") : remedy}`,
      );
    }
  const { findings } = await jana.http.done("GET", `/api/strategic/reviews/${reviewId}`);
  const wanted = findings.filter(({ category }: any) => ["weekday", "repeated-word", "range"].includes(category));
  const taken = await jana.http.done("POST", `/api/strategic/reviews/${reviewId}/accept-partial`, {
    findingIds: wanted.map(({ id }: any) => id),
  });
  say(
    `\nJana takes ${wanted.length} of ${findings.length} over, and leaves the rest: ` +
      `${green(`version ${taken.madeVersion} of the plan`)}. Version ${taken.version} stays as it was.`,
  );

  step("5  From an objective to tasks");
  const recce = { key: "survey", name: "Survey the bridge", days: 2 };
  const tasks = [
    recce,
    { key: "steel", name: "Bring steel and pontoons", days: 4 },
    { key: "repair", name: "Repair the bridge", days: 5, dependsOn: ["survey", "steel"] },
    { key: "load", name: "Drive over with 20 tonnes", days: 1, dependsOn: ["repair"] },
  ];
  const circular = [{ ...recce, dependsOn: ["load"] }, ...tasks.slice(1)];
  say(
    "Jana has the survey wait for the test drive: " +
      `${red(await jana.http.refused(422, "POST", `${objective}/operationalize`, { tasks: circular }))}`,
  );
  const operations = await jana.http.done("POST", `${objective}/operationalize`, {
    tasks,
    resources: [{ key: "eng", name: "Engineer officer" }],
  });
  say("Mended, it has a beginning and an end:\n");
  table(
    ["task", "from day", "to day", "may slip"],
    operations.tasks.map(({ name, earliestStart, earliestFinish, slack, critical }: any) => [
      critical ? bold(name) : name,
      String(earliestStart),
      String(earliestFinish),
      critical ? yellow("not at all") : `${slack} days`,
    ]),
  );
  const nameOf = (key: string): string => tasks.find((task) => task.key === key)!.name;
  say(
    `\n${operations.days} days in all; the critical path: ` +
      `${bold(operations.criticalPath.map(nameOf).join(" → "))}.\n${dim(`An engineer officer: ${operations.resources[0].why}`)}`,
  );

  step("6  Where the plan is filed, and what it is about");
  const environment = `/api/strategic/environments/${set}`;
  const category = await jana.http.done("POST", `${environment}/categories`, { name: "Engineering" });
  for (const container of [
    { name: "Roads and bridges", description: "Bridge, road, trucks, engineer battalion, repair" },
    { name: "Press", description: "Statements, interviews, newspapers" },
  ])
    await jana.http.done("POST", `${environment}/containers`, { ...container, categoryId: category.id });
  await jana.http.until(`${about}/text`, ({ data }) => data.status === "ready");
  const { suggestions } = await jana.http.done("POST", `${about}/suggest-containers`, {});
  const [best] = suggestions;
  const [reason] = best.contributions;
  say(
    `Of two containers the platform suggests ${green(quoted(best.name))} (${best.score} of 100). ` +
      `${reason.reason} ${dim(`Its words: ${reason.words.join(", ")}.`)}`,
  );
  await jana.http.done("PUT", `${about}/containers`, { containerIds: [best.containerId] });
  const sorted = await jana.http.done("POST", "/api/strategic-tools/categorize-midlife", {
    problemSetId: set,
    documentIds: [plan.id],
    framework: "pmesii-pt",
  });
  const called = (id: string): string => sorted.framework.categories.find((one: any) => one.id === id).name;
  say("Jana puts it there. By PMESII-PT, the eight sides of an environment, it is about:\n");
  table(
    ["", "of 100", "by the words"],
    sorted.documents[0].categories.map(({ category: id, score, evidence }: any) => [
      called(id),
      String(score),
      dim([...new Set(evidence.map(({ quote }: any) => quote.toLowerCase()))].slice(0, 6).join(", ")),
    ]),
  );

  step("7  Work for those who may know of it");
  const compartment = (await ilona.http.done("POST", `/api/problem-sets/${set}/compartments`, { name: "Dam" })).id;
  const members: any[] = await ilona.http.done("GET", `/api/problem-sets/${set}/members`);
  await ilona.http.done("POST", `/api/problem-sets/${set}/compartments/${compartment}/members`, {
    did: members.find(({ role }) => role === "planner").did,
  });
  const secret = await upload(jana, "The dam at Lipno seeps. Nobody outside is told before Friday.", "dam.txt", {
    problemSetId: set,
    compartments: compartment,
  });
  const assignment = (whom: Person): object => ({
    ...{ problemSetId: set, subjectKind: "document", subjectId: secret.id },
    ...{ title: "Say what the seepage means for the road", assigneeId: whom.id },
  });
  say(
    `A paper lies in the compartment ${yellow("Dam")}, into which Jana is read and Petr is not. She asks ` +
      "Petr for help with it: " +
      `${red(await jana.http.refused(422, "POST", "/api/strategic/assignments", assignment(petr)))}`,
  );
  const given = await jana.http.done("POST", "/api/strategic/assignments", assignment(jana));
  const his: any[] = await petr.http.done("GET", `/api/strategic/assignments?problemSetId=${set}`);
  const accepted = await jana.http.done("PATCH", `/api/strategic/assignments/${given.id}`, { status: "accepted" });
  say(`So she takes it on herself: ${green(accepted.status)}. Petr sees ${his.length} assignments.`);

  step("8  The design, and the way to planning");
  const design = `/api/design/${set}`;
  const { missing } = await jana.http.done("GET", `${design}/status`);
  say(`Nobody has written a design yet; ${missing.length} things are missing. The first three:`);
  for (const { message } of missing.slice(0, 3)) say(`    ${red(message)}`);
  for (const [section, fields] of Object.entries(DESIGN)) await jana.http.done("PATCH", `${design}/${section}`, fields);
  const push = [`${design}/push-handoff`, {}] as const;
  say(
    `\nJana writes all sections but one. Ilona would hand over: ${red(await ilona.http.refused(409, "POST", ...push))}`,
  );
  await jana.http.done("PATCH", `${design}/assessment`, {
    measures: [{ statement: "Tonnes delivered a day.", condition: "road-open" }],
  });
  const gate = await jana.http.done("POST", "/api/gates", {
    ...{ problemSetId: set, tab: "design", name: "Release of the design" },
    guards: { kind: "design-handoff", subject: set },
  });
  say(
    "The design is complete now, and Jana has put a hard gate before the handoff. Ilona tries again: " +
      `${red(await ilona.http.refused(409, "POST", ...push))}`,
  );
  await ilona.http.done("POST", `/api/gates/${gate.id}/submit`, { note: "Ready to plan." });
  await petr.http.done("POST", `/api/gates/${gate.id}/approve`, { note: "Seen and agreed." });
  const mission = await jana.http.done("POST", "/api/missions", { problemSetId: set, name: "Open the road" });
  await jana.http.done("POST", "/api/mdmp/workflows", { missionId: mission.id });
  const handoff = await ilona.http.done("POST", ...push);
  say(`Ilona puts the gate up, Petr approves it; ${green(`handoff ${handoff.number} goes over to planning.`)}`);
  const workflow = `/api/mdmp/workflows/${mission.id}`;
  const { data: assumptions } = await jana.http.until(
    `${workflow}/assumptions`,
    ({ data }) => data.length === DESIGN.assumptions.assumptions.length,
  );
  say("\nThe Plan tab of the mission shows what the design assumes:\n");
  table(
    ["assumption", "", "from"],
    assumptions.map(({ statement, blocking, status: state, fromDesign }: any) => [
      statement,
      blocking ? red(`${state}, planning waits for it`) : state,
      dim(`handoff ${fromDesign.handoff}`),
    ]),
  );
  const { blockers } = await jana.http.done("GET", workflow);
  say(`\nSo planning goes on when that is settled: ${blockers.map(({ message }: any) => yellow(message)).join(" ")}`);

  step("That was all of it over HTTP, on this machine alone");
  columns([
    ["npm start", "the platform"],
    ["/api/docs", "every endpoint"],
    ["npm run demo -- picture", "the same people watch one map"],
  ]);
} finally {
  await end();
}
