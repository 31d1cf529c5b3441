import { secp256k1 } from "@noble/curves/secp256k1.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { lockKey, unlockKey, type Keystore, type KeyDerivation } from "../../adapters/keystore.ts";
import { addressOfPoint } from "../../core/did/evm-addresses.ts";

/** Web3 Secret Storage Definition, test vectors, scrypt. */
const PUBLISHED: Keystore = {
  version: 3,
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262_144,
      r: 1,
      p: 8,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
};

/** The vector's cost (n = 2^18, r = 1) is beyond what RFC 7914 allows, and OpenSSL refuses it. */
const unbounded: KeyDerivation = (passphrase, salt, { n, r, p }) =>
  scryptAsync(passphrase, salt, { N: n, r, p, dkLen: 32 });

it("opens the published keystore", async () => {
  expect((await unlockKey(PUBLISHED, "testpassword", unbounded)).toString("hex")).toBe(
    "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d",
  );
}, 120_000);

/** go-ethereum, accounts/keystore/testdata/very-light-scrypt.json; its passphrase is empty. */
const OF_GETH: Keystore = {
  version: 3,
  id: "ce541d8d-c79b-40f8-9f8c-20f59616faba",
  address: "45dea0fb0bba44f4fcf290bba71fd57d7117cbb8",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "dc4926b48a105133d2f16b96833abf1e" },
    ciphertext: "b87781948a1befd247bff51ef4063f716cf6c2d3481163e9a8f42e1f9bb74145",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 2,
      r: 8,
      p: 1,
      salt: "004244bbdc51cadda545b1cfa43cff9ed2ae88e08c61f1479dbb45410722f8f0",
    },
    mac: "39990c1684557447940d4c69e06b1b82b2aceacb43f284df65c956daf3046b85",
  },
};

it("opens a keystore of geth's: the key is that of its address", async () => {
  const secret = await unlockKey(OF_GETH, "");
  expect(addressOfPoint(secp256k1.getPublicKey(secret, false)).toLowerCase()).toBe(`0x${OF_GETH.address}`);
});

it("opens what it locked, by the right passphrase alone", async () => {
  const secret = Buffer.alloc(32, 5);
  const keystore = await lockKey(secret, "correct", "0xAb00000000000000000000000000000000000001");
  expect(keystore.address).toBe("ab00000000000000000000000000000000000001");
  expect(JSON.stringify(keystore)).not.toContain(secret.toString("hex"));
  expect(await unlockKey(keystore, "correct")).toEqual(secret);
  await expect(unlockKey(keystore, "wrong")).rejects.toThrow("does not open");
  const altered = {
    ...keystore,
    crypto: { ...keystore.crypto, ciphertext: `00${keystore.crypto.ciphertext.slice(2)}` },
  };
  await expect(unlockKey(altered, "correct")).rejects.toThrow("does not open");
});
