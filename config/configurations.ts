import { z } from "zod";
import type { Env } from "./env.ts";

/** A field of a configuration: the setting that is its default, and what an administrator may put in its place. */
interface Field<K extends keyof Env = keyof Env> {
  setting: K;
  schema: z.ZodType<NonNullable<Env[K]>>;
}
const field = <K extends keyof Env>(setting: K, schema: z.ZodType<NonNullable<Env[K]>>): Field<K> => ({
  setting,
  schema,
});
const whole = (least: number, most: number) => z.int().min(least).max(most);
const price = z.number().min(0).max(1_000_000);

/** What administrators set while the mesh runs; a field that nobody set is what the environment says. */
export const CONFIGURATIONS = {
  llm: {
    baseUrl: field("LLM_BASE_URL", z.url({ protocol: /^https?$/ }).max(500)),
    model: field("LLM_MODEL", z.string().trim().min(1).max(200)),
    timeoutMs: field("LLM_TIMEOUT_MS", whole(100, 600_000)),
    maxRetries: field("LLM_MAX_RETRIES", whole(0, 10)),
    concurrency: field("LLM_CONCURRENCY", whole(1, 256)),
    priceIn: field("LLM_PRICE_IN", price),
    priceOut: field("LLM_PRICE_OUT", price),
    dailyTokens: field("LLM_DAILY_TOKENS", whole(0, Number.MAX_SAFE_INTEGER)),
    dailyCost: field("LLM_DAILY_COST", z.number().min(0).max(1_000_000_000)),
  },
  agents: {
    runs: field("AGENT_RUNS", whole(1, 1_000)),
    steps: field("AGENT_STEPS", whole(1, 50)),
    calls: field("AGENT_CALLS", whole(1, 50)),
    tokens: field("AGENT_TOKENS", whole(1, 200_000)),
    cost: field("AGENT_COST", z.number().positive().max(1_000_000)),
    approvalHours: field("AGENT_APPROVAL_HOURS", z.number().min(1).max(720)),
    delegationDays: field("AGENT_DELEGATION_DAYS", z.number().min(1).max(90)),
  },
  workflow: {
    gateEnforcement: field("GATE_ENFORCEMENT", z.enum(["hard", "soft"])),
    gateOnDeadline: field("GATE_ON_DEADLINE", z.enum(["expire", "escalate"])),
    gateDeadlineHours: field("GATE_DEADLINE_HOURS", z.number().min(1).max(8_760)),
    missionInviteDays: field("MISSION_INVITE_DAYS", z.number().min(1).max(365)),
  },
} as const satisfies Record<string, Record<string, Field>>;

export type ConfigurationName = keyof typeof CONFIGURATIONS;
export const CONFIGURATION_NAMES = Object.keys(CONFIGURATIONS) as [ConfigurationName, ...ConfigurationName[]];

type SettingOf<F> = F extends Field<infer K> ? K : never;
/** What holds: each field as stored, or else as its setting is. */
export type Configured<N extends ConfigurationName = ConfigurationName> = {
  [K in keyof (typeof CONFIGURATIONS)[N]]: Env[SettingOf<(typeof CONFIGURATIONS)[N][K]>];
};

/**
 * Secrets of a configuration: the setting that is their default, and the field that says where they are sent. A secret
 * is for one such place, and goes nowhere else.
 */
export const SECRETS: Readonly<
  Record<ConfigurationName, Readonly<Record<string, { setting: keyof Env; sentTo: string }>>>
> = {
  llm: { apiKey: { setting: "LLM_API_KEY", sentTo: "baseUrl" } },
  agents: {},
  workflow: {},
};

export const fieldsOf = (name: ConfigurationName): [field: string, Field][] => Object.entries(CONFIGURATIONS[name]);

/** Which of the stored values hold: those that there still are, and that fit what they are now. */
export function holding(name: ConfigurationName, stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(name).flatMap(([key, { schema }]) => {
      const parsed = stored[key] === undefined ? undefined : schema.safeParse(stored[key]);
      return parsed?.success ? [[key, parsed.data as unknown]] : [];
    }),
  );
}

/** What the environment says, of fields that it says anything of. */
export const defaultsOf = (name: ConfigurationName, env: Env): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(name).flatMap(([key, { setting }]) =>
      env[setting] === undefined ? [] : [[key, env[setting] as unknown]],
    ),
  );
