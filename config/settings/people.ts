import { z } from "zod";
import { readAddress } from "../../core/did/evm-addresses.ts";
import { Blocked, DomainPattern } from "../../core/mail-address.ts";
import { url, list } from "./forms.ts";

/** Gates, missions, funding, accounts and how they sign in. */
export const peopleSettings = {
  GATE_ENFORCEMENT: z
    .enum(["hard", "soft"])
    .default("hard")
    .describe("Default enforcement of a new gate: `hard` blocks, `soft` warns."),
  GATE_ON_DEADLINE: z
    .enum(["expire", "escalate"])
    .default("expire")
    .describe("Default for what happens to a new gate at its deadline."),
  GATE_DEADLINE_HOURS: z.coerce
    .number()
    .min(1)
    .max(8_760)
    .optional()
    .describe("Default deadline of a new gate, in hours; absent: no deadline."),
  MISSION_INVITE_DAYS: z.coerce
    .number()
    .min(1)
    .max(365)
    .default(7)
    .describe("Default validity of an invite to a mission, in days."),
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
    .describe("Chain addresses that agents are paid from, separated by commas; their balances are monitored."),
  EMAIL_DOMAINS: list
    .pipe(z.array(DomainPattern))
    .default([])
    .describe("Mail domains that may have accounts, `*.example.org` for all subdomains; empty allows all."),
  BLOCKED_EMAILS: list
    .pipe(z.array(Blocked))
    .default([])
    .describe("Mail addresses and domains that may not have accounts."),
  PROFILE_REQUIRED: list.default(["displayName"]).describe("Profile fields that a registration must contain."),
  SESSION_IDLE_HOURS: z.coerce
    .number()
    .min(0.01)
    .max(720)
    .default(12)
    .describe("A session ends after this long without use."),
  REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(60)
    .describe(
      "Registrations that may be started per hour from one address (IPv6: a /64 network), and four " +
        "times as many from the network around it (IPv4: /24, IPv6: /48). A company or school behind one " +
        "address may need more for a day.",
    ),
  OIDC_ISSUER: url
    .optional()
    .describe("An OpenID Connect provider whose users may sign in; it redirects them to `/oidc` below PUBLIC_URL."),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("The platform's client id at this provider."),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("The platform's client secret at this provider."),
  PASSKEY_USER_VERIFICATION: z
    .enum(["required", "preferred"])
    .default("required")
    .describe(
      "`required`: passkeys ask for a fingerprint, face or PIN each time; `preferred` also accepts " +
        "authenticators that cannot.",
    ),
} as const;
