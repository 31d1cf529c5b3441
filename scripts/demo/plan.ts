import PDFDocument from "pdfkit";

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The plan of an operation as its staff would print it: two pages, with the slips that a first draft has. */
export function planOf(now: number): readonly (readonly string[])[] {
  const at = (days: number): Date => new Date(now + days * DAY_MS);
  const day = (days: number): string =>
    at(days).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const wrongWeekday = (days: number): string => WEEKDAYS[(at(days).getUTCDay() + 3) % 7]!;
  return [
    [
      "# Operation Open Road",
      "## 1. Situation",
      "The Morava has cut the northern road at Lhota. Three villages are without drinking water.",
      `According to the river authority the water will fall by ${day(6)}.`,
      "## 2. Objectives",
      `- Open the northern road to trucks of 20 tonnes by ${day(14)}.`,
      `- Raise the share of households with drinking water from 40 to 95 percent by ${day(20)}.`,
      "- Bring 1,200 people out of zone A within 48 hours.",
      "- Keep the hospital at Hradek supplied.",
    ],
    [
      "## 3. Tasks",
      `1. The 153rd engineer battalion will repair the bridge at Lhota by ${wrongWeekday(12)}, ${day(12)}.`,
      `2. The Red Cross will try to open 2 shelters in Hradek by ${day(2)}.`,
      "## 4. Supply",
      "Pumps, generators and diesel come by the the southern depot. Tank trucks arrive TBD.",
      "The dike is watched between 40 and 20 km upstream of Hradek.",
    ],
  ];
}

/** Such pages as a PDF; `#` and `##` begin a heading. */
export async function printed(pages: readonly (readonly string[])[]): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const lines of pages) {
    document.addPage();
    for (const line of lines) {
      const marks = /^#*/.exec(line)![0].length;
      document.fontSize([11, 22, 16][marks]!).text(line.slice(marks).trim()).moveDown();
    }
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** What its staff designs, by section; how it is assessed comes last. */
export const DESIGN = {
  environment: {
    currentState: "The northern road is cut at Lhota.",
    desiredEndState: "The villages in the north are supplied by road.",
  },
  problem: {
    problemStatement: "The villages cannot be supplied while the road is cut.",
    tensions: [{ statement: "Farmers want the road raised; the river authority wants it lowered." }],
    causes: [{ statement: "The bridge at Lhota stands too low." }],
  },
  approach: {
    conditions: [{ id: "road-open", statement: "The northern road carries supplies to the villages." }],
    linesOfEffort: [{ statement: "Repair the bridge on the northern road.", conditions: ["road-open"] }],
  },
  intent: {
    purpose: "Supply the villages in the north.",
    keyTasks: [{ statement: "Open the northern road." }],
    endState: "The villages are supplied by road.",
  },
  assumptions: {
    assumptions: [
      { statement: "The bridge at Lhota can be repaired.", confirmBy: "The engineers' survey", blocking: true },
      { statement: "The rain stops within two days." },
    ],
  },
  risks: { risks: [{ statement: "The bridge does not carry the trucks.", mitigation: "Pontoons stand by." }] },
  guidance: {
    planningGuidance: "Plan for ten days without help from outside.",
    constraints: [{ statement: "Keep one lane open for ambulances.", kind: "must" }],
  },
};
