import type { Client } from "./client.ts";

/**
 * Two reports of one morning from the tour's valley: who has to do with whom, for the graph; and three things that
 * cannot be as both say.
 */
const REPORTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Report of the crisis staff, eight in the morning": [
    [
      "The dyke at Dolany still stands.",
      "120 people were brought out of Lhota during the night.",
      "The Lhota Bridge is closed to buses.",
    ],
    [
      "Colonel Marek Dvorak commands the 153rd Engineer Battalion.",
      "The 153rd Engineer Battalion works with the Red Cross in Sternberk.",
      "Mayor Hana Kralova of Dolany met Colonel Marek Dvorak in Hradek on Friday.",
    ],
    [
      "Jiri Novotny leads the Morava River Authority.",
      "The Morava River Authority accused Lipno Power of opening the Lipno Dam.",
      "Lipno Power denied it.",
      "Eva Simkova leads Lipno Power.",
      "Lipno Power owns the Lipno Dam.",
    ],
  ],
  "Report by radio from Dolany, nine in the morning": [
    [
      "The dyke at Dolany gave way behind the school.",
      "40 people were brought out of Lhota during the night.",
      "The Lhota Bridge is open to buses.",
    ],
    [
      "Mayor Hana Kralova asks the 153rd Engineer Battalion for two pumps.",
      "The Red Cross supports Mayor Hana Kralova in Dolany.",
    ],
  ],
};

/** Puts the reports into the workspace, one by each, and reads all of its documents into the graph. */
export async function report(commander: Client, deputy: Client, problemSetId: string): Promise<void> {
  for (const [n, [title, paragraphs]] of Object.entries(REPORTS).entries()) {
    const text = paragraphs.map((sentences) => sentences.join(" ")).join("\n\n");
    const form = new FormData();
    form.append("problemSetId", problemSetId);
    form.append("title", title);
    form.append("file", new File([text], `report-${n + 1}.txt`));
    const who = n === 0 ? commander : deputy;
    const { id } = await who.done("POST", "/api/documents/upload", form);
    await who.until(`/api/documents/${id}`, ({ data }) => data.status === "ready");
  }
  const documents: { id: string }[] = await commander.done("GET", `/api/documents?problemSetId=${problemSetId}`);
  for (const { id } of documents) {
    await commander.done("POST", `/api/graph/graph/build/${id}`, {});
    await commander.until(`/api/graph/graph/build/${id}`, ({ data }) => data?.status === "completed");
  }
}

/** What is to be reached in the valley, and what may go wrong with it: the deputy's, which the commander decides on. */
export async function plan(deputy: Client, problemSetId: string): Promise<void> {
  const objectives = "/api/strategic/objectives";
  const write = async (statement: string): Promise<string> =>
    (await deputy.done("POST", objectives, { problemSetId, statement })).id;
  await write("Keep the northern road open for ambulances until Friday.");
  const id = await write("Bring everybody out of zone A before the river reaches 6 metres at Dolany.");
  await deputy.done("POST", `${objectives}/${id}/risk`, {
    hazard: "Road 444 is cut before the last bus has left.",
    before: { probability: "likely", severity: "critical" },
    controls: [{ text: "Two boats wait at the school in Dolany.", owner: "153rd Engineer Battalion" }],
    after: { probability: "occasional", severity: "critical" },
  });
}
