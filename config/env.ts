import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { Cron } from "croner";
import { z } from "zod";
import { meantBy, unknownName } from "../core/contract/input/complaints.ts";
import { nodeSettings } from "./settings/node.ts";
import { doorsSettings } from "./settings/doors.ts";
import { runningSettings } from "./settings/running.ts";
import { newsSettings } from "./settings/news.ts";
import { modelsSettings } from "./settings/models.ts";
import { peopleSettings } from "./settings/people.ts";

export { AREAS, type Area } from "./settings/node.ts";

/** Every setting there is: name, form, default, and one line of help (shown in docs/settings.md). */
export const SETTINGS = {
  ...nodeSettings,
  ...doorsSettings,
  ...runningSettings,
  ...newsSettings,
  ...modelsSettings,
  ...peopleSettings,
} as const;

const Shape = z.object(SETTINGS);
export type Env = z.output<typeof Shape>;

declare module "../core/world.ts" {
  interface World {
    env: Env;
  }
}

/** Rules over several settings: each a sentence when broken. */
function conflicts(env: Env): string[] {
  const loopback = ["127.0.0.1", "::1", "localhost"].includes(env.HOST);
  return [
    env.AUTH === "off" &&
      !loopback &&
      `AUTH=off is for local development: HOST must be a loopback address, not ${env.HOST}.`,
    env.METRICS_PORT === env.PORT && env.PORT !== 0 && "METRICS_PORT and PORT are two ports.",
    (env.ADMIN_EMAIL === undefined) !== (env.ADMIN_PASSWORD === undefined) &&
      "ADMIN_EMAIL and ADMIN_PASSWORD go together.",
    env.SECRET_PREVIOUS.length && !env.SECRET && "SECRET_PREVIOUS needs SECRET, the new one.",
    env.MONGO_URL && !env.SECRET && "SECRET is required with MONGO_URL: every node must derive the same keys.",
    env.TRANSPORTER &&
      !env.MONGO_URL &&
      env.SERVICES &&
      "TRANSPORTER with SERVICES needs MONGO_URL: an embedded store belongs to one process.",
    env.BRIEFING_CRON &&
      !isCron(env.BRIEFING_CRON) &&
      `BRIEFING_CRON: "${env.BRIEFING_CRON}" is not a cron expression.`,
    env.LLM_DAILY_COST !== undefined &&
      env.LLM_PRICE_IN === undefined &&
      env.LLM_PRICE_OUT === undefined &&
      "LLM_DAILY_COST needs LLM_PRICE_IN or LLM_PRICE_OUT.",
    env.AGENT_COST !== undefined &&
      env.LLM_PRICE_IN === undefined &&
      env.LLM_PRICE_OUT === undefined &&
      "AGENT_COST needs LLM_PRICE_IN or LLM_PRICE_OUT.",
    new Set([env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET].map((one) => one === undefined)).size > 1 &&
      "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together.",
    (env.TELEGRAM_BOT_TOKEN === undefined) !== (env.TELEGRAM_CHAT_ID === undefined) &&
      "TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID go together.",
    env.WEBHOOK_URL && !env.WEBHOOK_SECRET && "WEBHOOK_URL needs WEBHOOK_SECRET.",
  ].filter((line): line is string => typeof line === "string");
}

function isCron(text: string): boolean {
  try {
    new Cron(text, { paused: true }).stop();
    return true;
  } catch {
    return false;
  }
}

export class BadSettings extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(`These settings cannot be used:\n${lines.map((line) => `  - ${line}`).join("\n")}`);
    this.name = "BadSettings";
    this.lines = lines;
  }
}

/**
 * A complaint in the words of every other input. Values are told where there are few to choose from, and of numbers;
 * free texts may be secrets.
 */
function complaintOf({ code, path: [name, place], message }: z.core.$ZodIssue, given: string | undefined): string {
  const value = typeof place === "number" ? given?.split(",")[place]?.trim() : given;
  const isTold = (code === "invalid_value" || code === "invalid_type") && value !== undefined;
  const words = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
  return `${String(name)}: ${isTold ? `${words.split(", and is ")[0]}, not "${value}"` : words}`;
}

/** Validates an environment; empty values count as absent. Throws BadSettings with a line for each complaint. */
export function readEnv(source: Record<string, string | undefined>): Env {
  // Elsewhere empty is absent; here it is what is left of a file that was not there, and another secret would be made.
  if (source["SECRET"]?.trim() === "")
    throw new BadSettings(["SECRET: is set and empty; it must be 64 hexadecimal characters"]);
  const given = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, source[name] || undefined]));
  const result = Shape.safeParse(given);
  if (!result.success)
    throw new BadSettings(
      result.error.issues.map((issue) => complaintOf(issue, given[issue.path[0] as keyof typeof SETTINGS])),
    );
  const lines = conflicts(result.data);
  if (lines.length) throw new BadSettings(lines);
  return result.data;
}

/** Other programs have names of their own there: MONGO_PORT is no slip of MONGO_URL. */
const SLIPS = 2;

/** Names that are no setting's and look like one that is not set: a sentence for each, since they are ignored. */
export function misspelt(source: Record<string, string | undefined>): string[] {
  const unset = Object.keys(SETTINGS).filter((name) => source[name] === undefined);
  return Object.keys(source)
    .filter((name) => !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const meant = meantBy(name, unset, SLIPS);
      return meant === undefined ? [] : [`${name} is ignored. ${unknownName("setting", meant)}`];
    });
}

/** `.env` in the working folder, and over it the process's environment. The only reader of `process.env`. */
function sources(): Record<string, string | undefined> {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  return { ...file, ...process.env };
}

/** The settings of this process. Throws BadSettings. */
export const processEnv = (): Env => readEnv(sources());

/** What `misspelt` finds in the environment of this process. */
export const misspeltHere = (): string[] => misspelt(sources());
