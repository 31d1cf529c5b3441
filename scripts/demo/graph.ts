import { cycle } from "./cycle.ts";
import { serveDemoFeeds } from "./feeds.ts";
import { bold, dim, green, red, say, step, table, yellow } from "./terminal.ts";
import { invite, openThrowaway, type Person } from "./throwaway.ts";

/**
 * `npm run demo -- graph`: two reports and some feeds become one graph, in which every name and every line leads to its
 * source; who is outside of a compartment sees nothing of what lies in it.
 */
const feeds = await serveDemoFeeds();
const { person, admin: administrator, end } = await openThrowaway({ ALLOW_PRIVATE_FEEDS: "on" });
const admin = await administrator();
const quoted = (text: string): string => `“${text.replace(/\s+/g, " ").trim()}”`;

const PORT_REPORT = `Port watch, week 47

Director Ines Amaro of the Harbour Authority met Colonel Marek Dvorak in Lissen on Tuesday. The 4th Engineer Battalion, commanded by Colonel Marek Dvorak, moved to Port Calder to clear the channel of the Calder Strait. The brokerage Holt and Vane criticised the Harbour Authority.`;
const BORDER_REPORT = `Border talks: who is at the table

Colonel Marek Dvorak commands the 4th Engineer Battalion. Foreign Minister Petra Sedlak of Tarn met Governor Paulo Reyes in Lissen. Tarn accused Belmora of closing the Orra Dam. Belmora denied it.`;
const SECRET_REPORT = `Source report, eyes only

Colonel Marek Dvorak of the 4th Engineer Battalion met Viktor Sokol in Lissen. Viktor Sokol paid Ines Amaro. Ines Amaro leads the Harbour Authority.`;

/** Puts a report in, has it read into the graph, and answers what came of it. */
async function report(who: Person, set: string, name: string, text: string, compartments: string[] = []) {
  const form = new FormData();
  for (const [field, value] of [["problemSetId", set], ...compartments.map((one) => ["compartments", one])])
    form.append(field!, value!);
  form.append("file", new File([text], name));
  const { id } = await who.http.done("POST", "/api/documents/upload", form);
  await who.http.until(`/api/documents/${id}`, ({ data }) => data.status === "ready");
  const path = `/api/graph/graph/build/${id}`;
  await who.http.done("POST", path, {});
  return (await who.http.until(path, ({ data }) => data?.status === "completed")).data;
}

try {
  step("1  Two reports come in");
  const [ilona, petr, jana] = [await person("Ilona"), await person("Petr"), await person("Jana")];
  const set = (await ilona.http.done("POST", "/api/problem-sets", { name: "Calder Strait" })).id as string;
  await invite(ilona, set, [
    [petr, "planner"],
    [jana, "observer"],
  ]);
  for (const [name, text] of [
    ["port-watch.txt", PORT_REPORT],
    ["border-talks.txt", BORDER_REPORT],
  ] as const) {
    const { entities, relations, leftOut } = await report(petr, set, name, text);
    const out = leftOut.map((one: any) => `${quoted(one.text)} (${one.reason})`).join(", ");
    say(`${yellow(name)}: ${entities} entities, ${relations} relations; left out: ${out || "nothing"}.`);
  }

  step("2  The news joins");
  for (const { name, path, domain, items } of feeds.sources) {
    const { id } = await admin.done("POST", "/api/sources", { name, url: feeds.base + path, domain });
    await admin.done("POST", `/api/sources/${id}/refresh`);
    await admin.until(`/api/articles?sourceId=${id}&limit=1`, ({ meta }) => meta.total >= items.length);
  }
  const { data: articles } = (await petr.http.ask("GET", "/api/articles?limit=100")).body;
  const stories = new Map<string, any>(articles.map((article: any) => [article.storyId, article]));
  for (const storyId of stories.keys())
    await petr.http.done("POST", "/api/graph/osint/events", { problemSetId: set, storyId });
  const graphPath = `/api/graph?problemSetId=${set}&nodes=2000&edges=10000`;
  let settled = -1;
  await petr.http.until(graphPath, ({ data }) => {
    const same =
      data.total.edges === settled && data.nodes.filter(({ type }: any) => type === "event").length === stories.size;
    settled = data.total.edges;
    return same;
  });
  const graph = async (who: Person): Promise<any> => who.http.done("GET", graphPath);
  const open = await graph(jana);
  say(
    `${articles.length} articles of ${feeds.sources.length} feeds are ${stories.size} events; with the ` +
      `reports ${bold(`${open.total.nodes} entities and ${open.total.edges} relations`)}.`,
  );
  const found = async (who: Person, text: string): Promise<any> =>
    (await who.http.done("GET", `/api/graph/actors/search/${encodeURIComponent(text)}?problemSetId=${set}`))[0];

  step("3  Every name and every line leads to its source");
  const dvorak = await found(jana, "Marek Dvorka");
  say(
    `Jana types ${quoted("Marek Dvorka")} and finds ${green(dvorak.name)}, ${dvorak.type}, in ` +
      `${dvorak.sources} reports.\n`,
  );
  const whole = await jana.http.done("GET", `/api/graph/actors/${dvorak.id}`);
  const lines: string[][] = [];
  for (const { id, relation, direction, entity, voices } of whole.relations.slice(0, 4)) {
    const path = `/api/graph/statements?entityId=${dvorak.id}&relationId=${encodeURIComponent(id)}`;
    const [{ origin }] = await jana.http.done("GET", path);
    const words = origin.citation
      ? `page ${origin.citation.page}: ${quoted(origin.citation.quote).slice(0, 70)}…`
      : quoted(origin.quote);
    lines.push([
      direction === "out" ? `${relation} ${entity.name}` : `${entity.name} ${relation}`,
      String(voices),
      dim(words),
    ]);
  }
  table(["relation", "voices", "the words that say so"], lines);
  const amaro = await jana.http.done("GET", `/api/graph/actors/${(await found(jana, "Inès Amaro")).id}`);
  const sources = new Set<string>(
    amaro.statements.map(({ origin }: any) => (origin.kind === "article" ? origin.source : "port-watch.txt")),
  );
  say(`\n${bold(amaro.name)} is named by ${[...sources].sort().join(", ")}: one person, a statement each.`);
  const skerry = open.nodes.find(({ name, type }: any) => type === "event" && name.startsWith("Storm cuts"));
  say(`${quoted(skerry.name)} was printed twice, word for word: ${green("one event, one voice")}.`);

  step("4  A compartment");
  const compartments = `/api/problem-sets/${set}/compartments`;
  const { id: eyesOnly } = await ilona.http.done("POST", compartments, { name: "Source" });
  const members: any[] = await ilona.http.done("GET", `/api/problem-sets/${set}/members`);
  const { did } = members.find(({ userId }) => userId === petr.id);
  await ilona.http.done("POST", `${compartments}/${eyesOnly}/members`, { did });
  const secret = await report(petr, set, "source-report.txt", SECRET_REPORT, [eyesOnly]);
  say(
    `Petr puts ${yellow("source-report.txt")} into a compartment that Ilona read him into: ` +
      `${secret.entities} entities.`,
  );
  const inside = await graph(petr);
  const [outside, before] = [await graph(jana), open];
  say(
    `Petr now sees ${bold(`${inside.total.nodes} entities and ${inside.total.edges} relations`)}, ` +
      `${quoted("Viktor Sokol")} among them.`,
  );
  const isSame = JSON.stringify(outside) === JSON.stringify(before);
  if (!isSame) throw new Error("The graph outside of the compartment changed.");
  say(
    `Jana sees, as Ilona does, ${green("byte for byte what she saw before")}: ${outside.total.nodes} ` +
      `entities, ${outside.total.edges} relations.`,
  );
  const sokol = await found(petr, "Sokol");
  say(
    `Jana asks for the entity by its id: ${red(await jana.http.refused(404, "GET", `/api/graph/actors/${sokol.id}`))}`,
  );

  step("5  Taken back");
  await petr.http.done("DELETE", `/api/documents/${secret.documentId}`);
  await petr.http.until(graphPath, ({ data }) => data.total.nodes === before.total.nodes);
  if (JSON.stringify(await graph(petr)) !== JSON.stringify(before)) throw new Error("Something of the report stayed.");
  say(`Petr withdraws the report: ${green("all that it said is gone, and nothing else")}.`);

  step("6  What reports amount to that disagree");
  await cycle({ set, asker: petr, judge: ilona });
} finally {
  await end();
  feeds.server.close();
}
