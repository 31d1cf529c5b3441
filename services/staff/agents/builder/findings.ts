import { complaintsAbout } from "../../../../core/contract/input/complaints.ts";
import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isPriced } from "../../model-questions.ts";
import type { Definition } from "../gate/definitions.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { Agent, classOf, agentScope } from "../registry/agents.ts";
import { modelOf, pricesOf, type ModelConfig } from "../registry/effective.ts";
import { startingFrom, toolComplaints } from "../registry/enrolling.ts";
import { isNeverAllowed } from "../tools/tools.ts";
import { previewOf } from "./preview.ts";

export const BuilderFinding = z
  .object({ path: z.string(), level: z.enum(["error", "warning"]), message: z.string() })
  .meta({ id: "AgentFinding" });
export type BuilderFinding = z.output<typeof BuilderFinding>;

/** An agent that is not enrolled yet. */
export const AgentDraft = z.strictObject(Agent.create);
export type AgentDraft = z.output<typeof AgentDraft>;

const MODELS_MS = 5_000;
/** Assumed for a model that does not publish its size: the smallest of today's models. */
const CONTEXT_TOKENS = 8_192;
const FIRST_ANSWER = 1_024;
const error = (path: string, message: string): BuilderFinding => ({ path, level: "error", message });
const warning = (path: string, message: string): BuilderFinding => ({ path, level: "warning", message });

const HOSTILE = /^[$_]|^constructor$/;
/** Whether no key in a value is a store operator or a prototype's name. */
export const isHarmless = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  Object.entries(value).every(([name, inner]) => !HOSTILE.test(name) && isHarmless(inner));

/** What does not match the schema of an agent. */
function formFindings(given: unknown): { draft: AgentDraft } | { findings: BuilderFinding[] } {
  const parsed = AgentDraft.safeParse(given);
  if (parsed.success) return { draft: parsed.data };
  return {
    findings: complaintsAbout(parsed.error.issues, AgentDraft).map(({ path, message }) => error(path, message)),
  };
}

/** Tools that its autonomy forbids to everybody, and tools that are switched off; `given` is the draft as sent. */
function toolFindings(draft: AgentDraft, tools: ReadonlyMap<string, Definition>, given: unknown): BuilderFinding[] {
  const named = namesIn(given);
  // One that a capability brings has no place in the request.
  const pathOf = (name: string): string => (named.includes(name) ? `tools.${named.indexOf(name)}` : `tools.${name}`);
  const forbidden = [...tools.values()].flatMap((tool) => {
    const safety = classOf(tool, draft);
    return isNeverAllowed(safety, draft.autonomy)
      ? [error(pathOf(tool.name), `${safety} is never done at autonomy ${draft.autonomy}, whoever asks.`)]
      : [];
  });
  const off = [...tools.values()].flatMap(({ name, disabled }) =>
    disabled === undefined ? [] : [warning(pathOf(name), `It is switched off: ${disabled}`)],
  );
  const idle = Object.keys(draft.raised ?? {}).filter((name) => !draft.tools.includes(name));
  return [
    ...forbidden,
    ...off,
    ...idle.map((name) => warning(`raised.${name}`, "This tool is none of the agent's.")),
    ...(tools.size ? [] : [warning("tools", "Without a tool it can do nothing.")]),
  ];
}

/** Limits that contradict each other, and cost limits where costs are unknown. */
function limitFindings({ budget, maxTokens }: ModelConfig, prompt: number, hasPrices: boolean): BuilderFinding[] {
  const answer = maxTokens ?? FIRST_ANSWER;
  const found: BuilderFinding[] = [];
  if (budget?.cost !== undefined && !hasPrices)
    found.push(error("budget.cost", "This installation has no prices of the model."));
  if (budget?.tokens !== undefined && maxTokens !== undefined && maxTokens > budget.tokens)
    found.push(error("maxTokens", `One answer may be longer than the ${budget.tokens} tokens of a whole run.`));
  else if (budget?.tokens !== undefined && prompt + answer > budget.tokens)
    found.push(error("budget.tokens", `Its first question alone takes about ${prompt + answer} tokens.`));
  if (prompt + answer > CONTEXT_TOKENS)
    found.push(
      warning(
        "character",
        `Prompt and answer take about ${prompt + answer} tokens; many models hold ${CONTEXT_TOKENS}.`,
      ),
    );
  return found;
}

/** Whether the provider has the model; a provider that does not answer is no fault of the draft. */
async function modelFindings({ llm }: Host["world"], { model }: ModelConfig): Promise<BuilderFinding[]> {
  if (model === undefined) return [];
  if (!llm.configured) return [warning("model", "No model is configured here: heuristics do the work.")];
  const offered = await llm.models(AbortSignal.timeout(MODELS_MS)).catch(() => null);
  if (!offered) return [warning("model", "The provider does not answer: nobody knows whether it has this model.")];
  return offered.includes(model) ? [] : [error("model", `The provider has no model ${model}.`)];
}

/** Another agent of the same name in the same place. */
async function nameFindings(
  host: Host,
  ctx: Ctx<unknown>,
  { name, problemSetId }: AgentDraft,
): Promise<BuilderFinding[]> {
  const place = problemSetId === undefined ? agentScope(undefined) : { problemSetId };
  const same = await host.store(Agent).find(ctx, { ...place, name }, { limit: 1 });
  return same.length ? [warning("name", "There is an agent of this name already.")] : [];
}

/** Names given twice, which forms drop silently. */
function repeated(given: unknown): BuilderFinding[] {
  const lists = ["tools", "capabilities", "phases"] as const;
  return lists.flatMap((field) => {
    const names = (given as Record<string, unknown>)[field];
    if (!Array.isArray(names)) return [];
    return names.flatMap((name, at) =>
      names.indexOf(name) < at ? [warning(`${field}.${at}`, `${String(name).slice(0, 60)} is named twice.`)] : [],
    );
  });
}

/** The tools as given, each with its position. */
const namesIn = (given: unknown): string[] => ((given as { tools?: string[] }).tools ?? []).map(String);

/** All errors of a draft, and all warnings. */
export async function findingsOf(host: Host, ctx: Ctx<unknown>, given: unknown): Promise<BuilderFinding[]> {
  const form = formFindings(given);
  if ("findings" in form) return form.findings;
  const draft = startingFrom(form.draft as Partial<Agent> & AgentDraft) as AgentDraft;
  const config = modelOf(draft as Agent).value;
  const tools = await toolsNamed(host, draft.tools);
  const { tokens } = previewOf(draft as Agent, [...tools.values()], {}, "structured");
  const found = await Promise.all([
    toolComplaints(host, { tools: namesIn(given), raised: draft.raised }),
    nameFindings(host, ctx, draft),
    modelFindings(host.world, config),
  ]);
  const [complaints, ...others] = found;
  return [
    ...complaints.map(({ path, message }) => error(path, message)),
    ...toolFindings(draft, tools, given),
    ...limitFindings(config, tokens, isPriced(host) || pricesOf(draft as Agent, host.world.llm.prices) !== undefined),
    ...others.flat(),
    ...repeated(given),
  ];
}
