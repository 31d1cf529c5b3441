import type { Configuration } from "openid-client";

declare module "../core/world.ts" {
  /** The OpenID Connect provider of the settings; absent without one. */
  interface World {
    oidc: IdentityProvider | undefined;
  }
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A person as the provider identifies them. `sub` is its own permanent id. */
export interface Person {
  issuer: string;
  sub: string;
  email?: string;
  emailVerified: boolean;
  name?: string;
}

/** Must be kept between the two halves of a sign-in; secret. */
export interface Begun {
  url: string;
  state: string;
  nonce: string;
  verifier: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** The address to send the browser to (authorization code flow with PKCE, RFC 7636). Throws OidcError. */
  begin(redirectUri: string): Promise<Begun>;
  /** Exchanges the browser's callback for the person. Throws OidcError. */
  finish(callback: URL, kept: Pick<Begun, "state" | "nonce" | "verifier">): Promise<Person>;
}

/** The provider refused or cannot be reached. */
export class OidcError extends Error {
  /** Whether the provider failed, rather than the browser's callback. */
  readonly away: boolean;
  constructor(message: string, away: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "OidcError";
    this.away = away;
  }
}

const AGAIN_MS = 30_000;

/** Whether an error is about the answer itself, not about reaching the provider. */
const isRefusal = (error: unknown): boolean =>
  ["AuthorizationResponseError", "ResponseBodyError"].includes((error as Error).name) ||
  String((error as { code?: unknown }).code).startsWith("OAUTH_");

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Any OpenID Connect provider, found by its discovery document, which is read at the first sign-in and again after a
 * failure. Plain http on loopback alone.
 */
export function identityProvider({ issuer, clientId, clientSecret }: OidcSettings): IdentityProvider {
  let found: Promise<Configuration> | undefined;

  async function configuration(): Promise<Configuration> {
    const { discovery, allowInsecureRequests } = await import("openid-client");
    const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(issuer).hostname);
    found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: AGAIN_MS / 1_000,
      ...(loopback && { execute: [allowInsecureRequests] }),
    });
    try {
      return await found;
    } catch (error) {
      found = undefined;
      throw new OidcError("The identity provider cannot be reached.", true, { cause: error });
    }
  }

  return {
    issuer,
    async begin(redirectUri) {
      const [config, library] = [await configuration(), await import("openid-client")];
      const [state, nonce, verifier] = [library.randomState(), library.randomNonce(), library.randomPKCECodeVerifier()];
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, state, nonce, verifier };
    },
    async finish(callback, { state, nonce, verifier }) {
      const [config, library] = [await configuration(), await import("openid-client")];
      try {
        const tokens = await library.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const { iss, sub } = tokens.claims()!;
        // Providers may omit email and name from the ID token: the userinfo endpoint has them.
        const more = config.serverMetadata().userinfo_endpoint
          ? await library.fetchUserInfo(config, tokens.access_token, sub)
          : {};
        const claims: Record<string, unknown> = { ...more, ...tokens.claims() };
        const [email, name] = [text(claims["email"]), text(claims["name"])];
        return {
          issuer: iss,
          sub,
          emailVerified: claims["email_verified"] === true,
          ...(email && { email }),
          ...(name && { name }),
        };
      } catch (error) {
        throw isRefusal(error)
          ? new OidcError("The identity provider did not confirm the sign-in.", false, { cause: error })
          : new OidcError("The identity provider cannot be reached.", true, { cause: error });
      }
    },
  };
}
