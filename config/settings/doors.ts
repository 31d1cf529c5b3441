import { z } from "zod";
import { flag, url, list } from "./forms.ts";

/** Who comes in, and how much of it at once. */
export const doorsSettings = {
  AUTH: flag.default("on").describe("`off` lets everybody in as system_admin; only on loopback."),
  ADMIN_EMAIL: z.email().optional().describe("Makes the first system_admin at the first start, with ADMIN_PASSWORD."),
  ADMIN_PASSWORD: z
    .string()
    .min(10)
    .max(200)
    .optional()
    .describe("See ADMIN_EMAIL. Without both, the first start prints a one-time set-up link."),
  PUBLIC_URL: url
    .optional()
    .describe(
      "Address users reach the gateway by, for links; when absent http://HOST:PORT, with `localhost` for a HOST on " +
        "loopback.",
    ),
  ALLOWED_HOSTS: list
    .transform((names) => names.map((name) => name.toLowerCase()))
    .default([])
    .describe(
      "Further host names, separated by commas, by which agents reach `/mcp` and `/a2a`, beside those of PUBLIC_URL " +
        "and HOST; under another name it answers 403.",
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
      "Bytes that may wait for clients to read them, all together; beyond it those are cut off that have " +
        "taken nothing for longest.",
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
} as const;
