import { isMailAddress, mailer, type Mailer } from "../mail.ts";
import { email } from "./email.ts";
import { persist, realPersistence, type Persistence } from "./persistence.ts";
import type { Channels, ChannelSettings, ChannelStatus, ChannelDelivery, HttpPost, Send } from "./port.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

export type {
  Channels,
  ChannelSettings,
  ChannelStatus,
  DeliverableBriefing,
  ChannelDelivery,
  HttpAnswer,
  HttpPost,
} from "./port.ts";

const DEFAULT_SENDER = "Signalmesh <signalmesh@localhost>";

export interface ChannelParts extends Partial<Persistence> {
  /** The process's mailer, if it has one already, so that there is a single outbox. */
  mailer?: Mailer;
}

/** A channel by its name: ready, or without its settings. */
interface Resolved {
  send?: Send;
  needs: string;
}

const NEEDS = {
  email: "BRIEFING_EMAIL_TO; SMTP_URL, without which mail is sent to nobody",
  address: "SMTP_URL, without which mail is sent to nobody",
  slack: "SLACK_WEBHOOK_URL",
  telegram: "TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID",
  webhook: "DELIVERY_WEBHOOKS",
} as const;

/**
 * The delivery channels by the names users give them: `email` (the recipients of the settings),
 * `email:someone@example.org`, `slack`, `telegram`, `webhook:<name>`, and `webhook` where there is just one. HTTP goes
 * through the guarded client alone.
 */
export function channelsOf(settings: ChannelSettings, http: HttpPost, parts: ChannelParts = {}): Channels {
  const { emailTo = [], slackWebhookUrl, telegram: bot } = settings;
  const post = parts.mailer ?? mailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom ?? DEFAULT_SENDER });
  const persistence: Persistence = {
    sleep: parts.sleep ?? realPersistence.sleep,
    random: parts.random ?? realPersistence.random,
  };
  const webhooks = new Map(Object.entries(settings.webhookUrls ?? {}));

  /** The channel of a name; null where there is none. */
  function resolve(name: string): Resolved | null {
    const [kind, ...rest] = name.split(":");
    const of = rest.join(":");
    if (kind === "email" && rest.length > 0)
      return isMailAddress(of) ? { send: email(post, [of]), needs: NEEDS.address } : null;
    if (kind === "webhook") {
      const url = rest.length > 0 ? webhooks.get(of) : webhooks.size === 1 ? [...webhooks.values()][0] : undefined;
      return url === undefined ? null : { send: webhook(http, url), needs: NEEDS.webhook };
    }
    if (rest.length > 0) return null;
    if (kind === "email") return { send: emailTo.length > 0 ? email(post, emailTo) : undefined, needs: NEEDS.email };
    if (kind === "slack")
      return { send: slackWebhookUrl === undefined ? undefined : slack(http, slackWebhookUrl), needs: NEEDS.slack };
    if (kind === "telegram")
      return { send: bot === undefined ? undefined : telegram(http, bot), needs: NEEDS.telegram };
    return null;
  }

  function known(): ChannelStatus[] {
    const named =
      webhooks.size > 0
        ? [...webhooks.keys()].map((name) => ({ name: `webhook:${name}`, configured: true, needs: NEEDS.webhook }))
        : [{ name: "webhook:<name>", configured: false, needs: NEEDS.webhook }];
    return [
      { name: "email", configured: post.configured && emailTo.length > 0, needs: NEEDS.email },
      { name: "email:<address>", configured: post.configured, needs: NEEDS.address },
      { name: "slack", configured: slackWebhookUrl !== undefined, needs: NEEDS.slack },
      { name: "telegram", configured: bot !== undefined, needs: NEEDS.telegram },
      ...named,
    ];
  }

  return {
    known,
    knows: (name) => resolve(name) !== null,
    async deliver(name, briefing, { signal } = {}): Promise<ChannelDelivery> {
      const channel = resolve(name);
      const untried = { channel: name, success: false, attempts: 0 };
      if (!channel) return { ...untried, kind: "unknown", error: "There is no such channel." };
      if (!channel.send)
        return {
          ...untried,
          kind: "not-configured",
          error: `The channel is not configured; it needs ${channel.needs}.`,
        };
      const { ok, attempts, reason, note } = await channel
        .send(briefing, (attempt) => persist(attempt, persistence, signal))
        .catch(() => ({ ok: false, attempts: 0, reason: "The message could not be made.", note: undefined }));
      if (!ok) return { channel: name, success: false, kind: "failed", attempts, error: reason };
      return { channel: name, success: true, kind: "delivered", attempts, ...(note === undefined ? {} : { note }) };
    },
  };
}
