import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { clientNetwork } from "../../../../core/access/client-network.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { conflict, forbidden, Problem, tooMany } from "../../../../core/problem.ts";
import { demandAdmission } from "../users/admission.ts";
import { hashOfLink, LINK_MS, Token, type LinkKind } from "./links.ts";
import { creationOptions } from "../passkeys/options.ts";
import { authOf, noteAccount, personOf, signingIn } from "../parts.ts";
import { CreationOptions } from "../passkeys/passkeys.ts";
import { AccessChanged } from "../events.ts";
import { startSession } from "../sessions/sessions.actions.ts";
import { SignedIn } from "../sessions/sessions.ts";
import { findable, Self, User } from "../users/users.ts";
import { Email } from "../client.ts";
import { queue, type Wish } from "./wishes.ts";

export const MESH = asSystem("auth");
/** In a quarter of an hour: wishes for one address, and from one. */
const MOST_TO = 5,
  MOST_FROM = 30;

const Asked = data(
  z
    .object({
      sent: z.literal(true).describe("Whether there is an account is not revealed: check the mailbox."),
      expiresInSeconds: z.int(),
    })
    .meta({ id: "MailedLink" }),
);
const ASKED = { sent: true as const, expiresInSeconds: LINK_MS / 1000 };
const EQUALLY =
  "The answer and its timing are the same whether or not that address has an account. At most 5 " +
  "links per address and 30 from one network location in 15 minutes.";
const NOT_VALID = { 403: "The link is wrong, was used, or is older than 15 minutes (`INVALID_LINK`)." };
const TOO_MANY = { 429: "Too many links were asked for." };

/** An endpoint that has a link sent; its answer does not tell whether the address has an account. */
const sendingLink = (kind: "magic-link" | "recovery", rest: `POST /${string}`, summary: string) =>
  endpoint({
    rest,
    summary,
    permit: "public",
    audit: false,
    body: { email: Email },
    returns: Asked,
    status: 202,
    example: { email: "analyst@example.org" },
    description: EQUALLY,
    errors: TOO_MANY,
    handler(ctx) {
      return signingIn(() => wish(this, ctx, { kind, email: ctx.params.email }));
    },
  });

export const links = {
  "magicLinks.send": sendingLink("magic-link", "POST /magic-link", "Send a sign-in link"),

  "magicLinks.verify": endpoint({
    rest: "POST /magic-link/verify",
    summary: "Sign in with a link",
    permit: "public",
    body: { token: Token },
    returns: data(SignedIn),
    errors: NOT_VALID,
    description:
      "Accepts a requested link, or the one sent with a new account. Starts a cookie session. A link " +
      "proves access to a mailbox, not identity: acts that require a fresh proof ask for a passkey.",
    example: { token: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw" },
    handler(ctx) {
      return signingIn(async () => {
        const user = await followed(this, ["magic-link", "welcome"], ctx.params.token);
        return { user, session: { ...(await startSession(this, ctx, user, "magic-link")), current: true } };
      });
    },
  }),

  "recoveries.begin": sendingLink("recovery", "POST /recovery", "Send an account recovery link"),

  "recoveries.verify": endpoint({
    rest: "POST /recovery/verify",
    summary: "Start registering a new passkey from a recovery link",
    permit: "public",
    beyond: true,
    returns: data(CreationOptions),
    errors: NOT_VALID,
    description:
      "Returns the options for `navigator.credentials.create()`; `POST /api/auth/register/verify` " +
      "finishes. Finishing ends every session and token of the account, signs in, and sends its owner a " +
      "mail that lists the other means of sign-in; `GET /api/auth/authenticators` lists them, `DELETE` " +
      "removes one.",
    body: {
      token: Token,
      forgetOthers: z
        .boolean()
        .default(false)
        .describe(
          "Also remove every other means of sign-in: earlier passkeys, the password, the identity provider " +
            "sign-in, API keys. Use it if they are lost or stolen.",
        ),
      passkeyName: z.string().trim().min(1).max(120).optional(),
    },
    example: { token: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw", forgetOthers: true, passkeyName: "New phone" },
    async handler(ctx) {
      const { token, forgetOthers, passkeyName } = ctx.params;
      const user = await followed(this, ["recovery"], token);
      noteAccount(ctx, user.id);
      return creationOptions(this, ctx, {
        purpose: "register",
        how: "recovered",
        userId: user.id,
        forgetOthers,
        ...(passkeyName && { passkeyName }),
      });
    },
  }),

  "emails.requestConfirmation": endpoint({
    rest: "POST /email",
    summary: "Send or resend the link that confirms your mail address",
    permit: "self",
    beyond: true,
    returns: Asked,
    status: 202,
    description:
      "An account created without an address, for example by an identity provider that gave none, sends " +
      "one as `email`; other accounts do not.",
    body: { email: Email.optional() },
    errors: {
      ...TOO_MANY,
      403: "The address is not admitted here (`EMAIL_NOT_ALLOWED`).",
      409: "There is no address to confirm, or another one.",
    },
    async handler(ctx) {
      const user = await this.store(User).get(MESH, personOf(ctx).userId);
      const wanted = { kind: "confirm", email: addressOf(user, ctx.params.email), userId: user.id } as const;
      await countWish(this, ctx, wanted);
      if (!user.claimedEmail) {
        await demandAdmission(this, wanted.email);
        await this.store(User).revise(ctx, user, {
          claimedEmail: wanted.email,
          words: findable({ ...user, claimedEmail: wanted.email }).words,
        });
      }
      await queue(this, ctx, wanted);
      return ASKED;
    },
  }),

  "emails.confirm": endpoint({
    rest: "POST /email/confirm",
    summary: "Confirm your mail address with a link",
    permit: "self",
    beyond: true,
    body: { token: Token },
    returns: data(Self),
    errors: { ...NOT_VALID, 409: "The address belongs to another account." },
    description:
      "The account now gets its platform role; before, it can only confirm its address, see itself and " +
      "be closed. Requires a session of the account itself, so that a mailbox owner who follows a link " +
      "caused by a stranger's registration gives that stranger nothing.",
    example: { token: "pIJ3Kc4l0dXIUZW0hJk3pHMfYIEP7cBsJmVJ6mbqkXw" },
    async handler(ctx) {
      const { userId } = personOf(ctx);
      const link = await take(this, ["confirm"], ctx.params.token);
      if (link.userId !== userId) throw notValid();
      await demandAdmission(this, link.email);
      const user = await this.store(User).get(MESH, userId);
      const confirmed = await this.store(User).revise(ctx, user, {
        email: link.email,
        claimedEmail: null,
        words: findable({ ...user, email: link.email }).words,
      });
      await AccessChanged.emit(ctx, { userId });
      return confirmed;
    },
  }),
};

/** After a registration: the owner of the address confirms it, or hears that it has an account. */
export async function askToConfirm(host: Host, ctx: Ctx<unknown>, user: User): Promise<void> {
  const wanted = { kind: "confirm", email: user.claimedEmail!, userId: user.id } as const;
  // Many accounts may claim one address: its owner gets no more mail for that, and the answer does not tell.
  if (!(await overLimit(host, toAddress(wanted)))) await queue(host, ctx, wanted);
}

/** Notes a request for a link. No account is looked up here, so known and unknown addresses take the same time. */
async function wish(host: Host, ctx: Ctx<unknown>, wanted: Wish): Promise<typeof ASKED> {
  await countWish(host, ctx, wanted);
  await queue(host, ctx, wanted);
  return ASKED;
}

/** The sender's address is counted first: one who asked too often does not use up anybody's links. Throws 429. */
async function countWish(host: Host, ctx: Ctx<unknown>, wanted: Wish): Promise<void> {
  const wait = await overLimit(host, [`from:${clientNetwork(ctx.meta.address)}`, MOST_FROM], toAddress(wanted));
  if (wait) throw tooMany("Too many links were asked for; look into the mailbox, or wait.", wait);
}

/**
 * The address that an account may confirm: the one it claims, or where it has none at all the one that is given. Throws
 * 409.
 */
function addressOf({ email, claimedEmail }: User, given: string | undefined): string {
  if (claimedEmail) {
    if (given !== undefined && given !== claimedEmail)
      throw conflict("Your account claims another address; leave `email` out.");
    return claimedEmail;
  }
  if (email) throw conflict("Your account has no address that waits to be confirmed.");
  if (given === undefined) throw conflict("Your account has no address: name one as `email`.");
  return given;
}

type Count = readonly [whose: string, most: number];
const toAddress = ({ kind, email }: Wish): Count => [`to:${kind}:${sha256(email)}`, MOST_TO];

/** Counts a request for a link; returns the seconds to wait where there were too many, else 0. */
async function overLimit({ world: { limiter, env, clock } }: Host, ...counted: readonly Count[]): Promise<number> {
  for (const [whose, most] of counted) {
    const { allowed, resetAt } = await limiter.take(`${env.NAMESPACE}:link:${whose}`, most, LINK_MS);
    if (!allowed) return Math.max(1, (resetAt - clock.now()) / 1000);
  }
  return 0;
}

const notValid = (): Problem =>
  new Problem(403, "INVALID_LINK", "This link is not valid, was used, or is too old. Ask for another one.");

interface Kept {
  kind: LinkKind;
  userId: string;
  email: string;
}

/** Uses up a link, whoever it was sent to. */
async function take(host: Host, kinds: readonly LinkKind[], token: string): Promise<Kept> {
  const link = await authOf(host).links.removeById(hashOfLink(token));
  if (!link || !kinds.includes(link["kind"]) || link["expiresAt"] <= iso(host.world.clock.now())) throw notValid();
  return link as unknown as Kept;
}

async function followed(host: Host, kinds: readonly LinkKind[], token: string): Promise<User> {
  const { userId } = await take(host, kinds, token);
  const user = await host.store(User).get(MESH, userId);
  if (!user.active) throw forbidden("This account is closed.");
  return user;
}
