import { readFileSync } from "node:fs";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { allServices } from "../../../services/index.ts";
import { operationsFor, operationsNear, operationsOrdered } from "../../../services/staff/operations/operations.ts";

/**
 * `node bench/judgement/howto/score.ts [plain|stranger|second]`: what newcomers ask or request, in their own words, and the
 * operations that a good answer names first, by people who knew the list of operations and no rule. `plain` is our own, in
 * a few words each. `SHOW=1` tells each miss; `second` is for figures alone.
 */
export interface Asked {
  question: string;
  /** As `METHOD /path`; none where nothing here does it. */
  operations: readonly string[];
}

export const questionsOf = (set: "plain" | "stranger" | "second"): Asked[] =>
  readFileSync(new URL(`${set}.tsv`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("question\t"))
    .map((line) => line.split("\t"))
    .map(([question, operations]) => ({
      question: question!,
      operations: operations === "none" ? [] : operations!.split(" | "),
    }));

/** What the assistant names where a problem set holds nothing that answers, and no model is there. */
async function named(question: string, services: readonly MeshService[]): Promise<string[]> {
  const found = (await operationsOrdered(question, services)) ?? (await operationsFor(question, services));
  const all = found.length ? found : await operationsNear(question, services);
  return all.map(({ method, path }) => `${method} ${path}`);
}

export interface Figures {
  /** Of those that an operation answers: a right one first, and among those named. */
  asked: number;
  first: number;
  among: number;
  /** Of those that none answers: nothing was named. */
  without: number;
  silent: number;
  misses: string[];
}

export async function figuresOf(set: "plain" | "stranger" | "second"): Promise<Figures> {
  const services = (await allServices()).map(({ service }) => service);
  const judged = await Promise.all(
    questionsOf(set).map(async (one) => ({ ...one, found: await named(one.question, services) })),
  );
  const some = judged.filter(({ operations }) => operations.length > 0);
  const none = judged.filter(({ operations }) => operations.length === 0);
  const isRight = ({ operations, found }: (typeof judged)[number], most: number): boolean =>
    operations.length ? found.slice(0, most).some((one) => operations.includes(one)) : found.length === 0;
  return {
    asked: some.length,
    first: some.filter((one) => isRight(one, 1)).length,
    among: some.filter((one) => isRight(one, 3)).length,
    without: none.length,
    silent: none.filter((one) => isRight(one, 3)).length,
    misses: judged
      .filter((one) => !isRight(one, 1))
      .map(
        ({ question, operations, found }) =>
          `${question}\n    ${operations.join(" | ") || "none"}\n <- ${found.join(" | ")}`,
      ),
  };
}

if (import.meta.main)
  for (const set of ["plain", "stranger", "second"] as const) {
    if (process.argv[2] && process.argv[2] !== set) continue;
    const { misses, ...figures } = await figuresOf(set);
    console.log(set, figures);
    if (process.env["SHOW"]) for (const miss of misses) console.log(miss);
  }
