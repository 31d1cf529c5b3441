import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bands, fingerprint, sameStory } from "../../../services/news/articles/dedup/fingerprint.ts";
import { acceptStance } from "../../../services/news/verification/model/acceptors.ts";
import { references, type Candidate } from "../../../services/news/verification/references/cross-reference.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";
import type { StanceKind } from "../../../services/news/verification/references/outcome/verdicts.ts";

const here = import.meta.dirname;
const rowsOf = (name: string): Record<string, string>[] => {
  const [head, ...rows] = readFileSync(join(here, name), "utf8").trim().split("\n");
  const fields = head!.split("\t");
  return rows.map((row) => Object.fromEntries(row.split("\t").map((value, at) => [fields[at]!, value])));
};

interface Report {
  set: string;
  half: string;
  title: string;
  text: string;
}
const reports = JSON.parse(readFileSync(join(here, "reports.json"), "utf8")) as Report[];

const paragraphs = (text: string) => text.split("\n\n");
const undated = (text: string) => text.replace(/^[A-Z][^.\n()]{0,60}\([^)]+\) - /, "");
const OWN = [
  "Our reporters in the region say that telephones work again in most places. Whoever has seen something, or has pictures, can write to the newsroom at any hour; names are not published without consent.",
  "It was not the first time this year that the subject made headlines. In spring a committee of the assembly had heard eleven experts and published a report of ninety pages, which nobody we asked had read.",
  "What has happened so far, what is known and what is not, we have put together for you on one page, which is brought up to date as the day goes on and as our colleagues learn more.",
];
/** What outlets do to the text of an agency, each in its own way. */
const EDITS: Record<string, (report: Report) => Pick<Report, "title" | "text">> = {
  "headline and dateline changed": ({ title, text }) => ({
    title: `Update: ${title.split(" ").toReversed().join(" ")}`,
    text: `KOLNA, Monday - ${undated(text)}`,
  }),
  "end cut": ({ title, text }) => ({ title, text: paragraphs(text).slice(0, 3).join("\n\n") }),
  "cut to the beginning": ({ title, text }) => ({ title, text: paragraphs(text).slice(0, 2).join("\n\n") }),
  "end replaced": ({ title, text }) => ({
    title,
    text: [...paragraphs(text).slice(0, 3), OWN[2], OWN[2]!.toUpperCase().split(" ").toReversed().join(" ")].join(
      "\n\n",
    ),
  }),
  "paragraph added": ({ title, text }) => ({ title, text: `${text}\n\n${OWN[0]}` }),
  "paragraph put before": ({ title, text }) => ({ title, text: `${OWN[1]}\n\n${undated(text)}` }),
  "all of it": ({ text }) => ({
    title: "What we know so far",
    text: [
      `ESK, Tuesday - ${undated(paragraphs(text)[0]!)}`,
      OWN[1]!.split(" ").toReversed().join(" "),
      ...paragraphs(text).slice(1, 3),
    ].join("\n\n"),
  }),
};

/** Copies not recognised, and reports of others that were joined. */
export function copies(half?: string) {
  const originals = reports.filter((report) => !half || report.half === half);
  const told = originals.flatMap((report, at) => [
    { of: at, edit: "", print: fingerprint(report) },
    ...Object.entries(EDITS).map(([edit, change]) => ({ of: at, edit, print: fingerprint(change(report)) })),
  ]);
  // A report in other words that quotes a whole paragraph of another one is no copy of it.
  const quoting = originals.flatMap((report, at) =>
    originals.slice(at + 1, at + 2).map((other) => ({
      at: [at, at + 1],
      print: fingerprint({
        title: report.title,
        text: [...paragraphs(report.text).slice(0, 4), paragraphs(other.text)[2]].join("\n\n"),
      }),
      other: fingerprint(other),
    })),
  );
  const missed = told.filter(
    ({ of, edit, print }) =>
      edit !== "" && !told.some((one) => one.of === of && one.edit === "" && recognised(one.print, print)),
  );
  const joined = told.flatMap((one, at) =>
    told
      .slice(at + 1)
      .filter((other) => other.of !== one.of && recognised(one.print, other.print, other.edit === one.edit)),
  );
  if (process.argv.includes("--joined"))
    for (const [at, one] of told.entries())
      for (const other of told.slice(at + 1))
        if (other.of !== one.of && recognised(one.print, other.print, other.edit === one.edit))
          console.log(one.of, one.edit, other.of, other.edit);
  const quoted = quoting.filter(({ print, other }) => recognised(print, other));
  const all = told.filter(({ edit }) => edit !== "").length;
  return {
    copies: all,
    missed: missed.map(({ of, edit }) => `${of}: ${edit}`),
    joined: joined.length,
    quoted: quoted.length,
  };
}
// Each edit is that of one outlet, which adds the same words to all that it takes over.
const recognised = (one: string, other: string, atHome = false) =>
  bands(one).some((key) => bands(other).includes(key)) && sameStory(one, other, atHome);

/** `kept`: another file, of which half are told of one event; `slots`, `single`: two more, all of whose pairs are. */
export function pairs(half?: "tune" | "held" | "kept" | "slots" | "single") {
  const rows =
    half === "kept" || half === "slots" || half === "single"
      ? rowsOf(`${half}.tsv`)
      : rowsOf("pairs.tsv").filter((_, at) => !half || (at % 2 === 0 ? "tune" : "held") === half);
  const judged = rows.map((row) => {
    const said = stance(row["claim"]!, row["sentence"]!, row["event"] ? { event: "same" } : {}).stance;
    return { ...row, said } as Record<string, string>;
  });
  const saying = (kind: string) => judged.filter(({ said }) => said === kind);
  const wanted = (kind: string) => judged.filter(({ relation }) => relation === kind);
  const right = (kind: string) => saying(kind).filter(({ relation }) => relation === kind).length;
  return {
    contradictions: {
      shown: saying("contradict").length,
      right: right("contradict"),
      there: wanted("contradict").length,
    },
    support: { shown: saying("support").length, right: right("support"), there: wanted("support").length },
    wrong: judged.filter(
      ({ said, relation }) =>
        said !== relation &&
        !(said === "unrelated" && relation === "neutral") &&
        !(said === "neutral" && relation === "unrelated"),
    ),
  };
}

/**
 * Labelled pairs of which a model says what the label says and cites the sentence, told of one event and of two: how
 * often something else is kept.
 */
export function overruled(): { asked: number; overruled: number } {
  const rows = [...rowsOf("pairs.tsv"), ...rowsOf("kept.tsv")];
  const kept = rows.flatMap(({ claim, sentence, relation }) =>
    ["same", "other"].map((storyId) => {
      const candidate = { ...CANDIDATE, storyId, text: sentence! };
      const [found] = references(claim!, ORIGIN, [candidate]);
      const label = relation as StanceKind;
      const said = label === "neutral" ? "unrelated" : label;
      const answer = acceptStance({ articleId: 2, stance: said, quote: sentence! }, claim!, candidate, found);
      const settled = answer && ["support", "contradict"].includes(answer.stance) ? answer.stance : "unrelated";
      // What heuristics say nothing of cannot be overruled by them.
      return found === undefined || settled === said;
    }),
  );
  return { asked: kept.length, overruled: kept.filter((right) => !right).length };
}
const ORIGIN = { articleId: 1, storyId: "same", reportId: "r1", sourceId: 1 };
const CANDIDATE: Omit<Candidate, "text"> = {
  articleId: 2,
  storyId: "same",
  reportId: "r2",
  sourceId: 2,
  sourceName: "Paper",
  publishedAt: "2026-01-01T00:00:00Z",
  reliability: "F",
};

if (import.meta.main) {
  console.log("model", JSON.stringify(overruled()));
  for (const half of ["tune", "held"] as const) {
    const { wrong, ...figures } = pairs(half);
    console.log(half, JSON.stringify(copies(half)));
    console.log(half, JSON.stringify(figures));
    if (process.argv.includes("--wrong") && half === "tune")
      for (const one of wrong)
        console.log(`  ${one["relation"]} but ${one["said"]} [${one["trap"]}] ${one["claim"]} | ${one["sentence"]}`);
  }
  for (const set of ["kept", "slots", "single"] as const) {
    const { wrong: _, ...figures } = pairs(set);
    console.log(set, JSON.stringify(figures));
  }
}
