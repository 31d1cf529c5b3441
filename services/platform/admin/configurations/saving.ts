import { llm, LlmError, faultOf } from "../../../../adapters/llm/llm.ts";
import { demandOpen } from "../../../../adapters/outbound/outbound.ts";
import type { ActiveConfiguration } from "../../../../adapters/configurations.ts";
import type { ConfigurationName } from "../../../../config/configurations.ts";
import { actorOf, requestNameOf, type Caller, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { demandMatch, type Host } from "../../../../core/contract/endpoint.ts";
import { ConfigurationChanged } from "../../../../core/contract/node.ts";
import { newId } from "../../../../core/ids.ts";
import { isConflict, preconditionRequired, stale, unprocessable } from "../../../../core/problem.ts";
import {
  Configuration,
  ConfigurationStored,
  nextConfiguration,
  Version,
  versionId,
  type ConfigurationChange,
} from "./configurations.ts";
import { configurationView, type ConfigurationInput } from "./views.ts";

interface Warning {
  code: string;
  message: string;
}
export interface How {
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
  reason?: string | undefined;
  /** The version that is brought back. */
  restored?: number;
}

const PROBE_MS = 10_000;

const refusal = (code: string, path: string, message: string) =>
  unprocessable(code, `${path}: ${message}`, [{ path, message }]);

const isPriced = ({ priceIn, priceOut }: ActiveConfiguration<"llm">["value"]): boolean =>
  priceIn !== undefined || priceOut !== undefined;

/** Throws 422 where a limit in money would hold nothing, for want of prices. */
function refuseUnpriced(host: Host, name: ConfigurationName, next: ActiveConfiguration): void {
  const { configurations } = host.world;
  const model = name === "llm" ? (next as ActiveConfiguration<"llm">) : configurations.of("llm");
  if (isPriced(model.value)) return;
  const priceless = "a limit of cost needs prices of the model: priceIn, priceOut.";
  if (name === "llm" && model.value.dailyCost !== undefined) throw refusal("NO_PRICES", "value.dailyCost", priceless);
  const agents = name === "agents" ? (next as ActiveConfiguration<"agents">) : configurations.of("agents");
  if (agents.value.cost === undefined) return;
  if (name === "agents") throw refusal("NO_PRICES", "value.cost", priceless);
  if (name === "llm")
    throw refusal("NO_PRICES", "value.priceIn", "agents have a limit of cost, which these prices are the measure of.");
}

/** Throws 422 on an address that nothing may be sent to. */
function refuseAddress(host: Host, { stored }: ActiveConfiguration): void {
  const address = stored["baseUrl"];
  // As a client reads it, and sends it back whole.
  if (typeof address !== "string" || host.world.configurations.isEnvironments("llm", "baseUrl", address)) return;
  demandOpen(host.world.outbound, address, "value.baseUrl", "LLM_BASE_URL may name a server of your own.");
}

/** Asks the endpoint as it would be asked from then on. Throws 422 where it is away, or does not know the model. */
async function probe(host: Host, next: ActiveConfiguration<"llm">, isForced: boolean): Promise<Warning[]> {
  if (!next.value.baseUrl) return [];
  const asked = llm({
    ...host.world.modelUnder(next),
    maxRetries: 0,
    timeoutMs: Math.min(next.value.timeoutMs, PROBE_MS),
  });
  const unreachable = (path: string, message: string): Warning[] => {
    if (!isForced) throw refusal("UNREACHABLE", path, message);
    return [{ code: "UNREACHABLE", message: `${path}: ${message}` }];
  };
  try {
    const models = await asked.models();
    if (!models.length)
      return [{ code: "NO_MODELS", message: "The endpoint names no models: whether it has this one was not seen." }];
    if (models.includes(next.value.model)) return [];
    return unreachable("value.model", "the endpoint does not offer this model.");
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    // Many servers list no models: what they offer is then seen with the first question.
    if (error.kind === "rejected" && error.status === 404)
      return [{ code: "NO_MODELS", message: "The endpoint lists no models: whether it has this one was not seen." }];
    return unreachable(error.kind === "unauthorized" ? "value.apiKey" : "value.baseUrl", faultOf(error));
  }
}

const reaches = ({ value, secrets }: ActiveConfiguration<"llm">): string =>
  JSON.stringify([value.baseUrl, value.model, secrets["apiKey"]]);

/** What is wrong with it, or at least to be known of it. Throws 422. */
async function examined(
  host: Host,
  name: ConfigurationName,
  [now, next]: [ActiveConfiguration, ActiveConfiguration],
  changes: readonly ConfigurationChange[],
  { dryRun, force }: How,
): Promise<Warning[]> {
  // What another configuration says is asked of its record, not of what this node last saw.
  await host.world.configurations.look();
  refuseUnpriced(host, name, next);
  refuseAddress(host, next);
  const dropped = changes.filter(({ secret }) => secret === "dropped").map(({ path }) => path);
  const warnings = dropped.map((path) => ({
    code: "SECRET_DROPPED",
    message: `value.${path}: it was for another address, and is not sent to this one.`,
  }));
  if (name !== "llm") return warnings;
  const [before, after] = [now, next] as [ActiveConfiguration<"llm">, ActiveConfiguration<"llm">];
  if (!dryRun && reaches(before) === reaches(after)) return warnings;
  return [...warnings, ...(await probe(host, after, force === true))];
}

/** Makes the version that a record stands for; harmless when it is there. */
export async function noteVersion(host: Host, ctx: Caller, told: ConfigurationFact): Promise<void> {
  await host.store(Version).createOnce(ctx, { ...told, id: versionId(told.name, told.version) });
}
export type ConfigurationFact = Parameters<typeof ConfigurationStored.fact>[1];

/** Sets a configuration, whole; what another has set meanwhile is in the way (412). */
export async function save(
  host: Host,
  ctx: Ctx<unknown>,
  name: ConfigurationName,
  wanted: ConfigurationInput,
  how: How,
) {
  const { configurations, clock, env } = host.world;
  const store = host.store(Configuration);
  const record = await store.one(ctx, { _id: name });
  const { ifMatch } = ctx.locals;
  if (!ifMatch && !how.dryRun) throw preconditionRequired("configuration");
  demandMatch(ifMatch, "configuration", record ?? { id: name, rev: 0 });
  const at = iso(clock.now());
  const { value, secrets, changes } = nextConfiguration(configurations, name, record, wanted, at);
  const { reason, restored } = how;
  const version = (record?.rev ?? 0) + 1;
  ctx.locals.said = { config: name, changes, ...(reason !== undefined && { reason }) };
  if (!changes.length && !how.dryRun) return configurationView(configurations, env, name, record);
  const next = configurations.standing(name, { rev: version, value, secrets });
  const warnings = await examined(host, name, [configurations.standing(name, record), next], changes, how);
  const would = { rev: record?.rev ?? 0, value, secrets, updatedAt: record?.updatedAt, updatedBy: record?.updatedBy };
  if (how.dryRun) {
    ctx.locals.said = { ...ctx.locals.said, dryRun: true };
    return { ...configurationView(configurations, env, name, would as never), warnings, dryRun: true as const };
  }
  const by = actorOf(ctx);
  const change = newId();
  ctx.locals.said = { ...ctx.locals.said, version, change };
  const told = {
    ...{ name, version, value, changes, at, by, change, requestId: requestNameOf(ctx) },
    ...(reason !== undefined && { reason }),
    ...(restored !== undefined && { restored }),
  };
  const facts = [ConfigurationStored.fact(name, told)];
  const fields = { value, secrets, updatedBy: by };
  const stored = await (
    record ? store.revise(ctx, record, fields, { facts }) : store.create(ctx, { ...fields, id: name }, { facts })
  ).catch((error: unknown) => {
    throw isConflict(error) ? stale("configuration", name) : error;
  });
  await ConfigurationChanged.emit(ctx, { name });
  // It is stored: what cannot be done now is done by the fact, and by the next look.
  await Promise.allSettled([noteVersion(host, ctx, told), configurations.look()]);
  return { ...configurationView(configurations, env, name, stored), ...(warnings.length && { warnings }) };
}
