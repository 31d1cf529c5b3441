import { bold, dim, green, red, say, table, yellow } from "./terminal.ts";
import type { Person } from "./throwaway.ts";

/** Two reports that cannot both be true. */
const REPORTS = {
  "engineers.txt":
    "Report of the engineers. The Orvane dam near Castra holds after the flood. The wall shows no cracks. Pumps work.",
  "villagers.txt":
    "Report from the villages. The Orvane dam near Castra does not hold after the flood. Water comes through the wall.",
};
const HYPOTHESIS = "The Orvane dam near Castra holds after the flood.";
const OBJECTIVE = "Clear Castra, for the Orvane dam near Castra does not hold after the flood.";

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const quoted = (text: string): string => `“${text.trim()}”`;

/** Who takes part: whoever asks may plan, the judge may decide, and whoever is outside is not read in. */
export interface CycleScene {
  set: string;
  /** A compartment that the asker and the judge are read into; without it nothing is hidden. */
  compartment?: string;
  asker: Person;
  judge: Person;
  outside?: Person;
}

async function report(who: Person, name: string, text: string, place: Record<string, string>): Promise<string> {
  const form = new FormData();
  for (const [field, value] of Object.entries(place)) form.append(field, value);
  form.append("file", new File([text], name));
  const { id } = await who.http.done("POST", "/api/documents/upload", form);
  await who.http.until(`/api/documents/${id}`, ({ data }) => data.status === "ready");
  return id;
}

/**
 * One turn of the intelligence cycle: two reports disagree, a person looks at the checkpoint, the product shows what
 * disagrees and what each report adds, and somebody else approves it. Told on the terminal, a scene of a larger demo.
 */
export async function cycle({ set, compartment, asker, judge, outside }: CycleScene): Promise<void> {
  const path = "/api/strategic-agents";
  const place = { problemSetId: set, ...(compartment !== undefined && { compartments: compartment }) };
  const documentIds: string[] = [];
  for (const [name, text] of Object.entries(REPORTS)) documentIds.push(await report(asker, name, text, place));
  say(`${bold(asker.name)} has two reports on the Orvane dam, and asks: does it hold?`);

  const compartments = compartment === undefined ? [] : [compartment];
  const begun = await asker.http.done("POST", `${path}/cycle`, {
    ...{ problemSetId: set, compartments, checkpoints: ["analysis"] },
    direction: { question: "Does the Orvane dam hold?", hypothesis: HYPOTHESIS, queries: [], documentIds },
  });
  const at = `${path}/cycles/${begun.id}`;
  const waiting = (await asker.http.until(at, ({ data }) => data.status === "waiting")).data;
  for (const { phase, summary } of waiting.outcomes) say(`  ${phase.padEnd(14)} ${dim(summary)}`);
  const checkpoint = `${path}/checkpoints/${waiting.checkpointId}/resolve`;
  say(`The cycle waits: a person says how it goes on, and no key or agent. ${bold(judge.name)} lets it go on.`);
  await judge.http.done("POST", checkpoint, { resolution: "continue" });
  const again = await judge.http.refused(409, "POST", checkpoint, { resolution: "stop" });
  say(`A second answer: ${red(again)}`);
  const ended = (await asker.http.until(at, ({ data }) => data.status === "completed")).data;

  const productPath = `${path}/fused/${ended.outcomes.at(-1).products[0]}`;
  const product = await asker.http.done("GET", productPath);
  const { likelihood, credibility, reports, disagreements } = product;
  say(
    `\n${quoted(product.hypothesis)} is ${yellow(likelihood.words)} (${percent(likelihood.value)}), ` +
      `credibility ${credibility}:\n`,
  );
  table(
    ["report", "says", "adds"],
    reports.map((one: any) => [
      one.source,
      one.stance === "support" ? green(quoted(one.quote)) : red(quoted(one.quote)),
      one.logOdds.toFixed(2),
    ]),
  );
  for (const { says, against } of disagreements)
    say(`\nThey disagree: ${says.source} and ${against.source}, ${dim(against.reasons.join(", "))}.`);

  const approval = { decision: "approve" };
  say(`\n${asker.name} approves it: ${red(await asker.http.refused(403, "POST", `${productPath}/review`, approval))}`);
  const { status } = await judge.http.done("POST", `${productPath}/review`, approval);
  say(`${judge.name} does: ${green(`it is ${status}.`)}`);
  if (outside && compartment !== undefined)
    say(`${bold(outside.name)} is not read in: ${red(await outside.http.refused(404, "GET", productPath))}`);

  const objectives = "/api/strategic/objectives";
  const { id } = await asker.http.done("POST", objectives, { problemSetId: set, compartments, statement: OBJECTIVE });
  const validity = await asker.http.done("POST", `/api/graph/validity/${id}/calculate`, {});
  say(`\nHow far does ${quoted(OBJECTIVE)} still hold? ${yellow(String(validity.score))} of 100, and why:\n`);
  table(
    ["part", "points", "why"],
    validity.parts
      .filter(({ value }: any) => value !== 0)
      .map(({ part, value, why }: any) => [part, String(value), dim(why)]),
  );
}
