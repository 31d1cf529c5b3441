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

/** A rule over settings, of which those that cannot be read by themselves are left out. */
interface Rule {
  of: readonly (keyof Env)[];
  /** The sentence that is said where it is broken. */
  broken(env: Env): string | false | undefined;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

const goTogether = (of: readonly (keyof Env)[]): Rule => ({
  of,
  broken: (env) =>
    new Set(of.map((name) => env[name] === undefined)).size > 1 &&
    `${of.slice(0, -1).join(", ")} and ${of.at(-1)} go together.`,
});

const needsPrice = (name: "LLM_DAILY_COST" | "AGENT_COST"): Rule => ({
  of: [name, "LLM_PRICE_IN", "LLM_PRICE_OUT"],
  broken: (env) =>
    env[name] !== undefined &&
    env.LLM_PRICE_IN === undefined &&
    env.LLM_PRICE_OUT === undefined &&
    `${name} needs LLM_PRICE_IN or LLM_PRICE_OUT.`,
});

const conflicts: readonly Rule[] = [
  {
    of: ["AUTH", "HOST"],
    broken: ({ AUTH, HOST }) =>
      AUTH === "off" &&
      !LOOPBACK.includes(HOST) &&
      `AUTH=off is for local development: HOST must be a loopback address, not ${HOST}.`,
  },
  {
    of: ["METRICS_PORT", "PORT"],
    broken: ({ METRICS_PORT, PORT }) => METRICS_PORT === PORT && PORT !== 0 && "METRICS_PORT and PORT are two ports.",
  },
  goTogether(["ADMIN_EMAIL", "ADMIN_PASSWORD"]),
  {
    of: ["SECRET_PREVIOUS", "SECRET"],
    broken: ({ SECRET_PREVIOUS, SECRET }) =>
      SECRET_PREVIOUS.length > 0 && !SECRET && "SECRET_PREVIOUS needs SECRET, the new one.",
  },
  {
    of: ["MONGO_URL", "SECRET"],
    broken: ({ MONGO_URL, SECRET }) =>
      MONGO_URL && !SECRET && "SECRET is required with MONGO_URL: every node must derive the same keys.",
  },
  {
    of: ["TRANSPORTER", "MONGO_URL", "SERVICES"],
    broken: ({ TRANSPORTER, MONGO_URL, SERVICES }) =>
      TRANSPORTER &&
      !MONGO_URL &&
      SERVICES &&
      "TRANSPORTER with SERVICES needs MONGO_URL: an embedded store belongs to one process.",
  },
  { of: ["BRIEFING_CRON"], broken: ({ BRIEFING_CRON }) => BRIEFING_CRON && wrongSchedule(BRIEFING_CRON) },
  needsPrice("LLM_DAILY_COST"),
  needsPrice("AGENT_COST"),
  goTogether(["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]),
  goTogether(["TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID"]),
  {
    of: ["WEBHOOK_URL", "WEBHOOK_SECRET"],
    broken: ({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL && !WEBHOOK_SECRET && "WEBHOOK_URL needs WEBHOOK_SECRET.",
  },
];

/** What is wrong with the schedule of briefings, which is looked at by minutes; undefined where nothing is. */
function wrongSchedule(text: string): string | undefined {
  try {
    const next = new Cron(text, { paused: true, timezone: "UTC", mode: "5-part" }).nextRun();
    return next ? undefined : `BRIEFING_CRON: "${text}" never comes.`;
  } catch {
    return `BRIEFING_CRON: "${text}" is not a cron expression of five fields, such as \`0 6 * * *\`.`;
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
  const issues = result.error?.issues ?? [];
  const unread = new Set(issues.map(({ path: [name] }) => name));
  const read = result.data ?? readable(given, unread);
  const lines = [
    ...issues.map((issue) => complaintOf(issue, given[issue.path[0] as keyof typeof SETTINGS])),
    ...conflicts.filter(({ of }) => !of.some((name) => unread.has(name))).map(({ broken }) => broken(read)),
  ].filter((line): line is string => typeof line === "string");
  if (!result.success || lines.length) throw new BadSettings(lines);
  return result.data;
}

/** What those settings come to that can be read, so that an operator hears of all that is wrong at once. */
const readable = (given: Record<string, string | undefined>, unread: ReadonlySet<unknown>): Env =>
  Shape.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !unread.has(name))));

/** Other programs have names of their own there: MONGO_PORT is no slip of MONGO_URL. */
const SLIPS = 2;
/** The Node that runs npm, set for whatever npm starts. */
const SET_BY_NPM = "NODE";

/** Names that are no setting's and look like one that is not set: a sentence for each, since they are ignored. */
export function misspelt(source: Record<string, string | undefined>): string[] {
  const unset = Object.keys(SETTINGS).filter((name) => source[name] === undefined);
  return Object.keys(source)
    .filter((name) => !Object.hasOwn(SETTINGS, name) && name !== SET_BY_NPM)
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

/** The settings of this process; `otherwise` says what holds where they leave something open. Throws BadSettings. */
export function processEnv(
  otherwise: (given: Record<string, string | undefined>) => Partial<Record<keyof Env, string>> = () => ({}),
): Env {
  const given = sources();
  try {
    return readEnv({ ...otherwise(given), ...given });
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    // What is lacking may be there under a name with a slip.
    throw new BadSettings([...error.lines, ...misspelt(given)]);
  }
}

/** What `misspelt` finds in the environment of this process. */
export const misspeltHere = (): string[] => misspelt(sources());
