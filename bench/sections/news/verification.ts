import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../../../config/env.ts";
import { systemActor } from "../../../core/access/access.ts";
import { startMesh } from "../../../mesh/mesh.ts";
import { random } from "../../corpus.ts";
import { many, round } from "../../measure.ts";

const ARTICLES = many(1_000, 40);
/** Outlets that tell one event, each in words of its own. */
const VOICES = 5;
const BATCH = 200;
const PLACES =
  "Arden Belmora Castrel Dunmark Eskova Farrow Galdin Hestia Ilverton Jorvan Kelmont Lunden Morvale Nordhaven Ostrava".split(
    " ",
  );
const THINGS = "refinery shipyard hospital university airport brewery mine harbour foundry reservoir".split(" ");
const TOLD = [
  (place: string, thing: string, n: number) =>
    `The ${place} ${thing} employed ${n} workers in March, the labour ministry said on Monday.`,
  (place: string, thing: string, n: number) =>
    `In March the ${place} ${thing} had ${n} employees, according to the statistics office.`,
  (place: string, thing: string, n: number) => `Officials counted ${n} workers at the ${place} ${thing} in March.`,
  (place: string, thing: string, n: number) =>
    `The number of workers at the ${thing} in ${place} reached ${n} in March, the company reported.`,
  (place: string, thing: string, n: number) =>
    `A union said that ${Math.round(n * 1.4)} people worked at the ${place} ${thing} in March.`,
];
/** What each outlet writes around it, in words of its own: sentences that two of them share would make copies of them. */
const FILL = [
  [
    "The council met for two hours and heard from residents who had travelled from the villages around.",
    "Some of those present were not convinced by what they heard, and said so in plain words.",
    "Prices in the shops nearby have risen by about 3.4 percent since the summer, figures of the chamber of commerce show.",
    "Older residents remember a time when the road ended here.",
    "Two deputies asked for the minutes to be read out again.",
    "The hall was so full that many listened from the stairs.",
  ],
  [
    "It is not the first time that the question has come up in this part of the country.",
    "Local traders want a market on Saturdays, and have collected signatures for it.",
    "The finance committee is to look at the books in the autumn.",
    "According to the land registry 212 plots changed hands last year.",
    "Nobody from the board was available for an interview.",
    "The old gatehouse is being turned into a library.",
  ],
  [
    "A spokeswoman would not be drawn on what happens next, but said that talks went on.",
    "Rain delayed the inspection by a day, and inspectors slept in the school.",
    "The ferry company added three crossings for the week.",
    "Teachers complain that buses leave before the last lesson ends.",
    "Engineers expect repairs of the roof to cost 1.2 million crowns.",
    "Half of the windows on the river side are boarded up.",
  ],
  [
    "Critics called the plan a disgraceful waste; its friends called it overdue.",
    "An auction of the machines brought less than the owners had hoped.",
    "The mayor opened a fountain, and spoke for eleven minutes.",
    "Farmers nearby have sold their barley early this season.",
    "A survey of 640 households found most of them content with the water.",
    "The brass band played twice before the doors were closed.",
  ],
  [
    "Weather permitting, the work is to begin before the end of the year.",
    "Lorries queued along the quay until late in the evening.",
    "The regional court will hear an appeal about the fence.",
    "Visitors pay 4 crowns to see the tower, children nothing.",
    "Volunteers planted lime trees along the whole embankment.",
    "Trains stop there twice an hour, and hourly on Sundays.",
  ],
] as const;

/** One report in its outlet's words: what it tells of the event, amid two hundred words of everything else. */
function report(n: number, next: () => number): { title: string; text: string } {
  const event = Math.floor(n / VOICES),
    voice = n % VOICES;
  const place = PLACES[event % PLACES.length]!,
    thing = THINGS[Math.floor(event / PLACES.length) % THINGS.length]!;
  const own = FILL[voice]!;
  const from = Math.floor(next() * own.length);
  // Of one day's filling, with a figure of its own: no two reports are alike but in what they tell.
  const fill = (at: number): string => `On day ${event + 3 * at} of it ${own[(from + at) % own.length]!.toLowerCase()}`;
  const body = [fill(0), fill(1), TOLD[voice]!(place, thing, 1_000 + 37 * event), fill(2), fill(3), fill(4)];
  return { title: `${place}: the ${thing} in figures, ${event}`, text: body.join(" ") };
}

const STAGES: [string, string][] = [
  ["claims", "/claims/extract-recent"],
  ["cross-references", "/cross-reference/batch"],
  ["bias", "/bias/batch"],
  ["patterns", "/batch"],
];

/**
 * CPU of a heuristic verification, stage by stage, over stored articles: reading, judging, storing with fsync, and
 * telling the article.
 */
export async function verification(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const password = "correct horse battery staple 42";
  const mesh = await startMesh(
    readEnv({
      PORT: "0",
      DATA_DIR: dir,
      ADMIN_EMAIL: "bench@example.org",
      ADMIN_PASSWORD: password,
      LOG_LEVEL: "error",
      RATE_LIMIT_TIER: "development",
      REQUEST_TIMEOUT_MS: "600000",
      INGEST_INTERVAL_MINUTES: "10000",
    }),
    { quiet: true },
  );
  const system = { meta: { actor: systemActor("bench") } };
  const next = random(7),
    now = Date.now();
  for (let voice = 0; voice < VOICES; voice++) {
    const items = Array.from({ length: ARTICLES / VOICES }, (_, event) => {
      const n = event * VOICES + voice,
        { title, text } = report(n, next);
      return {
        guid: `b${n}`,
        url: `https://bench.example/${n}`,
        title,
        text,
        html: `<p>${text}</p>`,
        summary: title,
        categories: [],
        publishedAt: new Date(now - n * 60_000).toISOString(),
        dateInferred: false,
      };
    });
    await mesh.broker.call(
      "articles.store",
      {
        source: { id: voice + 1, name: `Outlet ${voice + 1}`, domain: "economics" },
        items,
        fetchedAt: new Date(now).toISOString(),
      },
      system,
    );
  }
  while ((await mesh.broker.call<{ waiting: number }, object>("articles.waiting", {}, system)).waiting > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const login = await fetch(`${mesh.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bench@example.org", password }),
  });
  const {
    data: { token },
  } = (await login.json()) as { data: { token: string } };
  const rows: string[] = [];
  let all = 0;
  for (const [name, path] of STAGES) {
    const before = process.cpuUsage();
    let done = 0;
    for (let more = true; more;) {
      const answer = await fetch(`${mesh.url}/api/verification${path}?limit=${BATCH}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      const { data } = (await answer.json()) as { data: { succeeded: number; more: boolean } };
      done += data.succeeded;
      more = data.more;
    }
    const { user, system: kernel } = process.cpuUsage(before);
    all += (user + kernel) / 1_000 / done;
    rows.push(`| ${name} | ${done.toLocaleString("en")} | ${round((user + kernel) / 1_000 / done, 2)} |`);
  }
  const claims = await (await mesh.world.documents.collection("claims")).groups({ by: "status" });
  const total = claims.reduce((sum, { count }) => sum + count, 0);
  const found = claims
    .map(({ key, count }) => `${count.toLocaleString("en")} ${key}`)
    .sort()
    .join(", ");
  await mesh.stop();
  await rm(dir, { recursive: true, force: true });
  return [
    "## Verification by heuristics",
    "",
    `${ARTICLES.toLocaleString("en")} articles of about 220 words on ${ARTICLES / VOICES} events that ${VOICES} outlets tell each in their own words, one of them with another figure. CPU of the whole process in batches of ${BATCH}, storing and telling the article included; one run.`,
    "",
    "| Stage | articles | CPU ms an article |",
    "|---|---|---|",
    ...rows,
    `| all | | ${round(all, 2)} |`,
    "",
    `${total.toLocaleString("en")} claims found: ${found}.`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await verification());
  process.exit(0);
}
