import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { Cron } from "croner";
import { z } from "zod";
import { readAddress } from "../core/did/evm-addresses.ts";
import { Blocked, DomainPattern } from "../core/mail-address.ts";

const flag = z.enum(["on", "off"]);
const port = z.coerce.number().int().min(0).max(65_535);
const url = z.url();
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);
/** `name=url,name=url` */
const named = list.transform((items, ctx) => {
  const pairs = items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const);
  for (const [name, address] of pairs)
    if (!/^[\w-]+$/.test(name) || !URL.canParse(address))
      ctx.addIssue({ code: "custom", message: `"${name}=…" is not of the form name=url` });
  return Object.fromEntries(pairs) as Record<string, string>;
});
const secretHex = z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes)");
const formerSecret = z
  .string()
  .regex(/^!?[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes), `!` before them if it was stolen");

const fingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{16}|unknown)$/, "must be a fingerprint, as a start that is refused tells it");

export const AREAS = ["gateway", "news", "identity", "workspace", "knowledge", "staff", "picture", "platform"] as const;
export type Area = (typeof AREAS)[number];

/** Every setting there is: name, form, default, and one line of help (shown in docs/settings.md). */
export const SETTINGS = {
  HOST: z.string().default("127.0.0.1").describe("Address the gateway listens on."),
  PORT: port.default(3000).describe("Port of the gateway; 0 takes a free one."),
  DATA_DIR: z.string().min(1).default("./data").describe("Where the embedded stores live; `:memory:` keeps nothing."),
  SERVICES: list
    .pipe(z.array(z.enum(AREAS)))
    .optional()
    .describe("Areas this process runs, separated by commas; all when absent."),
  EXTRA_SERVICES: list
    .default([])
    .describe(
      "Files of further Moleculer services, as patterns separated by commas; they run where the platform area does. See docs/moleculer-db.md.",
    ),
  NODE_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes and underscores")
    .optional()
    .describe("Name of this node in the mesh; host name and process id when absent."),
  NAMESPACE: z
    .string()
    .regex(/^[\w-]{0,32}$/, "must be at most 32 letters, digits, dashes and underscores")
    .default("signalmesh")
    .describe("Meshes on one transporter are told apart by it."),
  TRANSPORTER: z
    .string()
    .regex(/^(rediss?|tcp):\/\//, "must begin with redis://, rediss:// or tcp://")
    .optional()
    .describe("`redis://…`: several processes form one mesh. Absent: one process."),
  MONGO_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, "must begin with mongodb:// or mongodb+srv://")
    .optional()
    .describe("Documents in MongoDB instead of the embedded store."),
  ELASTICSEARCH_URL: url.optional().describe("Search in Elasticsearch instead of the embedded index."),
  SECRET: secretHex
    .optional()
    .describe("Root of all derived keys; made and kept in DATA_DIR when absent. Required with MONGO_URL."),
  SECRET_PREVIOUS: list
    .pipe(z.array(formerSecret))
    .default([])
    .describe(
      "Root secrets before this one, separated by commas: what was sealed under them stays readable, what the platform signed stays verifiable. `!` before one that was stolen: it vouches for nothing.",
    ),
  SECRET_LOST: fingerprint
    .optional()
    .describe(
      "Fingerprint of a root secret that is lost for good, as the start that was refused tells it: the store goes on under the one of now, and what was sealed stays shut.",
    ),
  AUTH: flag.default("on").describe("`off` lets everybody in as system_admin; only on loopback."),
  ADMIN_EMAIL: z.email().optional().describe("Makes the first system_admin at the first start, with ADMIN_PASSWORD."),
  ADMIN_PASSWORD: z
    .string()
    .min(10)
    .max(200)
    .optional()
    .describe("See ADMIN_EMAIL. Without both, the first start prints a one-time set-up link."),
  PUBLIC_URL: url.optional().describe("Address users reach the gateway by, for links; http://HOST:PORT when absent."),
  ALLOWED_HOSTS: list
    .transform((names) => names.map((name) => name.toLowerCase()))
    .default([])
    .describe(
      "Further host names, separated by commas, by which agents reach `/mcp`, beside those of PUBLIC_URL and HOST; under another name it answers 403.",
    ),
  TRUSTED_PROXIES: list
    .pipe(
      z.array(
        z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be addresses or networks such as 10.0.0.0/8"),
      ),
    )
    .default([])
    .describe(
      "Proxies in front (addresses or networks, separated by commas) whose X-Forwarded-For tells the client's address.",
    ),
  MAX_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .default(10_000)
    .describe("Open connections; one more costs the one that was idle longest its place."),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(52_428_800)
    .describe("Bytes of a file that is uploaded; a larger one is refused with 413."),
  MAX_SET_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(Number.MAX_SAFE_INTEGER)
    .default(10_737_418_240)
    .describe("Bytes that the documents of one problem set may have together; more are refused with 409."),
  MAX_UNREAD_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .default(64 * 2 ** 20)
    .describe(
      "Bytes that may wait for clients to read them, all together; beyond it those are cut off that have taken nothing for longest.",
    ),
  MAX_UNREAD_BYTES_EACH: z.coerce
    .number()
    .int()
    .min(65_536)
    .default(4 * 2 ** 20)
    .describe("Bytes that may wait for one client of a socket; one that is further behind is cut off."),
  WRITE_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(3_600)
    .default(30)
    .describe("A client that takes nothing of what waits for it for so long is cut off."),
  RATE_LIMIT_TIER: z
    .enum(["default", "production", "development"])
    .default("default")
    .describe(
      "100 a minute for each API key; 60 for every person, whatever their credentials, and every address; none.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace"])
    .default("info")
    .describe("Least severity that is logged."),
  LOG_FORMAT: z.enum(["text", "json"]).default("text").describe("`json`: one object a line."),
  METRICS_PORT: port
    .optional()
    .describe(
      "Serves Prometheus metrics at `/metrics` on this port of HOST, apart from the API; absent: nothing is measured.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe("OpenTelemetry receiver (OTLP over HTTP, protobuf) that traces go to; absent: nothing is traced."),
  OTEL_SERVICE_NAME: z.string().min(1).default("signalmesh").describe("Name of the service in traces."),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe("Share of requests that are traced, 0 to 1."),
  OVERLOAD_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(
      "What could not begin within this time, by what waits before it, is refused with 503 and `Retry-After`; absent: a quarter of `REQUEST_TIMEOUT_MS`; 0 refuses nothing.",
    ),
  REQUEST_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe("Longest call of an action."),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      "How long a stopping gateway says that it is not ready, and still takes requests, before it takes no more: as long as a load balancer needs to see it.",
    ),
  BALANCING: z
    .enum(["round-robin", "latency", "cpu"])
    .default("round-robin")
    .describe(
      "How calls are spread over the nodes of an area: in turn, to the quickest to answer, or to the least busy.",
    ),
  INGEST_INTERVAL_MINUTES: z.coerce
    .number()
    .min(0.01)
    .max(10_080)
    .default(30)
    .describe("How often sources are polled."),
  INGEST_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16).describe("Feeds fetched at once."),
  ALLOW_PRIVATE_FEEDS: flag.default("off").describe("`on` lets feeds and webhooks lie on private addresses."),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe("Articles older than this are removed unless a briefing cites them; 0 keeps all."),
  NOTIFICATION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe("Notifications older than this are removed, read or not; 0 keeps all."),
  ACTIVITY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe("Activity of problem sets older than this is removed; 0 keeps all."),
  MESSAGE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe("Messages of the bus older than this are removed; 0 keeps all."),
  TELEMETRY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe("Readings of resources that were taken longer ago are removed, and refused where they come so late."),
  DELIVERY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe("Webhook deliveries that ended, dead letters among them, are removed when older than this; 0 keeps all."),
  BRIEFING_CRON: z.string().optional().describe("When briefings are made by themselves (cron, UTC): `0 6 * * *`."),
  BRIEFING_CHANNELS: list.default([]).describe("Channels that scheduled briefings go to."),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional()
    .describe("Mail server; without it mail goes to an outbox that the log shows."),
  MAIL_FROM: z.string().default("Signalmesh <signalmesh@localhost>").describe("Sender of mail."),
  BRIEFING_EMAIL_TO: list.default([]).describe("Receivers of the channel `email`."),
  SLACK_WEBHOOK_URL: url.optional().describe("Slack-compatible incoming webhook of the channel `slack`."),
  DELIVERY_WEBHOOKS: named
    .default({})
    .describe("Generic webhooks of the channels `webhook:<name>`, as `name=url,name=url`."),
  TELEGRAM_BOT_TOKEN: z.string().optional().describe("Bot of the channel `telegram`."),
  TELEGRAM_CHAT_ID: z.string().optional().describe("Chat of the channel `telegram`."),
  TELEGRAM_BASE_URL: url.default("https://api.telegram.org").describe("Where the bot API is."),
  WEBHOOK_URL: url.optional().describe("Receiver of the event briefing.generated."),
  WEBHOOK_SECRET: z.string().min(8).optional().describe("Secret that signs it."),
  WEBHOOK_SECRET_PREVIOUS: z
    .string()
    .min(8)
    .optional()
    .describe("Signs beside the new one while receivers change over."),
  SHIELDED_RPC_URL: url.optional().describe("Wallet node of the escrow."),
  SHIELDED_RPC_USER: z.string().optional().describe("Its user."),
  SHIELDED_RPC_PASS: z.string().optional().describe("Its password."),
  SHIELDED_T_ADDRESS: z.string().optional().describe("The escrow's transparent address."),
  SHIELDED_Z_ADDRESS: z.string().optional().describe("The escrow's shielded address."),
  CHAIN_RPC_URL: url.optional().describe("JSON-RPC address of an EVM chain; without it balances are not read."),
  CHAIN_ID: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 47)
    .default(1)
    .describe("The chain that accounts are of (CAIP-2 `eip155:<id>`); 1 is Ethereum."),
  LLM_BASE_URL: url.optional().describe("An OpenAI-compatible endpoint; without it heuristics do the work."),
  LLM_API_KEY: z.string().optional().describe("Its key."),
  LLM_MODEL: z.string().default("default").describe("Its model."),
  LLM_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(60_000)
    .describe("Longest wait for an answer of the model."),
  LLM_MAX_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Further attempts after a failure of the model that may pass."),
  LLM_PRICE_IN: z.coerce
    .number()
    .min(0)
    .optional()
    .describe("Price of 1,000,000 tokens of questions, in a currency of your own; answers then tell what they cost."),
  LLM_PRICE_OUT: z.coerce.number().min(0).optional().describe("Price of 1,000,000 tokens of answers."),
  LLM_DAILY_COST: z.coerce.number().min(0).optional().describe("Cost budget of a day, by those prices."),
  LLM_DAILY_TOKENS: z.coerce.number().int().min(0).optional().describe("Token budget of a day."),
  LLM_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(4)
    .describe("Questions to the model under way at once, of one process."),
  AGENT_RUNS: z.coerce.number().int().min(1).max(1_000).default(20).describe("Runs of agents at once, of one person."),
  AGENT_STEPS: z.coerce.number().int().min(1).max(50).default(50).describe("Steps of one run of an agent."),
  AGENT_CALLS: z.coerce.number().int().min(1).max(50).default(50).describe("Calls of tools in one run of an agent."),
  AGENT_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200_000)
    .default(200_000)
    .describe("Tokens of the model in one run of an agent."),
  AGENT_COST: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe("Cost of the model in one run of an agent, by its prices."),
  AGENT_APPROVAL_HOURS: z.coerce
    .number()
    .min(1)
    .max(720)
    .default(24)
    .describe("How long an act of an agent waits for the yes of a person."),
  AGENT_DELEGATION_DAYS: z.coerce
    .number()
    .min(1)
    .max(90)
    .default(90)
    .describe("Longest term of a delegation to an agent."),
  GATE_ENFORCEMENT: z
    .enum(["hard", "soft"])
    .default("hard")
    .describe("What a new gate does where it does not say: `hard` stops, `soft` warns."),
  GATE_ON_DEADLINE: z
    .enum(["expire", "escalate"])
    .default("expire")
    .describe("What becomes of a new gate at its deadline where it does not say."),
  GATE_DEADLINE_HOURS: z.coerce
    .number()
    .min(1)
    .max(8_760)
    .optional()
    .describe("By when a new gate must be decided where it does not say; absent: no deadline."),
  MISSION_INVITE_DAYS: z.coerce
    .number()
    .min(1)
    .max(365)
    .default(7)
    .describe("How long an invite to a mission holds where it does not say."),
  FUNDING_ACCOUNTS: list
    .pipe(
      z.array(
        z
          .string()
          .refine((text) => readAddress(text) !== null, "must be addresses: 0x and 40 hexadecimal digits, EIP-55")
          .overwrite((text) => readAddress(text) ?? text),
      ),
    )
    .default([])
    .describe("Addresses on the chain that agents are paid from, separated by commas: their balances are watched."),
  EMAIL_DOMAINS: list
    .pipe(z.array(DomainPattern))
    .default([])
    .describe("Domains whose addresses may have an account, `*.example.org` for all below; none means all."),
  BLOCKED_EMAILS: list.pipe(z.array(Blocked)).default([]).describe("Addresses and domains that may not."),
  PROFILE_REQUIRED: list.default(["displayName"]).describe("What a registration must tell of the person."),
  SESSION_IDLE_HOURS: z.coerce
    .number()
    .min(0.01)
    .max(720)
    .default(12)
    .describe("A session ends after so long without use."),
  REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(60)
    .describe(
      "Registrations that may be begun within an hour from one address (IPv6: a network of 64 bits), and four times as many from the network around it (IPv4: 24 bits, IPv6: 48). A company or school behind one address may need more for a day.",
    ),
  OIDC_ISSUER: url
    .optional()
    .describe("An OpenID Connect provider whose people may sign in; it sends them back to `/oidc` below PUBLIC_URL."),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("Our client id there."),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  PASSKEY_USER_VERIFICATION: z
    .enum(["required", "preferred"])
    .default("required")
    .describe(
      "`required`: passkeys ask for a fingerprint, face or PIN each time; `preferred` takes authenticators that cannot.",
    ),
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

const FORMATS: Readonly<Record<string, string>> = {
  url: "must be a URL, as https://example.org",
  email: "must be an email address, as admin@example.org",
};

/** A complaint in words for whoever set it; values of free texts, which may be secrets, are not repeated. */
function complaintOf(issue: z.core.$ZodIssue, given: string | undefined): string {
  const parts = given?.split(",").map((part) => part.trim()) ?? [];
  const [name, place] = issue.path;
  const value = typeof place === "number" ? parts[place] : given;
  const words = (): string => {
    switch (issue.code) {
      case "invalid_value":
        return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}, not "${value}"`;
      case "invalid_type":
        return `must be a ${issue.expected === "int" ? "whole " : ""}number, not "${value}"`;
      case "too_small":
      case "too_big": {
        const [least, bound] = issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
        return issue.origin === "string" ? `must have ${least} ${bound} characters` : `must be ${least} ${bound}`;
      }
      case "invalid_format":
        return FORMATS[issue.format] ?? issue.message;
      default:
        return issue.message;
    }
  };
  return `${String(name)}: ${words()}`;
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

/** The process's environment over `.env` in the working folder. The only reader of `process.env`. */
export function processEnv(): Env {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  return readEnv({ ...file, ...process.env });
}
