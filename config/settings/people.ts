import { z } from "zod";
import { readAddress } from "../../core/did/evm-addresses.ts";
import { Blocked, DomainPattern } from "../../core/mail-address.ts";
import { url, list } from "./forms.ts";

/** Gates, missions, funding, accounts and how they sign in. */
export const peopleSettings = {
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
      "Registrations that may be begun within an hour from one address (IPv6: a network of 64 bits), and " +
        "four times as many from the network around it (IPv4: 24 bits, IPv6: 48). A company or school behind " +
        "one address may need more for a day.",
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
      "`required`: passkeys ask for a fingerprint, face or PIN each time; `preferred` takes authenticators " +
        "that cannot.",
    ),
} as const;
