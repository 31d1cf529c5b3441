import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { Encoder } from "cbor-x";
import type { TestWorld } from "../mesh.ts";

/**
 * An authenticator and its browser in software (WebAuthn Level 3 §5 and §6): makes credentials and signs with them,
 * and, for tests of refusals, does each step wrong on demand.
 */

const cbor = new Encoder({ useRecords: false, mapsAsObjects: false, tagUint8Array: false });
const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

export interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
  pubKeyCredParams?: { alg: number }[];
  allowCredentials?: { id: string }[];
}

/** What to do otherwise than the standard says. */
export interface Twist {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  tokenBinding?: unknown;
  rpId?: string;
  /** Flags of the authenticator data: user present, user verified, backup eligible, backed up. */
  up?: boolean;
  uv?: boolean;
  be?: boolean;
  bs?: boolean;
  counter?: number;
  userHandle?: string | null;
  algorithm?: number;
  /** Signs with this key instead of the credential's. */
  key?: KeyObject;
  /** Changes the COSE key that is attested. */
  cose?(key: Map<number, unknown>): void;
  /** Changes the clientDataJSON's text before it is hashed. */
  clientData?(text: string): string;
  /** Changes the authenticator data before it is signed. */
  authData?(bytes: Buffer): Buffer;
  /** Changes the finished answer, after the signature. */
  after?(answer: any): void;
}

interface Credential {
  id: Buffer;
  rpId: string;
  userHandle: string;
  algorithm: number;
  key: KeyObject;
  counter: number;
  be: boolean;
}

const EC: Record<number, { curve: string; crv: number; hash: string }> = {
  [-7]: { curve: "P-256", crv: 1, hash: "sha256" },
  [-35]: { curve: "P-384", crv: 2, hash: "sha384" },
  [-36]: { curve: "P-521", crv: 3, hash: "sha512" },
};

function keyPair(algorithm: number): { privateKey: KeyObject; cose: Map<number, unknown> } {
  const ec = EC[algorithm];
  const { privateKey, publicKey } = ec
    ? generateKeyPairSync("ec", { namedCurve: ec.curve })
    : algorithm === -8
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const jwk = publicKey.export({ format: "jwk" });
  const bytes = (text: string | undefined): Buffer => Buffer.from(text!, "base64url");
  const own: [number, unknown][] = ec
    ? [
        [1, 2],
        [3, algorithm],
        [-1, ec.crv],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)],
      ]
    : algorithm === -8
      ? [
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, bytes(jwk.x)],
        ]
      : [
          [1, 3],
          [3, algorithm],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ];
  return { privateKey, cose: new Map(own) };
}

const signature = (algorithm: number, key: KeyObject, data: Buffer): Buffer =>
  sign(algorithm === -8 ? null : (EC[algorithm]?.hash ?? "sha256"), data, key);

export class SoftAuthenticator {
  readonly origin: string;
  readonly algorithm: number;
  /** Whether its credentials may be synced to other devices; such authenticators do not count. */
  readonly synced: boolean;
  readonly credentials: Credential[] = [];

  constructor(origin: string, { algorithm = -7, synced = false }: { algorithm?: number; synced?: boolean } = {}) {
    this.origin = origin;
    this.algorithm = algorithm;
    this.synced = synced;
  }

  #clientData(type: string, challenge: string, twist: Twist): Buffer {
    const { crossOrigin = false, topOrigin, tokenBinding } = twist;
    const text = JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? this.origin,
      crossOrigin,
      ...(topOrigin && { topOrigin }),
      ...(tokenBinding !== undefined && { tokenBinding }),
    });
    return Buffer.from(twist.clientData?.(text) ?? text);
  }

  #authData(rpId: string, counter: number, be: boolean, twist: Twist, attested?: Buffer): Buffer {
    const { up = true, uv = true } = twist;
    const eligible = twist.be ?? be;
    const flags =
      (up ? 1 : 0) | (uv ? 4 : 0) | (eligible ? 8 : 0) | ((twist.bs ?? eligible) ? 16 : 0) | (attested ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(twist.counter ?? counter);
    const bytes = Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.of(flags), count, attested ?? Buffer.alloc(0)]);
    return twist.authData?.(bytes) ?? bytes;
  }

  /** `navigator.credentials.create()`, as JSON. */
  create(options: Options, twist: Twist = {}): any {
    const algorithm = twist.algorithm ?? this.algorithm;
    const { privateKey, cose } = keyPair(algorithm);
    twist.cose?.(cose);
    const id = randomBytes(32);
    const rpId = options.rp!.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor.encode(cose)]);
    const clientDataJSON = this.#clientData("webauthn.create", options.challenge, twist);
    const authData = this.#authData(rpId, 0, this.synced, twist, attested);
    const attestationObject = cbor.encode(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    this.credentials.push({
      id,
      rpId,
      userHandle: options.user!.id,
      algorithm,
      key: privateKey,
      counter: 0,
      be: twist.be ?? this.synced,
    });
    const answer = {
      id: b64(id),
      rawId: b64(id),
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(clientDataJSON),
        attestationObject: b64(attestationObject),
        transports: ["internal"],
        publicKeyAlgorithm: algorithm,
      },
    };
    twist.after?.(answer);
    return answer;
  }

  /** `navigator.credentials.get()`, as JSON: with the newest credential that the options allow. */
  get(options: Options, twist: Twist = {}): any {
    const allowed = (options.allowCredentials ?? []).map(({ id }) => id);
    const credential = this.credentials.findLast(({ id }) => !allowed.length || allowed.includes(b64(id)));
    if (!credential) throw new Error("The authenticator has no credential for this.");
    if (!this.synced) credential.counter++;
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, twist);
    const authenticatorData = this.#authData(options.rpId!, credential.counter, credential.be, twist);
    const signed = signature(
      credential.algorithm,
      twist.key ?? credential.key,
      Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
    );
    const userHandle = twist.userHandle === undefined ? credential.userHandle : twist.userHandle;
    const answer = {
      id: b64(credential.id),
      rawId: b64(credential.id),
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(clientDataJSON),
        authenticatorData: b64(authenticatorData),
        signature: b64(signed),
        ...(userHandle !== null && { userHandle }),
      },
    };
    twist.after?.(answer);
    return answer;
  }
}

/** The origin that a world's passkeys are for: loopback goes by its name. */
export const originAt = (at: TestWorld): string => at.env.PUBLIC_URL ?? at.url.replace("127.0.0.1", "localhost");
export const authenticatorAt = (
  at: TestWorld,
  traits?: ConstructorParameters<typeof SoftAuthenticator>[1],
): SoftAuthenticator => new SoftAuthenticator(originAt(at), traits);
