import { z } from "zod";
import { flag, url, list } from "./forms.ts";

/** Who comes in, and how much of it at once. */
export const doorsSettings = {
  AUTH: flag.default("on").describe("`off` lets everybody in as system_admin; only on loopback."),
  ADMIN_EMAIL: z
    .email()
    .optional()
    .describe("Together with ADMIN_PASSWORD, creates the first system_admin at the first start."),
  ADMIN_PASSWORD: z
    .string()
    .min(10)
    .max(200)
    .optional()
    .describe("See ADMIN_EMAIL. Without both, the first start prints a one-time set-up link."),
  PUBLIC_URL: url
    .optional()
    .describe(
      "Address by which users reach the gateway, used in links; when absent http://HOST:PORT, with `localhost` for a HOST on " +
        "loopback.",
    ),
  ALLOWED_HOSTS: list
    .transform((names) => names.map((name) => name.toLowerCase()))
    .default([])
    .describe(
      "Host names, separated by commas, under which `/mcp` and `/a2a` answer besides those of " +
        "PUBLIC_URL and HOST; any other name gets 403.",
    ),
  TRUSTED_PROXIES: list
    .pipe(
      z.array(
        z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be addresses or networks such as 10.0.0.0/8"),
      ),
    )
    .default([])
    .describe(
      "Trusted reverse proxies (addresses or networks, separated by commas), whose X-Forwarded-For " +
        "gives the client's address.",
    ),
  MAX_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .default(10_000)
    .describe("Most open connections; one more closes the connection that has been idle longest."),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(52_428_800)
    .describe("Largest upload in bytes; a larger file is refused with 413."),
  MAX_SET_BYTES: z.coerce
    .number()
    .int()
    .min(1_024)
    .max(Number.MAX_SAFE_INTEGER)
    .default(10_737_418_240)
    .describe("Total bytes of the documents of one problem set; more are refused with 409."),
  MAX_UNREAD_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .default(64 * 2 ** 20)
    .describe(
      "Unread bytes buffered for all clients together; beyond this, the clients that have read nothing " +
        "for longest are disconnected.",
    ),
  MAX_UNREAD_BYTES_EACH: z.coerce
    .number()
    .int()
    .min(65_536)
    .default(4 * 2 ** 20)
    .describe("Unread bytes buffered for one socket client; a client that falls further behind is disconnected."),
  WRITE_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(3_600)
    .default(30)
    .describe("A client that reads none of its pending data for this long is disconnected."),
  RATE_LIMIT_TIER: z
    .enum(["default", "production", "development"])
    .default("default")
    .describe(
      "Requests per minute: `default` allows 100 for each API key, `production` 60 for each person " +
        "(whatever their credentials) and each address, `development` has no limit.",
    ),
  RATE_LIMIT_BROWSER: z.coerce
    .number()
    .int()
    .min(60)
    .max(100_000)
    .optional()
    .describe(
      "Requests per minute of a person who is signed in in a browser, where the tier is `production`: counted apart " +
        "from those of their tokens and keys. Absent: they share the 60.",
    ),
} as const;
