/**
 * Delivery of briefings to people and programs: what a caller sees, and what the channels need of the outside world.
 */

declare module "../../core/world.ts" {
  interface World {
    channels: Channels;
  }
}

/** A completed briefing. No other fields of the record are sent anywhere. */
export interface DeliverableBriefing {
  id: number;
  title: string;
  /** Markdown. */
  content: string;
  /** ISO 8601. */
  generatedAt: string;
  period?: { from: string; to: string };
  stats?: { sources: number; articles: number; verified: number };
  /** Ids of the articles cited. */
  articles?: readonly number[];
  method?: string;
}

export interface ChannelDelivery {
  /** The name as the caller gave it. */
  channel: string;
  success: boolean;
  /** `unknown`: there is no such channel, the caller's mistake; `not-configured`: its settings are missing. */
  kind: "delivered" | "unknown" | "not-configured" | "failed";
  /** How often it was tried: 0 where it could not be tried. */
  attempts: number;
  /** Why it failed, in words without addresses of receivers and without secrets. */
  error?: string;
  /** What else the caller should know of a success. */
  note?: string;
}

export interface ChannelStatus {
  name: string;
  configured: boolean;
  /** The settings it needs, in words. */
  needs: string;
}

export interface Channels {
  /** All possible channels, configured or not. */
  known(): ChannelStatus[];
  /** Whether the name is that of a channel: known and well formed, but perhaps not configured. */
  knows(name: string): boolean;
  /** Tries up to three times; never throws. */
  deliver(name: string, briefing: DeliverableBriefing, options?: { signal?: AbortSignal }): Promise<ChannelDelivery>;
}

export interface ChannelSettings {
  smtpUrl?: string;
  /** Default: `Signalmesh <signalmesh@localhost>`. */
  mailFrom?: string;
  /** Receivers of the channel `email`. */
  emailTo?: readonly string[];
  slackWebhookUrl?: string;
  /** Name → URL: the channels `webhook:<name>`. */
  webhookUrls?: Readonly<Record<string, string>>;
  telegram?: { botToken: string; chatId: string; /** Default: https://api.telegram.org */ baseUrl?: string };
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/**
 * The guarded HTTP client (`adapters/outbound`): an HTTP error status is an answer; no answer is an error with a
 * `kind`.
 */
export interface HttpPost {
  post(
    url: string,
    options: {
      headers: Record<string, string>;
      body: string;
      timeoutMs: number;
      maxBytes: number;
      signal?: AbortSignal;
    },
  ): Promise<HttpAnswer>;
}

/** The outcome of one attempt. */
export type DeliveryOutcome =
  | { ok: true; note?: string }
  | {
      ok: false;
      reason: string;
      /** Whether another attempt may help. */ retry: boolean;
      /** The receiver's own wish when. */ afterMs?: number;
    };

/** A channel that is ready: sends the briefing in its own form, and passes every single message to `persist`. */
export type Send = (briefing: DeliverableBriefing, persist: Persist) => Promise<Persisted>;
export type Persist = (attempt: (signal: AbortSignal | undefined) => Promise<DeliveryOutcome>) => Promise<Persisted>;
export interface Persisted {
  ok: boolean;
  attempts: number;
  reason?: string;
  note?: string;
}
