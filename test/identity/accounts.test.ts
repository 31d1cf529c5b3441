import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { encodeFunctionData, recoverMessageAddress, type Abi } from "viem";
import { EthereumDIDRegistry } from "ethr-did-registry";
import { multibaseOf } from "../../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, sign, SIGNING_TYPES, type SigningKey } from "../../core/did/signatures.ts";
import { ether } from "../../services/identity/accounts/accounts.ts";
import { readAddress } from "../../core/did/evm-addresses.ts";
import { world, type Reply, type TestWorld } from "../mesh.ts";

/** The contract as it was deployed, put where our settings look for it. */
const REGISTRY = "0xdCa7EF03e98e0DC2B855bE647C39ABe984fcF21B";

let at: TestWorld;
afterEach(() => at.stop());

const post = (path: string, body: object, as = "analyst"): Promise<Reply> =>
  at.http("POST", `/api/accounts/${path}`, { as, body });
const me = async (as = "analyst"): Promise<string> => (await at.http("GET", "/api/auth/me", { as })).body.data.userId;
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const share = (type: SigningKey["type"] = "Ed25519") => {
  const key = newSigningKey(type);
  return { key, publicKey: multibaseOf(publicKeyOf(key)) };
};
const challenge = async (purpose: string, subject: string, as = "analyst") =>
  (await at.http("POST", "/api/identity/challenges", { as, body: { purpose, subject } })).body.data;
const signed = (key: SigningKey, message: string) => base64url(sign(key, Buffer.from(message)));

async function add({ key, publicKey }: ReturnType<typeof share>, as = "analyst"): Promise<Reply> {
  const given = await challenge("add-mpc-key", publicKey, as);
  return post("add-mpc-key", { publicKey, challenge: given.challenge, signature: signed(key, given.message) }, as);
}

describe("an account", () => {
  it("is a user and a blockchain account: one each, its key sealed, and it signs", async () => {
    at = await world();
    const answers = await Promise.all(Array.from({ length: 4 }, () => post("create", {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { data } = answers.find(({ status }) => status === 201)!.body;
    expect(readAddress(data.address)).toBe(data.address);
    expect(data).toMatchObject({
      identityUserId: await me(),
      chainId: 1,
      mpcKeys: [],
      dids: { pkh: `did:pkh:eip155:1:${data.address}`, ethr: `did:ethr:${data.address}` },
    });
    expect(data).not.toHaveProperty("keystore");

    const { address, signature } = (await post("sign", { message: "I was here." })).body.data;
    expect(await recoverMessageAddress({ message: "I was here.", signature })).toBe(address);

    const [row] = await (await at.mesh.world.documents.collection("accounts")).find();
    expect(row!["keystore"]).toMatchObject({ version: 3, crypto: { kdf: "scrypt", cipher: "aes-128-ctr" } });
  });

  it("is its owner's and the administrators' to see; to others it does not exist", async () => {
    at = await world();
    const { id, identityUserId } = (await post("create", {})).body.data;
    const reads = [`/api/accounts/${identityUserId}`, `/api/identity/account/${id}`];
    for (const path of reads) {
      expect([path, (await at.http("GET", path, { as: "analyst" })).status]).toEqual([path, 200]);
      expect([path, (await at.http("GET", path, { as: "admin" })).status]).toEqual([path, 200]);
      expect([path, (await at.http("GET", path, { as: "reader" })).status]).toEqual([path, 404]);
      expect([path, (await at.http("GET", path, { as: null })).status]).toEqual([path, 401]);
    }
    expect((await at.http("GET", `/api/accounts/${identityUserId}/balance`, { as: "reader" })).status).toBe(404);
    const identity = (await at.http("GET", reads[1]!, { as: "analyst" })).body.data;
    expect(identity).toMatchObject({ accountId: id, identityUserId });
    expect(identity.dids.map(({ did }: { did: string }) => did)).toContain(identity.primaryDid);
    expect((await post("sign", { message: "x" }, "admin")).status).toBe(404);
  });

  it("is made for others by administrators: a new user, or one there is", async () => {
    at = await world();
    expect((await post("create", { email: "new@example.org" })).status).toBe(403);
    const made = await post(
      "create",
      { email: "new@example.org", name: "New", password: "correct horse battery staple 42" },
      "admin",
    );
    expect(made.status).toBe(201);
    expect(
      (
        await at.http("POST", "/api/auth/login", {
          as: null,
          body: { email: "new@example.org", password: "correct horse battery staple 42" },
        })
      ).body.data.user,
    ).toMatchObject({ id: made.body.data.identityUserId, role: "reader" });
    expect((await post("create", { email: "new@example.org" }, "admin")).status).toBe(409);
    expect((await post("create", { identityUserId: await me() }, "admin")).status).toBe(201);
    expect((await post("create", { identityUserId: "nobody" }, "admin")).status).toBe(404);
    expect((await post("create", { name: "No address" }, "admin")).body.error.details[0].path).toBe("name");
  });

  it("goes with its owner's erasure, MPC keys included", async () => {
    at = await world();
    const userId = (await post("create", {})).body.data.identityUserId;
    await add(share());
    await at.mesh.broker.call(
      "accounts.personal:erase",
      { userId },
      {
        meta: { actor: { userId: "system:test", roles: ["system"], via: "system", permits: ["*"], omniscient: true } },
      },
    );
    for (const name of ["accounts", "mpc_keys"])
      expect(await (await at.mesh.world.documents.collection(name)).count()).toBe(0);
  });
});

describe("MPC keys", () => {
  it.each(SIGNING_TYPES)("are added by proof of possession: %s", async (type) => {
    at = await world();
    await post("create", {});
    const one = share(type);
    const added = await add(one);
    expect([added.status, added.body.data.keyType, added.body.data.history]).toEqual([201, type, []]);
    expect((await add(one)).status).toBe(409);
    const given = await challenge("add-mpc-key", share().publicKey);
    expect(
      (
        await post("add-mpc-key", {
          publicKey: one.publicKey,
          challenge: given.challenge,
          signature: signed(one.key, given.message),
        })
      ).body.error.code,
    ).toBe("CHALLENGE_INVALID");
    const foreign = share();
    const right = await challenge("add-mpc-key", foreign.publicKey);
    expect(
      (
        await post("add-mpc-key", {
          publicKey: foreign.publicKey,
          challenge: right.challenge,
          signature: signed(one.key, right.message),
        })
      ).body.error.code,
    ).toBe("INVALID_PROOF");
    expect(
      (await post("add-mpc-key", { publicKey: "zNoKey", challenge: right.challenge, signature: "AA" })).body.error
        .details[0].path,
    ).toBe("publicKey");
    expect((await add(share(), "reader")).status).toBe(404);
  });

  it("are rotated by the old key, or by recovery with a fresh proof of person; what was stays in the history", async () => {
    at = await world();
    const identityUserId = (await post("create", {})).body.data.identityUserId;
    const [first, second, third, stranger] = [share(), share("secp256k1"), share("P-256"), share()];
    const keyId = (await add(first)).body.data.id;
    const rotate = async (to: typeof first, by: (message: string) => object, as = "analyst") => {
      const { challenge: text, message } = await challenge("update-mpc-key", to.publicKey, as);
      return post(
        "update-mpc-key",
        { keyId, publicKey: to.publicKey, challenge: text, signature: signed(to.key, message), ...by(message) },
        as,
      );
    };
    expect((await rotate(second, () => ({}))).body.error.details[0].path).toBe("oldSignature");
    expect(
      (await rotate(second, (message) => ({ oldSignature: signed(stranger.key, message) }))).body.error,
    ).toMatchObject({ code: "INVALID_PROOF", details: [{ path: "oldSignature" }] });
    expect((await rotate(second, (message) => ({ oldSignature: signed(first.key, message) }), "reader")).status).toBe(
      404,
    );

    const rotated = (await rotate(second, (message) => ({ oldSignature: signed(first.key, message) }))).body.data;
    expect(rotated).toMatchObject({
      publicKey: second.publicKey,
      keyType: "secp256k1",
      history: [{ publicKey: first.publicKey, replacedBy: "old-key" }],
    });
    expect((await rotate(first, (message) => ({ oldSignature: signed(second.key, message) }))).status).toBe(409);

    at.clock.advance(6 * 60_000);
    expect((await rotate(third, () => ({ recovery: true }))).body.error.code).toBe("STEP_UP_REQUIRED");
    expect(
      (await rotate(third, () => ({ recovery: true }), "admin")).body.data.history.map(
        ({ replacedBy }: { replacedBy: string }) => replacedBy,
      ),
    ).toEqual(["old-key", "recovery"]);
    const { mpcKeys } = (await at.http("GET", `/api/accounts/${identityUserId}`, { as: "analyst" })).body.data;
    expect(mpcKeys).toMatchObject([{ id: keyId, publicKey: third.publicKey }]);
  });
});

describe("balances", () => {
  const balance = async () => at.http("GET", `/api/accounts/${await me()}/balance`, { as: "analyst" });

  it("are not configured without a chain", async () => {
    at = await world();
    await post("create", {});
    const { status, body } = await balance();
    expect([status, body.error.code]).toEqual([503, "NOT_CONFIGURED"]);
  });

  it("say what is wrong with the chain's node", async () => {
    at = await world({ CHAIN_RPC_URL: "http://127.0.0.1:9/secret-key", CHAIN_ID: "31337" });
    await post("create", {});
    const { status, body, text } = await balance();
    expect([status, body.error.code]).toEqual([502, "UPSTREAM_FAILED"]);
    expect(text).not.toContain("secret-key");
  });

  describe("of a chain that runs", () => {
    let chain: ChildProcess;
    let url: string;
    beforeAll(async () => {
      chain = fork(join(import.meta.dirname, "../fixtures/identity/chain.cjs"), {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: [],
      });
      [{ url }] = (await once(chain, "message")) as [{ url: string }];
    }, 60_000);
    afterAll(async () => {
      chain.disconnect();
      if (chain.exitCode === null) await once(chain, "exit");
    });
    const rpc = async (method: string, ...params: unknown[]) =>
      (
        (await (
          await fetch(url, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
          })
        ).json()) as { result: any }
      ).result;

    it("are read after a payment has come in", async () => {
      at = await world({ CHAIN_RPC_URL: url, CHAIN_ID: "31337" });
      const { address } = (await post("create", {})).body.data;
      expect((await balance()).body.data).toMatchObject({ address, chainId: 31_337, wei: "0", ether: "0" });
      const [payer] = await rpc("eth_accounts");
      await rpc("eth_sendTransaction", {
        from: payer,
        to: address,
        value: `0x${1_250_000_000_000_000_001n.toString(16)}`,
      });
      expect((await balance()).body.data).toMatchObject({
        wei: "1250000000000000001",
        ether: "1.250000000000000001",
        block: "1",
      });
    });

    it("are refused where the node is of another chain", async () => {
      at = await world({ CHAIN_RPC_URL: url });
      await post("create", {});
      const { status, body } = await balance();
      expect([status, body.error.code, body.error.message]).toEqual([
        503,
        "NOT_CONFIGURED",
        "CHAIN_RPC_URL answers for chain 31337, CHAIN_ID says 1.",
      ]);
    });

    it("come with a registry of identities only where the chain has one", async () => {
      at = await world({ CHAIN_RPC_URL: url, CHAIN_ID: "31337" });
      const resolved = (
        await at.http("POST", "/api/identity/did/resolve", {
          as: null,
          body: { did: "did:ethr:0x7a69:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" },
        })
      ).body.data;
      expect(resolved.didResolutionMetadata).toEqual({
        error: "methodNotSupported",
        message: "Chain 31337 has no registry of identities (ERC-1056).",
      });
    });

    describe("and identities of its registry, by the registry's own contract", () => {
      const text32 = (text: string) => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
      const YEAR = 31_536_000n;
      let identities: string[];
      beforeAll(async () => {
        await rpc("evm_setAccountCode", REGISTRY, EthereumDIDRegistry.deployedBytecode);
        identities = await rpc("eth_accounts");
      });
      const change = async (from: string, functionName: string, ...args: unknown[]) => {
        const hash = await rpc("eth_sendTransaction", {
          from,
          to: REGISTRY,
          gas: "0x100000",
          data: encodeFunctionData({ abi: EthereumDIDRegistry.abi as Abi, functionName, args: [from, ...args] }),
        });
        expect((await rpc("eth_getTransactionReceipt", hash)).status).toBe("0x1");
      };
      const resolved = async (identity: string) =>
        (await at.http("POST", "/api/identity/did/resolve", { as: null, body: { did: `did:ethr:0x7a69:${identity}` } }))
          .body.data;
      const holder = (address: string) => `eip155:31337:${readAddress(address)}`;

      it("follow their owners, and are deactivated when given up", async () => {
        at = await world({ CHAIN_RPC_URL: url, CHAIN_ID: "31337" });
        const [, identity, other] = identities as [string, string, string];
        expect((await resolved(identity)).didDocument.verificationMethod).toMatchObject([
          { blockchainAccountId: holder(identity) },
        ]);
        await change(identity, "changeOwner", other);
        expect((await resolved(identity)).didDocument.verificationMethod).toMatchObject([
          { blockchainAccountId: holder(other) },
        ]);
        await rpc("eth_sendTransaction", {
          from: other,
          to: REGISTRY,
          gas: "0x100000",
          data: encodeFunctionData({
            abi: EthereumDIDRegistry.abi as Abi,
            functionName: "changeOwner",
            args: [identity, `0x${"0".repeat(40)}`],
          }),
        });
        expect(await resolved(identity)).toMatchObject({
          didDocument: null,
          didDocumentMetadata: { deactivated: true },
        });
      });

      it("name delegates, keys and services until they end or are revoked", async () => {
        at = await world({ CHAIN_RPC_URL: url, CHAIN_ID: "31337" });
        const [, , identity, delegate, revoked] = identities as [string, string, string, string, string];
        const key = share();
        await change(identity, "addDelegate", text32("sigAuth"), delegate, YEAR);
        await change(identity, "addDelegate", text32("veriKey"), revoked, YEAR);
        await change(
          identity,
          "setAttribute",
          text32("did/pub/Ed25519/veriKey/base64"),
          `0x${Buffer.from(publicKeyOf(key.key).bytes).toString("hex")}`,
          YEAR,
        );
        await change(
          identity,
          "setAttribute",
          text32("did/svc/HubService"),
          `0x${Buffer.from("https://hub.example").toString("hex")}`,
          YEAR,
        );
        await change(identity, "revokeDelegate", text32("veriKey"), revoked);
        at.clock.advance(5_000);
        const { didDocument } = await resolved(identity);
        const did = didDocument.id;
        expect(
          didDocument.verificationMethod.map(
            ({ id, blockchainAccountId, publicKeyMultibase }: Record<string, string>) => [
              id,
              blockchainAccountId ?? publicKeyMultibase,
            ],
          ),
        ).toEqual([
          [`${did}#controller`, holder(identity)],
          [`${did}#delegate-1`, holder(delegate)],
          [`${did}#delegate-3`, key.publicKey],
        ]);
        expect(didDocument.authentication).toEqual([`${did}#controller`, `${did}#delegate-1`]);
        expect(didDocument.assertionMethod).toEqual([`${did}#controller`, `${did}#delegate-1`, `${did}#delegate-3`]);
        expect(didDocument.service).toEqual([
          { id: `${did}#service-1`, type: "HubService", serviceEndpoint: "https://hub.example" },
        ]);
        at.clock.advance(Number(YEAR) * 1_000 + 60_000);
        expect((await resolved(identity)).didDocument.verificationMethod).toHaveLength(1);
      });
    });
  });
});

it.each([
  [0n, "0"],
  [1n, "0.000000000000000001"],
  [10n ** 18n, "1"],
  [1_500_000_000_000_000_000n, "1.5"],
  [10n ** 20n, "100"],
])("writes %s wei as %s ether", async (wei, text) => {
  expect(ether(wei)).toBe(text);
});
