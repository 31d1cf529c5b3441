import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { locate } from "../../../../core/text/locate.ts";
import { askModel } from "../../model-questions.ts";
import { strangeLanguage } from "../../languages.ts";
import { checkDate, checkMeasure, checkOwner, type Check, type Verification } from "./checks.ts";
import { citationStanding } from "./citing.ts";
import { contradiction, takeApart } from "./contradictions.ts";
import { Objective } from "./objectives.ts";

/** How many of the newest objectives are compared with one, and how many of these the model sees. */
const MOST_COMPARED = 500;
const MOST_SHOWN = 40;
/** How many are compared in one turn of the event loop. */
const A_TURN = 10;

type Opposed = NonNullable<Check["objectives"]>[number];

/** The model names objectives by their number in the list, and quotes the contradicting words. */
const Answer = z.strictObject({
  contradictions: z
    .array(
      z.strictObject({
        objective: z.int().min(1),
        itsWords: z.string().min(1).max(2_000),
        ourWords: z.string().min(1).max(2_000),
      }),
    )
    .max(20),
});
export type VerifierAnswer = z.output<typeof Answer>;

/** The parts of a model's answer that the texts confirm: an objective that it was shown, and words of both. */
export function acceptContradictions(
  { contradictions }: VerifierAnswer,
  ours: string,
  shown: readonly Pick<Objective, "id" | "statement">[],
): Opposed[] {
  const accepted = new Map<string, Opposed>();
  for (const { objective, itsWords, ourWords } of contradictions) {
    const other = shown[objective - 1];
    const [theirs, mine] = [other && locate(other.statement, itsWords), locate(ours, ourWords)];
    if (!other || !theirs || !mine) continue;
    const why = `"${ours.slice(mine.start, mine.end)}" stands against "${other.statement.slice(theirs.start, theirs.end)}".`;
    accepted.set(other.id, { objectiveId: other.id, statement: other.statement, why, method: "llm" });
  }
  return [...accepted.values()];
}

async function checkCitations(ctx: Ctx<unknown>, { citations }: Objective): Promise<Omit<Check, "method">> {
  if (!citations.length)
    return { check: "citation", verdict: "missing", why: "It names no words of a document that it comes from." };
  for (const citation of citations) {
    const { holds, why } = await citationStanding(ctx, citation);
    if (!holds) return { check: "citation", verdict: "doubtful", why };
  }
  const [first] = citations;
  const why = `All ${citations.length} citations hold; the first stands on page ${first!.page}.`;
  return { check: "citation", verdict: "ok", why };
}

/** Compares an objective with the others of its set that the caller sees; also answers which model took part. */
async function checkOthers(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
): Promise<{ line: Check; model: string | undefined }> {
  const { id, problemSetId, statement, supersedes } = objective;
  const found = await host
    .store(Objective)
    .find(
      ctx,
      { problemSetId, status: { $in: ["draft", "submitted", "in_review", "approved"] } },
      { sort: ["-createdAt"], limit: MOST_COMPARED + 1 },
    );
  // Its predecessor, and its escalated copy, are no contradictions.
  const others = found.filter((other) => other.id !== id && other.id !== supersedes).slice(0, MOST_COMPARED);
  const ours = takeApart(objective);
  const opposed: Opposed[] = [];
  for (const [at, other] of others.entries()) {
    if (at % A_TURN === 0) await nextTurn();
    const why = contradiction(ours, takeApart(other));
    if (why) opposed.push({ objectiveId: other.id, statement: other.statement, why, method: "heuristic" });
  }
  const shown = others.slice(0, MOST_SHOWN);
  const { value, model } = shown.length ? await askModel(host, question(statement, shown)) : {};
  const known = new Set(opposed.map(({ objectiveId }) => objectiveId));
  if (value)
    opposed.push(...acceptContradictions(value, statement, shown).filter(({ objectiveId }) => !known.has(objectiveId)));
  const strange = value ? undefined : strangeLanguage(statement);
  const unreadOthers = value || strange ? 0 : others.filter((other) => strangeLanguage(other.statement)).length;
  const why = opposed.length
    ? `It cannot be reached together with ${opposed.length} other${opposed.length > 1 ? "s" : ""}.`
    : strange
      ? `It is in ${strange}, and the rules hold only English against English: whether anything stands ` +
        "against it is not known."
      : `Nothing stands against it in the ${others.length - unreadOthers} other objectives that you ` +
        `see${unreadOthers ? `; ${unreadOthers} more are in languages that the rules do not read` : ""}.`;
  const method = value ? "llm" : "heuristic";
  const verdict = opposed.length || strange ? "doubtful" : "ok";
  return { line: { check: "contradictions", verdict, why, method, objectives: opposed }, model };
}

const question = (statement: string, shown: readonly Objective[]) => ({
  name: "contradictions",
  schema: Answer,
  task:
    "You are given one objective of a staff and a numbered list of others. Name those of the list that cannot " +
    "be reached together with it, with the words of each that stand against one another, copied exactly. Name " +
    "none that merely differ.",
  material: ({ quote }: { quote(text: string, label: string): string }) => [
    quote(statement, "objective"),
    ...shown.map((other, at) => quote(other.statement, `number ${at + 1}`)),
  ],
});

/** Checks an objective point by point, as the caller sees its set and documents. It changes nothing. */
export async function verify(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
): Promise<z.input<typeof Verification>> {
  const cited = await checkCitations(ctx, objective);
  const { line, model } = await checkOthers(host, ctx, objective);
  const own = [cited, checkMeasure(objective), checkDate(objective, host.world.clock.now()), checkOwner(objective)].map(
    (one): Check => ({ ...one, method: "heuristic" }),
  );
  const checks = [...own, line];
  return {
    objectiveId: objective.id,
    rev: objective.rev,
    method: model ? "llm" : "heuristic",
    ...(model && { model }),
    checks,
    passed: checks.every(({ verdict }) => verdict === "ok"),
  };
}
