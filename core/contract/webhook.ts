import type { z } from "zod";

/** What is sent to receivers of others, as the OpenAPI document tells them. */
export interface WebhookType {
  name: string;
  summary: string;
  /** Where it goes, how a receiver proves it, and what its answers lead to, in Markdown. */
  description: string;
  body: z.ZodType;
  /** The headers that come with each, and what they hold. */
  headers: Readonly<Record<string, string>>;
}

/** The headers of a delivery that is signed as https://www.standardwebhooks.com has it. */
export const STANDARD_HEADERS = {
  "webhook-id": "The same at each attempt and at a replay: what came already can be told by it.",
  "webhook-timestamp": "When this attempt was made, in seconds since 1970: refuse one that is minutes old.",
  "webhook-signature":
    "`v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body as it came>`; several behind " +
    "one another, with a space between, while secrets change: one that fits is enough.",
} as const;
