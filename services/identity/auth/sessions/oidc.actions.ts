import { z } from "zod";
import { OidcError, type IdentityProvider, type Person } from "../../../../adapters/oidc.ts";
import { seenOf } from "../../../../core/contract/input/names.ts";
import { data } from "../../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { upTo } from "../../../../core/text/cutting.ts";
import { forbidden, notConfigured, Problem, upstream } from "../../../../core/problem.ts";
import { demandAdmission } from "../users/admission.ts";
import { CEREMONY_MS, countCeremony } from "../passkeys/ceremonies.ts";
import { askToConfirm } from "../links/links.actions.ts";
import { authOf, originFor, signingIn } from "../parts.ts";
import { countRegistration } from "../users/registrations.ts";
import { startSession } from "./sessions.actions.ts";
import { mintSecret, SignedIn } from "./sessions.ts";
import { findable, User } from "../users/users.ts";
import { Email } from "../client.ts";

const MESH = asSystem("auth");
const LONGEST_NAME = 120;
const Text = z.string().min(1).max(4_096);
const ERRORS = {
  502: "The identity provider cannot be reached.",
  503: "No identity provider is configured.",
};

interface Kept {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  browser: string;
}

/** Signing in at the OpenID Connect provider of the settings. The page `/oidc` uses these. */
export const oidc = {
  "oidcLogins.begin": endpoint({
    rest: "POST /oidc",
    summary: "Start signing in at your organisation's identity provider",
    permit: "public",
    beyond: true,
    audit: false,
    errors: ERRORS,
    description:
      "Authorization code flow with PKCE. Send the browser to `url`; the provider redirects it to the " +
      "page `/oidc`, which finishes. `browser` stays with the browser that started, so that nobody can " +
      "be signed in through somebody else's link.",
    returns: data(z.object({ url: z.string(), browser: z.string() }).meta({ id: "OidcAuthorizationRequest" })),
    async handler(ctx) {
      const provider = providerOf(this);
      await countCeremony(authOf(this), ctx.meta);
      const redirectUri = `${originFor(this, ctx.meta)}/oidc`;
      const { url, ...secrets } = await provider.begin(redirectUri).catch(refuse);
      const browser = mintSecret();
      const kept: Kept = { ...secrets, redirectUri, browser: sha256(browser) };
      const expiresAt = iso(this.world.clock.now() + CEREMONY_MS);
      await signingIn(() => authOf(this).ceremonies.insert({ _id: keyOf(secrets.state), oidc: kept, expiresAt }));
      return { url, browser };
    },
  }),

  "oidcLogins.verify": endpoint({
    rest: "POST /oidc/verify",
    summary: "Finish signing in at your organisation's identity provider",
    permit: "public",
    beyond: true,
    returns: data(SignedIn),
    errors: { ...ERRORS, 401: "The sign-in was not confirmed, is too old, or was started in another browser." },
    description:
      "Takes the query with which the provider redirected the browser back. An address that the " +
      "provider has verified is matched to its existing account; a new person gets an account with the " +
      "role reader, if the address is allowed here.",
    body: { code: Text, state: Text, iss: Text.optional(), browser: Text },
    example: {
      code: "as the provider sent it",
      state: "as the provider sent it",
      browser: "what `/oidc` kept in the browser",
    },
    async handler(ctx) {
      const { browser, ...query } = ctx.params;
      const found = await authOf(this).ceremonies.removeById(keyOf(query.state));
      const kept = found?.["oidc"] as Kept | undefined;
      if (!kept || found!["expiresAt"] <= iso(this.world.clock.now()) || kept.browser !== sha256(browser))
        throw notConfirmed();
      const callback = new URL(kept.redirectUri);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) callback.searchParams.set(name, value);
      const user = await accountFor(this, ctx, await providerOf(this).finish(callback, kept).catch(refuse));
      const session = await signingIn(() => startSession(this, ctx, user, "oidc"));
      return { user, session: { ...session, current: true } };
    },
  }),
};

const keyOf = (state: string): string => sha256(`oidc ${state}`);

const notConfirmed = (): Problem =>
  new Problem(401, "SIGN_IN_FAILED", "The sign-in was not confirmed. Begin again.", {
    headers: { "WWW-Authenticate": 'Bearer realm="signalmesh"' },
  });

function providerOf(host: Host): IdentityProvider {
  const { oidc: provider } = host.world;
  if (!provider)
    throw notConfigured("No identity provider is configured: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.");
  return provider;
}

function refuse(error: unknown): never {
  if (!(error instanceof OidcError)) throw error;
  throw error.away ? upstream(502, "UPSTREAM_UNREACHABLE", error.message) : notConfirmed();
}

/** The account of a person: by the provider's own name for them, else by an address it has verified, else a new one. */
async function accountFor(host: Host, ctx: Ctx<unknown>, person: Person): Promise<User> {
  const subject = subjectOf(person);
  const users = host.store(User);
  const known = await users.one(MESH, { subject });
  if (known) return open(known);
  const address = Email.safeParse(person.email);
  const verified = address.success && person.emailVerified ? address.data : undefined;
  const owner = verified && (await users.one(MESH, { email: verified }));
  if (owner) return users.revise(MESH, joinable(owner, subject), { subject });
  // Without the provider's word for the address, they are treated as a stranger.
  if (!verified) await countRegistration(host, ctx.meta);
  if (address.success) await demandAdmission(host, address.data);
  const called = upTo(LONGEST_NAME, seenOf(person.name ?? "").trim());
  const found = findable({
    ...(called && { name: called }),
    ...(verified ? { email: verified } : address.success && { claimedEmail: address.data }),
  });
  const made = await users.create(MESH, { subject, ...found });
  if (made.claimedEmail) await askToConfirm(host, ctx, made);
  return made;
}

/**
 * A person's name at a provider, as it is kept: the provider's part, so that two persons of one provider are told apart
 * from one at two, and the whole.
 */
const subjectOf = ({ issuer, sub }: Person): string => `${sha256(issuer).slice(0, 16)}.${sha256(`${issuer}\n${sub}`)}`;

/**
 * An address that the provider gave to somebody else since opens nobody's account: its own name for a person is theirs
 * for ever, an address is not (OpenID Connect Core §5.7).
 */
function joinable(owner: User, subject: string): User {
  const issuerOf = (text: string): string => text.split(".", 1)[0]!;
  if (owner.subject && issuerOf(owner.subject) === issuerOf(subject))
    throw forbidden(
      "The account with this address is another person's at your identity provider. Its administrator can " +
        "tell you more.",
    );
  return open(owner);
}

function open(user: User): User {
  if (!user.active) throw forbidden("This account is closed.");
  return user;
}
