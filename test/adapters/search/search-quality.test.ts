import { parseQuery } from "../../../core/text/searching/query-language.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import { ago, article, dropTestIndices, engines, NOW } from "./engines.ts";

/** Thirty short articles of our own: title, text. Several only mention what others are about. */
const ARTICLES: [title: string, text: string][] = [
  [
    "Ceasefire talks resume in Geneva",
    "Negotiators from both sides met in Geneva to discuss a ceasefire. The talks had been suspended after shelling. A truce of sixty days is on the table.",
  ],
  [
    "Shelling breaks overnight truce",
    "The truce held for six hours. Artillery resumed after midnight, and negotiators warned that the ceasefire talks may collapse.",
  ],
  [
    "Markets calm as talks go on",
    "Shares rose slightly in Geneva and Zurich. Traders mentioned the ceasefire talks among other things, but most looked at interest rates.",
  ],
  [
    "Central bank raises interest rates",
    "The central bank raised its key interest rate by a quarter of a point. Inflation remains above target. Higher rates will slow lending.",
  ],
  [
    "Mortgage lenders follow the bank",
    "Lenders passed on the higher interest rate within hours. Home buyers face the dearest mortgages in a decade.",
  ],
  [
    "Inflation slows for third month",
    "Consumer prices rose less than expected. Economists said the central bank might pause its interest rate rises.",
  ],
  [
    "Bank holiday crowds fill the coast",
    "Beaches were full on the bank holiday. The interest in seaside towns grows at a rate nobody expected.",
  ],
  [
    "New vaccine cuts hospital admissions",
    "A vaccine against the respiratory virus cut hospital admissions by half among the elderly. Regulators approved the vaccine last spring.",
  ],
  [
    "Hospitals short of nurses",
    "Admissions rose while hospitals lost nurses. A vaccine campaign for staff was delayed.",
  ],
  [
    "Regulators approve malaria vaccine",
    "The malaria vaccine was approved for children. Trials across four countries showed strong protection.",
  ],
  [
    "Virus found in poultry farms",
    "Bird flu was found in three poultry farms. Farmers must keep poultry indoors. There is no vaccine for hens yet.",
  ],
  [
    "Offshore wind farm opens in the north",
    "The largest offshore wind farm opened. Its turbines supply power for a million homes. Wind power now leads the mix.",
  ],
  [
    "Farmers protest at wind turbines",
    "Farm owners protested that turbines spoil grazing land. A farm union spoke of strong wind from the capital.",
  ],
  [
    "Solar power overtakes coal",
    "Solar panels produced more power than coal for a month. Offshore projects and batteries are next.",
  ],
  [
    "Gas pipeline sabotage investigated",
    "Investigators suspect sabotage of the gas pipeline. Divers found traces of explosives on the seabed.",
  ],
  ["Gas prices fall in mild winter", "Storage is full and gas prices fell. A repaired pipeline brings more supply."],
  [
    "Cyber attack shuts port terminals",
    "A cyber attack shut container terminals at two ports. Hackers demanded a ransom. Cargo is delayed.",
  ],
  [
    "Hackers leak hospital records",
    "Hackers published hospital records after a ransom was refused. The cyber security agency is investigating.",
  ],
  [
    "Port strike enters second week",
    "Dock workers at the port continued their strike. Containers pile up and cargo is delayed.",
  ],
  [
    "Ransom payments banned by law",
    "A law bans ransom payments by public bodies after a wave of cyber attacks by hackers.",
  ],
  [
    "Glacier retreat speeds up",
    "The glacier lost thirty metres in a year. Scientists link the retreat to climate change and hot summers.",
  ],
  [
    "Climate change threatens vineyards",
    "Growers move vineyards uphill as climate change brings heat. Harvests come three weeks early.",
  ],
  [
    "Parliament debates climate law",
    "A change in the climate of parliament: parties agree to debate the emissions law by spring.",
  ],
  [
    "Emissions fall for first time",
    "Global emissions fell slightly. Cheap solar panels and slower growth explain the fall.",
  ],
  [
    "Election results contested in court",
    "The opposition contested election results in the constitutional court. Turnout was a record.",
  ],
  [
    "Record turnout in general election",
    "Voters waited for hours in the general election. Polls closed late and turnout broke records.",
  ],
  ["Court upholds tax on sugar", "The constitutional court upheld the sugar tax. Drink makers had contested it."],
  [
    "Rocket launch delayed by weather",
    "The rocket launch was delayed by high wind. The crew will try again on Friday.",
  ],
  [
    "Telescope finds water on distant planet",
    "Astronomers found water vapour on a distant planet with the space telescope. Life is not implied.",
  ],
  [
    "Space agency plans moon base",
    "The space agency plans a base at the moon's south pole, where water ice was found. A rocket launch is due in two years.",
  ],
];

/** Graded by hand: 3 is about it, 2 answers in part, 1 mentions it; numbers are places in the list above. */
const JUDGED: [q: string, grades: Record<number, number>][] = [
  ["ceasefire talks", { 0: 3, 1: 2, 2: 1 }],
  ["interest rates", { 3: 3, 4: 2, 5: 2, 2: 1, 6: 0 }],
  ["vaccine", { 7: 3, 9: 3, 8: 1, 10: 1 }],
  ["offshore wind | solar power", { 11: 3, 13: 3 }],
  ["gas pipeline", { 14: 3, 15: 2 }],
  ["hackers ransom", { 17: 2, 19: 2, 16: 2 }],
  ["port cargo", { 18: 3, 16: 2 }],
  ['"climate change"', { 21: 3, 20: 2 }],
  ["election turnout", { 25: 3, 24: 2 }],
  ["space | rocket | telescope", { 28: 3, 29: 3, 27: 3 }],
];

const gain = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
/** Normalised discounted cumulative gain over the first ten (Järvelin and Kekäläinen 2002, with exponential gain). */
function ndcg(found: readonly number[], grades: Record<number, number>): number {
  const best = Object.values(grades)
    .sort((a, b) => b - a)
    .slice(0, 10);
  return gain(found.slice(0, 10).map((place) => grades[place] ?? 0)) / gain(best);
}

afterAll(dropTestIndices);

it.each(engines)("%s puts first what people would", async (_name, open) => {
  const index = open();
  // Ages differ, in no order that would help.
  await index.put(
    ARTICLES.map(([title, text], place): SearchDocument =>
      article(place, { title, text, publishedAt: ago(((place * 7) % 30) * 24) }),
    ),
  );
  const reached: [string, number][] = [];
  for (const [q, grades] of JUDGED) {
    const { hits } = await index.search({ tree: parseQuery(q).tree!, limit: 10, now: NOW });
    reached.push([
      q,
      ndcg(
        hits.map(({ id }) => id),
        grades,
      ),
    ]);
  }
  const mean = reached.reduce((sum, [, value]) => sum + value, 0) / reached.length;
  if (process.env["SHOW_QUALITY"])
    process.stdout.write(`${_name} nDCG@10 ${mean.toFixed(4)} ${JSON.stringify(reached)}\n`);
  expect(mean).toBeGreaterThanOrEqual(0.9);
  expect(reached.filter(([, value]) => value < 0.6)).toEqual([]);
  await index.close();
});
