import { z } from "zod";
import { sha256 } from "../../../../core/ids.ts";
import { Email } from "../client.ts";

/** A mailed link is good once, for a quarter of an hour. */
export const LINK_MS = 15 * 60_000;
/** The link that hands an account over: it is good for longer, since nobody waits in front of a screen for it. */
export const WELCOME_MS = 7 * 86_400_000;

export const LinkKind = z.enum(["magic-link", "recovery", "confirm", "welcome"]);
export type LinkKind = z.output<typeof LinkKind>;

/** A request for a link, for the job that looks whether there is an account to send it to. */
export const LinkWish = z.object({
  kind: LinkKind,
  email: Email,
  userId: z.string().optional(),
  origin: z.string(),
  expiresAt: z.string(),
});
export type LinkWish = z.output<typeof LinkWish>;

/** Letters about a link and about what happened to an account. */
export interface Letter {
  subject: string;
  text: string;
}

export const Token = z
  .string()
  .regex(/^[\w-]{43}$/, "43 characters of base64url")
  .describe("The part of the link after the last `=`.");

/** What is stored of a token: 256 random bits need no slow hash. */
export const hashOfLink = (token: string): string => sha256(`link ${token}`);

/**
 * The token is in the URL's fragment, which reaches no server and no log; a mail scanner that opens the link does not
 * use it up.
 */
const address = (origin: string, kind: LinkKind, token: string): string => `${origin}/link#${kind}=${token}`;

const NOT_YOU = "If this was not you, you need not do anything: without this link nothing happens.";

const LETTERS: Record<LinkKind, { subject: string; lead: string }> = {
  "magic-link": { subject: "Your sign-in link", lead: "Open this link to sign in to Signalmesh:" },
  recovery: {
    subject: "Get back into your account",
    lead:
      "Open this link to register a new passkey for your Signalmesh account. It ends every session that is " +
      "open now:",
  },
  confirm: {
    subject: "Confirm your address",
    lead: "Open this link to confirm this address for your new Signalmesh account:",
  },
  welcome: {
    subject: "Your account at Signalmesh",
    lead: "An administrator made an account for you. Open this link to sign in:",
  },
};

export const linkLetter = (kind: LinkKind, origin: string, token: string): Letter => ({
  subject: LETTERS[kind].subject,
  text:
    `${LETTERS[kind].lead}\n\n  ` +
    `${address(origin, kind, token)}\n\n${kind === "welcome" ? `It works once, for seven days. Later ask for a sign-in link at ${origin}.` : "It works once, for 15 minutes."}\n\n${NOT_YOU}\n`,
});

/** For the owner of an address that somebody gave for a new account, though it already has one. */
export const alreadyLetter = (origin: string): Letter => ({
  subject: "You have an account already",
  text:
    "Somebody registered at Signalmesh with this address. It has an account already: sign in there, or ask " +
    `for a sign-in link at ${origin}.\n\nThe new registration stays without this address, and without ` +
    "rights.\n",
});

const HOW = {
  added: "A passkey was added to your Signalmesh account by somebody signed in to it.",
  recovered:
    "Your Signalmesh account was recovered by a link that was sent to this address: a new passkey was " +
    "registered, and every session that was open has ended.",
} as const;

/**
 * `others`: what else opens the account. Labels were chosen by whoever made them, so none may begin a line of its own.
 */
export const passkeyLetter = (
  how: keyof typeof HOW,
  name: string,
  at: string,
  others: readonly string[],
  origin: string,
): Letter => ({
  subject: how === "added" ? "A passkey was added to your account" : "Your account was recovered",
  text:
    `${HOW[how]}\n\n  Passkey: ${oneLine(name)}\n  Time: ${at}\n\n${stillThere(others, origin)}If this was ` +
    "not you, ask for account recovery now, and remove this passkey.\n",
});

const oneLine = (text: string): string => text.replace(/\p{C}+/gu, " ");

const stillThere = (others: readonly string[], origin: string): string =>
  others.length
    ? "These let into your account as " +
      `before:\n\n${others.map((one) => `  - ${oneLine(one)}\n`).join("")}\nEnd what you do not know: GET ` +
      `${origin}/api/auth/authenticators lists them all, DELETE there ends all but one passkey.\n\n`
    : "";
