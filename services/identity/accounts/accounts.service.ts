import { z } from "zod";
import { may } from "../../../core/access/access.ts";
import { lockKey, unlockKey } from "../../../adapters/keystore.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { derive } from "../../../core/ids.ts";
import { conflict, forbidden, invalid, notConfigured, notFound } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { addUser, Email, isUser, Password, PersonName, refuseInTraining } from "../auth/client.ts";
import { Account, AccountCreated, AccountView, ether, MpcKey, accountView } from "./accounts.ts";
import { heldAccount } from "./personal.ts";
import { people } from "./people.actions.ts";
import { mpcKeys, ofCaller } from "./mpc-keys.actions.ts";

const MESH = asSystem("accounts");

export default {
  name: "accounts",
  metadata: {
    description: "A person's blockchain account, the keys that sign for it, and a list of people to choose from.",
  },
  settings: { rest: "/accounts" },
  mixins: [domain({ entities: [Account, MpcKey], personal: [heldAccount], names: "persons.names" })],

  actions: {
    create: endpoint({
      rest: "POST /create",
      summary: "Create an account: identity-provider user and blockchain account",
      permit: "identity:hold",
      status: 201,
      returns: data(AccountView),
      description:
        "For yourself, send no body: your user gets a blockchain account. An administrator sends `email` " +
        "to create both, or `identityUserId` for an existing user. A user created without a password is " +
        "mailed a sign-in link. The key is created here and kept encrypted (Web3 Secret Storage, scrypt).",
      body: {
        email: Email.optional(),
        name: PersonName.optional(),
        password: Password.optional(),
        identityUserId: TextId.optional(),
      },
      example: {},
      errors: {
        403: "Only administrators create accounts for others.",
        404: "There is no such user.",
        409:
          "There is a user with this address, or the user has an account; or a mail would be sent from training " +
          "(`OPERATIONAL_ONLY`).",
      },
      async handler(ctx) {
        refuseContradictions(ctx.params);
        const identityUserId = await userFor(this, ctx);
        const store = this.store(Account);
        if (await store.one(MESH, { identityUserId }))
          throw conflict("This user has an account already.", { identityUserId });
        const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
        const secret = generatePrivateKey();
        const { address } = privateKeyToAccount(secret);
        const keystore = await lockKey(
          Buffer.from(secret.slice(2), "hex"),
          passphrase(this.world.secret, address),
          address,
        );
        const facts = (made: Account) => [AccountCreated.fact(made.id, made)];
        return accountView(
          await store.create(ctx, { identityUserId, address, chainId: this.world.env.CHAIN_ID, keystore }, { facts }),
          [],
        );
      },
    }),

    get: endpoint({
      rest: "GET /:identityUserId",
      summary: "Read your own account by its identity-provider user, or any as an administrator",
      permit: "identity:read",
      path: { identityUserId: TextId },
      returns: data(AccountView),
      async handler(ctx) {
        const account = await ofCaller(this, ctx, ctx.params.identityUserId);
        return accountView(account, await this.store(MpcKey).find(ctx, { accountId: account.id }));
      },
    }),

    getBalance: endpoint({
      rest: "GET /:identityUserId/balance",
      summary: "Read the account's balance on its chain",
      permit: "identity:read",
      beyond: true,
      path: { identityUserId: TextId },
      returns: data(
        z.object({
          address: z.string(),
          chainId: z.int(),
          wei: z.string(),
          ether: z.string(),
          block: z.string().describe("Number of the block it was read at."),
        }),
      ),
      errors: {
        502: "The chain's node failed.",
        503: "`NOT_CONFIGURED` without CHAIN_RPC_URL, or with a node of another chain.",
        504: "The chain's node does not answer in time.",
      },
      async handler(ctx) {
        const { address, chainId } = await ofCaller(this, ctx, ctx.params.identityUserId);
        const { chain } = this.world;
        if (chain?.chainId !== chainId)
          throw notConfigured(
            `Balances of this account are read from chain ${chainId}: this needs CHAIN_RPC_URL and CHAIN_ID.`,
          );
        const { wei, block } = await chain.balance(address);
        return { address, chainId, wei: wei.toString(), ether: ether(wei), block: block.toString() };
      },
    }),

    sign: endpoint({
      rest: "POST /sign",
      summary: "Sign a message as your blockchain account",
      permit: "identity:hold",
      beyond: true,
      body: { message: z.string().min(1).max(10_000) },
      example: { message: "I was here." },
      description:
        "Signs a personal message (EIP-191), which can never be a transaction. Nobody can sign for " +
        "another person.",
      errors: { 404: "You have no blockchain account." },
      returns: data(z.object({ address: z.string(), signature: z.string() })),
      async handler(ctx) {
        const account = await ofCaller(this, ctx);
        const { address } = account;
        const { privateKeyToAccount } = await import("viem/accounts");
        const secret = await privateKeyOf(this, account);
        return {
          address,
          signature: await privateKeyToAccount(`0x${secret.toString("hex")}`).signMessage({
            message: ctx.params.message,
          }),
        };
      },
    }),

    ...mpcKeys,
    ...people,

    of: endpoint({
      summary: "An account by its id or its user's; null where there is none",
      permit: "internal",
      body: { accountId: z.string().optional(), userId: z.string().optional() },
      returns: bare(z.object({ id: z.string(), userId: z.string(), address: z.string(), chainId: z.int() }).nullable()),
      async handler(ctx) {
        const { accountId, userId } = ctx.params;
        const account = await this.store(Account).one(
          MESH,
          accountId === undefined ? { identityUserId: userId } : { _id: accountId },
        );
        return account && { ...account, userId: account.identityUserId };
      },
    }),
  },
} satisfies MeshService;

interface New {
  email?: string;
  name?: string;
  password?: string;
  identityUserId?: string;
}

function refuseContradictions({ email, name, password, identityUserId }: New): void {
  if (email !== undefined && identityUserId !== undefined)
    throw invalid([{ path: "identityUserId", message: "Give the address of a new user, or the id of one there is." }]);
  const lonely = name !== undefined ? "name" : password !== undefined ? "password" : undefined;
  if (email === undefined && lonely)
    throw invalid([{ path: lonely, message: "Only a new user takes one; give `email` too." }]);
}

/** The user that the account is for: the caller, one that an administrator names, or one made now. */
async function userFor(host: Host, ctx: Ctx<New>): Promise<string> {
  const { email, name, password, identityUserId } = ctx.params;
  const { userId } = ctx.meta.actor!;
  if (email === undefined && (identityUserId === undefined || identityUserId === userId)) return userId;
  if (!may(ctx.meta.actor!, "accounts:administer"))
    throw forbidden("Only administrators create accounts for others.", { permit: "accounts:administer" });
  if (email !== undefined && password === undefined) refuseInTraining(ctx);
  if (email !== undefined)
    return addUser(host, { email, ...(password !== undefined && { password }), ...(name !== undefined && { name }) });
  if (!(await isUser(host, identityUserId!))) throw notFound("user", identityUserId!);
  return identityUserId!;
}

/** Each keystore has a passphrase of its own, from the root secret. */
const passphrase = (root: Uint8Array, address: string): string =>
  derive(root, `account keystore ${address}`).toString("base64url");

/**
 * The private key of an account, under whichever known root secret it was locked. Throws where none of them opens it.
 */
async function privateKeyOf(
  { world: { secret, formerSecrets } }: Host,
  { address, keystore }: Account,
): Promise<Buffer> {
  for (const root of [secret, ...formerSecrets]) {
    const opened = await unlockKey(keystore, passphrase(root, address)).catch(() => undefined);
    if (opened) return opened;
  }
  throw new Error(
    `The keystore of ${address} was locked under another root secret: SECRET_PREVIOUS names those before.`,
  );
}
