import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { blindKeySign, blindPublicKey, unblindPublicKey } from "../../services/identity/identity/keys/blinding.ts";
import published from "../fixtures/identity/key-blinding-vectors.json" with { type: "json" };

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (given: Uint8Array) => Buffer.from(given).toString("hex");

describe("the vectors of draft-irtf-cfrg-signature-key-blinding", () => {
  it.each(published.vectors.map((vector) => [vector.title, vector] as const))(
    "%s",
    (_title, { skS, pkS, bk, pkR, message, context, signature }) => {
      expect(hex(ed25519.getPublicKey(bytes(skS)))).toBe(pkS);
      expect(hex(blindPublicKey(bytes(pkS), bytes(bk), bytes(context)))).toBe(pkR);
      expect(hex(unblindPublicKey(bytes(pkR), bytes(bk), bytes(context)))).toBe(pkS);
      expect(hex(blindKeySign(bytes(skS), bytes(bk), bytes(context), bytes(message)))).toBe(signature);
    },
  );
});

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const text = fc.uint8Array({ maxLength: 64 });

it("signs so that plain Ed25519 verifies under the blinded key, and under no other", () => {
  fc.assert(
    fc.property(key, key, text, text, (seed, blind, context, message) => {
      const publicKey = ed25519.getPublicKey(seed);
      const blinded = blindPublicKey(publicKey, blind, context);
      const signature = blindKeySign(seed, blind, context, message);
      expect(ed25519.verify(signature, message, blinded, { zip215: false })).toBe(true);
      expect(ed25519.verify(signature, message, publicKey, { zip215: false })).toBe(false);
      expect(hex(unblindPublicKey(blinded, blind, context))).toBe(hex(publicKey));
    }),
    { numRuns: 20 },
  );
});

it("gives the same key for the same context, and another for another", () => {
  fc.assert(
    fc.property(key, key, text, text, (seed, blind, one, other) => {
      fc.pre(hex(one) !== hex(other));
      const publicKey = ed25519.getPublicKey(seed);
      expect(hex(blindPublicKey(publicKey, blind, one))).toBe(hex(blindPublicKey(publicKey, blind, one)));
      expect(hex(blindPublicKey(publicKey, blind, one))).not.toBe(hex(blindPublicKey(publicKey, blind, other)));
    }),
    { numRuns: 20 },
  );
});
