import type { z } from "zod";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { CEREMONY_MS, openCeremony, relyingParty, type Ceremony } from "./ceremonies.ts";
import { authOf } from "../parts.ts";
import { ALGORITHMS, MOST_PASSKEYS, Passkey, type CreationOptions, type RequestOptions } from "./passkeys.ts";
import { User } from "../users/users.ts";
import { PasskeyRefused, type Expected } from "./webauthn.ts";

const MESH = asSystem("auth");

const verification = (host: Host): "required" | "preferred" => host.world.env.PASSKEY_USER_VERIFICATION;

/** Options for `navigator.credentials.create()` and the ceremony they begin. */
export async function creationOptions(
  host: Host,
  ctx: Ctx<unknown>,
  ceremony: Extract<Ceremony, { purpose: "register" }>,
): Promise<z.output<typeof CreationOptions>> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const { rpID } = relyingParty(authOf(host), ctx.meta);
  const known =
    ceremony.how === "registered"
      ? []
      : await host.store(Passkey).find(MESH, { userId: ceremony.userId }, { limit: MOST_PASSKEYS });
  const user = ceremony.how === "registered" ? ceremony : await host.store(User).get(MESH, ceremony.userId);
  const label = user.email ?? ("claimedEmail" in user ? user.claimedEmail : undefined) ?? "account";
  const options = await generateRegistrationOptions({
    rpName: "Signalmesh",
    rpID,
    userName: label,
    userDisplayName: user.name ?? label,
    userID: new Uint8Array(Buffer.from(ceremony.userId)),
    challenge: await openCeremony(authOf(host), ctx.meta, ceremony),
    timeout: CEREMONY_MS,
    attestationType: "none",
    supportedAlgorithmIDs: [...ALGORITHMS],
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: verification(host) },
  });
  return options as z.output<typeof CreationOptions>;
}

/** Options for `navigator.credentials.get()` and the ceremony they begin. */
export async function requestOptions(
  host: Host,
  ctx: Ctx<unknown>,
  ceremony: Ceremony,
  allowed: readonly Passkey[],
): Promise<z.output<typeof RequestOptions>> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const { rpID } = relyingParty(authOf(host), ctx.meta);
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: await openCeremony(authOf(host), ctx.meta, ceremony),
    timeout: CEREMONY_MS,
    userVerification: verification(host),
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
  return { allowCredentials: [], ...options } as z.output<typeof RequestOptions>;
}

/** What the answer to a ceremony must hold against. Throws PasskeyRefused where none is under way. */
export function expected(host: Host, ctx: Ctx<unknown>, found: { challenge: string } | null): Expected {
  if (!found) throw new PasskeyRefused("no such ceremony is under way");
  return {
    challenge: found.challenge,
    ...relyingParty(authOf(host), ctx.meta),
    verified: verification(host) === "required",
  };
}
