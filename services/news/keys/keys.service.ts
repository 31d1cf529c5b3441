import { createSecretKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { isInPerson, type Actor } from "../../../core/access/access.ts";
import { bare, success, successWithMessage } from "../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { Instant, MOST_ROWS, paging, TextId } from "../../../core/records/entity.ts";
import { on } from "../../../core/events/event.ts";
import { derive } from "../../../core/ids.ts";
import { forbidden, invalid, notFound } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AccessChanged, PasskeyAdded } from "../../identity/auth/events.ts";
import {
  AnyKeyView,
  ApiKey,
  hashOfKey,
  KEY_FORM,
  KeyView,
  KnownScope,
  learnScopes,
  limitsOf,
  mint,
  MOST_KEYS,
  NewKeyView,
  refuseEnded,
  works,
} from "./keys.ts";

interface Keys extends Host {
  pepper: KeyObject;
  /** Peppers of earlier root secrets: keys that were made under them still work. */
  formerPeppers: KeyObject[];
  used: Map<string, string>;
  /** Hashes under such a pepper by which keys were found, and what takes their place. */
  aged: Map<string, { id: string; field: HashField; to: string }>;
}
type HashField = (typeof HASH_FIELDS)[number];

const MESH = asSystem("keys");
/** Bytes as a key would be looked at anew for each HMAC, which costs eight times the HMAC itself. */
const pepperOf = (root: Uint8Array): KeyObject => createSecretKey(derive(root, "api key pepper"));

/**
 * `lastUsedAt` is written at most this often: it tells idle keys from busy ones, and a write costs as much as asking
 * whose the key is.
 */
const USED_EVERY_MS = 60_000;

/** Of the secret that stands, and of the one before it, which works for a while after a re-roll. */
const HASH_FIELDS = ["hash", "oldHash"] as const;

/** Keys that are asked for in one question at most. */
const MOST_ASKED = 100;

/** Whose a key is, which one it is of theirs, and what it may be used for. */
interface Holder {
  userId: string;
  id: string;
  limits: readonly string[];
}

const Removed = z.object({ id: TextId });

export default {
  name: "keys",
  metadata: { description: "API keys, with the scopes and limits of a program." },
  settings: { rest: "/" },
  mixins: [
    domain({
      entities: [ApiKey],
      learns: learnScopes,
      hears: [
        on(PasskeyAdded, async function (this: Host, { userId, forgetOthers }, { time }) {
          if (forgetOthers) await endAll(this, userId, time);
        }),
      ],
      personal: [{ what: "API keys", entity: ApiKey, by: "userId", erasure: "remove" }],
      schedules: { "note-use": { everyMs: USED_EVERY_MS, everywhere: true, run: noteUse } },
    }),
  ],

  actions: {
    create: endpoint({
      rest: "POST /keys",
      summary: "Create an API key",
      permit: "signed-in",
      returns: successWithMessage(NewKeyView),
      status: 201,
      description:
        "The secret is returned only here. A key may do what both its owner and its scopes allow: `read` " +
        "(the default), `write`, and names of domains that restrict it. A key cannot create keys.",
      body: {
        name: ApiKey.create.name,
        scopes: z.array(KnownScope).min(1).max(20).default(["read"]),
        expiresAt: Instant.optional(),
      },
      example: { name: "nightly export", scopes: ["read", "articles"] },
      errors: { 422: `There are ${MOST_KEYS} keys already.` },
      async handler(ctx) {
        const userId = owner(ctx);
        refusePast(ctx.params.expiresAt, this.world.clock.now());
        const { key, hash, keyPrefix } = mint((this as unknown as Keys).pepper);
        const made = await this.store(ApiKey).create(ctx, { ...ctx.params, userId, hash, keyPrefix });
        // A run that died before it answered is run again with another secret: the record takes that one.
        const kept = made.hash === hash ? made : await this.store(ApiKey).revise(ctx, made, { hash, keyPrefix });
        return { data: { ...kept, key }, message: "Keep the key now: it cannot be shown again." };
      },
    }),

    list: endpoint({
      rest: "GET /keys",
      summary: "List your API keys",
      permit: "signed-in",
      returns: successWithMessage(z.array(KeyView)),
      async handler(ctx) {
        const keys = await this.store(ApiKey).find(ctx, { userId: owner(ctx) }, { sort: ["-createdAt"] });
        return { data: keys, message: keys.length === 1 ? "1 key" : `${keys.length} keys` };
      },
    }),

    revoke: endpoint({
      rest: "DELETE /keys/:id",
      summary: "Revoke one of your API keys",
      permit: "signed-in",
      path: { id: TextId },
      returns: successWithMessage(Removed),
      async handler(ctx) {
        await remove(this, ctx, await mine(this, ctx));
        return { data: { id: ctx.params.id }, message: "The key is revoked." };
      },
    }),

    reroll: endpoint({
      rest: "POST /keys/:id/reroll",
      summary: "Rotate an API key's secret; the old one keeps working for a while",
      permit: "signed-in",
      beyond: true,
      path: { id: TextId },
      body: { graceMinutes: z.int().min(0).max(10_080).default(60) },
      returns: successWithMessage(NewKeyView),
      errors: { 409: "The key has expired, or an administrator switched it off." },
      async handler(ctx) {
        const key = await mine(this, ctx);
        refuseEnded(key, iso(this.world.clock.now()));
        const fresh = mint((this as unknown as Keys).pepper);
        const run = ctx.locals.repeatable?.seed;
        // A run that died before it answered is run again: the secret that nobody was told gives way, and the old one
        // works on.
        const old =
          run !== undefined && key.renewedIn === run
            ? { oldHash: key.oldHash, oldUntil: key.oldUntil! }
            : { oldHash: key.hash, oldUntil: iso(this.world.clock.now() + ctx.params.graceMinutes * 60_000) };
        const renewed = await this.store(ApiKey).revise(ctx, key, {
          hash: fresh.hash,
          keyPrefix: fresh.keyPrefix,
          ...old,
          renewedIn: run ?? null,
        });
        await AccessChanged.emit(ctx, { userId: key.userId });
        const until = [old.oldUntil, key.expiresAt ?? old.oldUntil].sort()[0];
        return { data: { ...renewed, key: fresh.key }, message: `The old secret works until ${until}.` };
      },
    }),

    "ownedKeys.list": endpoint({
      rest: "GET /admin/api-keys",
      summary: "List every user's API keys",
      permit: "platform:administer",
      query: { ...paging, userId: TextId.optional() },
      returns: successWithMessage(z.array(AnyKeyView)),
      async handler(ctx) {
        const { data, meta } = await this.store(ApiKey).page(ctx, ctx.params);
        return { data, message: `${data.length} of ${meta.total} keys, at most ${MOST_ROWS} a page` };
      },
    }),

    "ownedKeys.update": endpoint({
      rest: "PUT /admin/api-keys/:id",
      summary: "Enable or disable an API key",
      permit: "platform:administer",
      on: ApiKey,
      body: { isActive: z.boolean() },
      returns: success(AnyKeyView),
      example: { isActive: false },
      async handler(ctx, key) {
        const revised = await this.store(ApiKey).revise(ctx, key, { isActive: ctx.params.isActive });
        await AccessChanged.emit(ctx, { userId: key.userId });
        return revised;
      },
    }),

    "ownedKeys.remove": endpoint({
      rest: "DELETE /admin/api-keys/:id",
      summary: "Delete any API key",
      permit: "platform:administer",
      on: ApiKey,
      returns: success(Removed),
      async handler(ctx, key) {
        await remove(this, ctx, key);
        return { id: key.id };
      },
    }),

    heldBy: endpoint({
      summary: "The keys of an account",
      permit: "internal",
      body: { userId: TextId },
      returns: bare(z.array(KeyView)),
      handler(ctx) {
        return this.store(ApiKey).find(ctx, { userId: ctx.params.userId }, { sort: ["-createdAt"], limit: MOST_KEYS });
      },
    }),

    endAll: endpoint({
      summary: "Revoke every key of an account",
      permit: "internal",
      body: { userId: TextId },
      returns: bare(z.null()),
      async handler(ctx) {
        await endAll(this, ctx.params.userId, iso(this.world.clock.now()));
        return null;
      },
    }),

    holders: endpoint({
      summary: "Whose keys these are, each null where it is nobody's, or no longer; asked by gateways",
      permit: "internal",
      body: { credentials: z.array(z.string()).max(MOST_ASKED) },
      returns: bare(z.array(z.custom<Holder | null>(() => true))),
      handler(ctx) {
        return holdersOf(this as unknown as Keys, ctx.params.credentials);
      },
    }),

    identify: endpoint({
      summary: "Whose key this is; asked where gateway and keys are of two versions",
      permit: "internal",
      body: { credential: z.string(), address: z.string().optional() },
      returns: bare(z.custom<Actor | null>(() => true)),
      async handler(ctx) {
        const [holder] = await holdersOf(this as unknown as Keys, [ctx.params.credential]);
        const account = holder && (await this.ask<Omit<Actor, "via"> | null>("auth.actor", { userId: holder.userId }));
        return account ? { ...account, via: "key" as const, limits: holder.limits, credential: holder.id } : null;
      },
    }),
  },

  created(this: Keys) {
    [this.pepper, this.formerPeppers] = [pepperOf(this.world.secret), this.world.formerSecrets.map(pepperOf)];
    [this.used, this.aged] = [new Map(), new Map()];
  },
  async stopped(this: Keys) {
    await noteUse.call(this).catch(() => {});
  },
} satisfies MeshService;

/** The person who asks: a key is no person. */
function owner(ctx: Ctx<unknown>): string {
  const actor = ctx.meta.actor!;
  if (!isInPerson(actor)) throw forbidden("Keys are managed with a token or a session, not with a key.");
  return actor.userId;
}

async function holdersOf(keys: Keys, credentials: readonly string[]): Promise<(Holder | null)[]> {
  const peppers = [keys.pepper, ...keys.formerPeppers];
  const hashes = credentials.map((key) => (KEY_FORM.test(key) ? peppers.map((pepper) => hashOfKey(pepper, key)) : []));
  const now = iso(keys.world.clock.now());
  const found = await keysBy(keys, hashes);
  return hashes.map((own) => {
    const hash = own.find((one) => found.has(one));
    const key = hash === undefined ? undefined : found.get(hash)!;
    if (!key || !works(key, hash!, now)) return null;
    keys.used.set(key.id, now);
    if (hash !== own[0])
      keys.aged.set(hash!, { id: key.id, field: key.hash === hash ? "hash" : "oldHash", to: own[0]! });
    return { userId: key.userId, id: key.id, limits: limitsOf(key.scopes) };
  });
}

/**
 * Keys by the hashes that each may have. One look-up for nearly all: a secret that was replaced is looked for after those
 * that stand. Of those it can only have become one meanwhile, so none slips through.
 */
async function keysBy(host: Host, hashes: readonly (readonly string[])[]): Promise<Map<string, ApiKey>> {
  const found = new Map<string, ApiKey>();
  for (const field of HASH_FIELDS) {
    const asked = hashes.filter((own) => !own.some((hash) => found.has(hash))).flat();
    if (!asked.length) break;
    const any = asked.length === 1 ? asked[0]! : { $in: asked };
    for (const key of await host.store(ApiKey).find(MESH, { [field]: any })) found.set(key[field]!, key);
  }
  return found;
}

async function mine(host: Host, ctx: Ctx<{ id: string }>): Promise<ApiKey> {
  const key = await host.store(ApiKey).one(ctx, { _id: ctx.params.id, userId: owner(ctx) });
  if (!key) throw notFound("API key", ctx.params.id);
  return key;
}

async function remove(host: Host, ctx: Ctx<any>, key: ApiKey): Promise<void> {
  await host.store(ApiKey).remove(ctx, key);
  await AccessChanged.emit(ctx, { userId: key.userId });
}

/** Ends the keys that were there at that time; what was made since was made by whoever recovered the account. */
async function endAll(host: Host, userId: string, at: string): Promise<void> {
  await host.store(ApiKey).removeAll(MESH, { userId, createdAt: { $lte: at } });
  await AccessChanged.emit(host, { userId });
}

function refusePast(expiresAt: string | undefined, now: number): void {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now)
    throw invalid([{ path: "expiresAt", message: "This lies in the past." }]);
}

/**
 * Writes down when keys were last used, many in one write, without touching their revision. Those that were found under
 * an earlier root secret lie under this one from then on, unless their secret was replaced meanwhile.
 */
async function noteUse(this: Keys): Promise<void> {
  if (!this.used.size) return;
  const [used, aged] = [[...this.used], [...this.aged]];
  this.used.clear();
  this.aged.clear();
  await this.store(ApiKey).bulk([
    ...used.map(([_id, lastUsedAt]) => ({ update: { _id }, with: { $set: { lastUsedAt } } })),
    ...aged.map(([hash, { id, field, to }]) => ({
      update: { _id: id, [field]: hash },
      with: { $set: { [field]: to } },
    })),
  ]);
}
