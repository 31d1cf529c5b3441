import { z } from "zod";
import { flag, url, list, namedUrls } from "./forms.ts";

/** Feeds, retention, briefings, the escrow and its chain. */
export const newsSettings = {
  INGEST_INTERVAL_MINUTES: z.coerce
    .number()
    .min(0.01)
    .max(10_080)
    .default(30)
    .describe("How often sources are polled."),
  COMPARE_INTERVAL_MINUTES: z.coerce
    .number()
    .min(0)
    .max(10_080)
    .default(5)
    .describe(
      "How often the claims of new articles are compared with what other outlets report of the same event, by rules " +
        "and without a model; 0: only when asked for.",
    ),
  INGEST_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16).describe("Feeds fetched at once."),
  ALLOW_PRIVATE_FEEDS: flag.default("off").describe("`on` allows feeds and webhooks on private addresses."),
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
  COP_GONE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(300)
    .describe("Seconds after which a stale feature disappears from the common picture."),
  TELEMETRY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe("Readings of resources older than this are removed, or refused if they arrive that late."),
  DELIVERY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(90)
    .describe("Finished webhook deliveries older than this, including dead letters, are removed; 0 keeps all."),
  BRIEFING_CRON: z.string().optional().describe("Schedule of automatic briefings (cron, UTC), such as `0 6 * * *`."),
  BRIEFING_CHANNELS: list.default([]).describe("Channels that scheduled briefings are sent to."),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional()
    .describe(
      "Mail server; without one no mail is sent, and a node on loopback writes mails that contain a " +
        "link to its log.",
    ),
  MAIL_FROM: z.string().default("Signalmesh <signalmesh@localhost>").describe("Sender of mail."),
  BRIEFING_EMAIL_TO: list.default([]).describe("Recipients of the channel `email`."),
  SLACK_WEBHOOK_URL: url.optional().describe("Slack-compatible incoming webhook of the channel `slack`."),
  DELIVERY_WEBHOOKS: namedUrls
    .default({})
    .describe("Generic webhooks of the channels `webhook:<name>`, as `name=url,name=url`."),
  TELEGRAM_BOT_TOKEN: z.string().optional().describe("Bot of the channel `telegram`."),
  TELEGRAM_CHAT_ID: z.string().optional().describe("Chat of the channel `telegram`."),
  TELEGRAM_BASE_URL: url.default("https://api.telegram.org").describe("Address of the bot API."),
  WEBHOOK_URL: url.optional().describe("Receiver of the event briefing.generated."),
  WEBHOOK_SECRET: z.string().min(8).optional().describe("Secret that signs this event."),
  WEBHOOK_SECRET_PREVIOUS: z
    .string()
    .min(8)
    .optional()
    .describe("Former secret, which also signs while receivers switch to the new one."),
  SHIELDED_RPC_URL: url.optional().describe("RPC address of the escrow's wallet node."),
  SHIELDED_RPC_USER: z.string().optional().describe("User name at the wallet node."),
  SHIELDED_RPC_PASS: z.string().optional().describe("Password at the wallet node."),
  SHIELDED_T_ADDRESS: z.string().optional().describe("The escrow's transparent address."),
  SHIELDED_Z_ADDRESS: z.string().optional().describe("The escrow's shielded address."),
  CHAIN_RPC_URL: url.optional().describe("JSON-RPC address of an EVM chain; without it balances are not read."),
  CHAIN_ID: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 47)
    .default(1)
    .describe("Id of the chain of the accounts (CAIP-2 `eip155:<id>`); 1 is Ethereum."),
} as const;
