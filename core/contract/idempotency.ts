import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { isConfirmed, type Actor } from "../access/access.ts";
import { actorOf, type Ctx } from "../access/caller.ts";
import { canonicalJson } from "../canonical-json.ts";
import { iso, SKEW_MS, steadily, type Clock } from "../clock.ts";
import { type Collection, type Doc, type Documents, insertOnce, opener } from "../records/documents.ts";
import { sha256 } from "../ids.ts";
import { conflict, Problem, tooMany } from "../problem.ts";
import { Repeatable } from "./repeatable.ts";
import type { Roots } from "../access/sealed.ts";
import { removeInSlices } from "../records/keeping/retention.ts";

/** The header, as refusals name it. */
export const KEY_HEADER = "Idempotency-Key";
const KEY_USED = `This ${KEY_HEADER} was used with another request.`;
/** How long an answer can be replayed. */
const KEEP_MS = 24 * 3_600_000;
/** How long a run may take before another node takes it for dead and runs the request again. */
const RUN_MS = 60_000;
const WAIT_MS = 15_000;
/** This process: an embedded store has one at a time, so that the runs of any other are over. */
const PROCESS = randomUUID();

/** The headers are kept too: a sign-in whose answer was lost still gives its cookie. */
interface Kept {
  value: unknown;
  status: number | undefined;
  rev: number | undefined;
  headers?: Record<string, string>;
  standing: Visibility;
}

/**
 * What the caller could see when the answer was made, as far as the answer depends on it: a credential's scopes, the
 * mode, problem sets with their compartments.
 */
interface Visibility {
  limits?: readonly string[];
  mode?: string;
  /** Marks of problem sets, and of each compartment that is held in one, see `marksOf`. */
  marks: string;
}

type Memberships = NonNullable<Actor["memberships"]>;
const MARK_BYTES = 8;
const marked = new WeakMap<Memberships, string>();

const markOf = (setId: string, compartment = ""): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([setId, compartment]))
    .digest()
    .subarray(0, MARK_BYTES);

/**
 * What memberships show, short enough to be kept with each answer: eight bytes for a set, and for each compartment.
 * Worked out once for the same memberships, which never change.
 */
function marksOf(memberships: Memberships): string {
  let marks = marked.get(memberships);
  if (marks === undefined) {
    const each = Object.entries(memberships).flatMap(([id, { compartments }]) => [
      markOf(id),
      ...compartments.map((one) => markOf(id, one)),
    ]);
    marked.set(memberships, (marks = Buffer.concat(each).toString("base64url")));
  }
  return marks;
}

const visibilityOf = ({ limits, mode, memberships }: Partial<Actor> = {}): Visibility => ({
  ...(limits && { limits }),
  ...(mode && { mode }),
  marks: memberships ? marksOf(memberships) : "",
});

/** Whether all marks of one text are in the other. */
function isWithin(marks: string, others: string): boolean {
  if (marks === others) return true;
  const each = (text: string): string[] => {
    const hex = Buffer.from(text, "base64url").toString("hex");
    return hex.match(new RegExp(`.{${2 * MARK_BYTES}}`, "g")) ?? [];
  };
  const held = new Set(each(others));
  return each(marks).every((mark) => held.has(mark));
}

/**
 * Whether the caller of now may be given the answer of then. An answer stored before marks existed is given to nobody.
 */
const covers = (now: Visibility, then: Visibility): boolean =>
  now.mode === then.mode &&
  (!now.limits || now.limits.join() === then.limits?.join()) &&
  typeof then.marks === "string" &&
  isWithin(then.marks, now.marks);

/** Whose request it is: the person's, or the credential's where that is what it ends. */
const idOf = (ctx: Ctx<unknown>, key: string): string =>
  sha256(`${ctx.meta.credentialMark ?? actorOf(ctx)}\n${ctx.action!.name}\n${key}`);

/**
 * Seconds that somebody without a confirmed account waits, by the address they come from, until another answer is kept
 * for them; 0 where there is room.
 */
export type WaitForRoom = (address: string | undefined) => Promise<number>;

/**
 * `Idempotency-Key` (decisions: "Envelopes and errors"): the same key by the same caller on the same action runs once;
 * its answer is replayed for 24 hours (to a caller who still sees as much: not to a key of theirs, nor after they were
 * read out of a compartment), and the same key with another request is 409. When a node dies inside a run, the next
 * repetition runs it again, and the ids of what it creates are derived from the key, so that nothing is made twice.
 * Answers are encrypted under the key itself, which is stored only as a hash: some of them hold a secret.
 */
export class Idempotency {
  readonly #clock: Clock;
  readonly #secrets: readonly Uint8Array[];
  readonly #collection: () => Promise<Collection>;
  readonly #waitForRoom: WaitForRoom;
  readonly #sleep: (milliseconds: number) => Promise<unknown>;
  readonly #isAlone: boolean;

  constructor(
    documents: Documents,
    clock: Clock,
    { secret, formerSecrets = [] }: Roots,
    waitForRoom: WaitForRoom = async () => 0,
    sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ) {
    this.#clock = clock;
    this.#secrets = [secret, ...formerSecrets];
    this.#waitForRoom = waitForRoom;
    this.#sleep = sleep;
    this.#isAlone = documents.kind === "embedded";
    this.#collection = opener(documents, "idempotency", { indexes: [{ fields: ["expiresAt"] }] });
  }

  /**
   * Runs once for this caller, action and key; `params` is the whole request, to tell another one under the same key.
   */
  async once<T>(ctx: Ctx<unknown>, key: string, params: unknown, run: () => Promise<T>): Promise<T> {
    const { actor, address } = ctx.meta;
    const wait = actor && isConfirmed(actor) ? 0 : await this.#waitForRoom(address);
    if (wait > 0)
      throw tooMany(
        "Too many requests under an Idempotency-Key came from there; leave it out, or try again later.",
        wait,
      );
    const id = idOf(ctx, key);
    const request = sha256(canonicalJson(params) ?? "");
    const records = await this.#collection();
    const mine = await this.#begin(records, id, request);
    if (mine !== "run") {
      const kept = this.#open(mine, key);
      if (!covers(visibilityOf(ctx.meta.actor), kept.standing))
        throw conflict("Your access has changed since this request was carried out; its answer is not told again.");
      return this.#replay(ctx, kept) as T;
    }
    ctx.locals.repeatable = new Repeatable(id);
    const standing = visibilityOf(ctx.meta.actor);
    try {
      const value = await run();
      const kept: Kept = {
        value,
        standing,
        status: ctx.meta.$statusCode,
        rev: ctx.meta.$rev,
        headers: ctx.meta.$responseHeaders,
      };
      await records.updateById(id, {
        $set: { state: "done", answer: this.#seal(kept, key), expiresAt: iso(this.#clock.now() + KEEP_MS) },
      });
      return value;
    } catch (error) {
      await records.removeById(id);
      throw error;
    }
  }

  /**
   * The answer to the request that ended this credential, which is nobody's now. What it could see cannot be compared
   * any more: the answer must hold nothing. Undefined where no such request was carried out.
   */
  async ofEnded(ctx: Ctx<unknown>, key: string, params: unknown): Promise<{ value: unknown } | undefined> {
    const id = idOf(ctx, key);
    const request = sha256(canonicalJson(params) ?? "");
    const records = await this.#collection();
    const deadline = steadily(this.#clock) + WAIT_MS;
    for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
      const before = await records.findById(id);
      const now = iso(this.#clock.now());
      if (before?.["request"] !== request || before["expiresAt"] <= now) return undefined;
      if (before["state"] === "done") return { value: this.#replay(ctx, this.#open(before, key)) };
      // The first is still at work, or its node died inside it.
      if (before["until"] <= now || steadily(this.#clock) >= deadline) return undefined;
      await this.#sleep(pause);
    }
  }

  #replay(ctx: Ctx<unknown>, { status, rev, headers, value }: Kept): unknown {
    ctx.meta.$statusCode = status;
    ctx.meta.$rev = rev;
    ctx.meta.$responseHeaders = { ...ctx.meta.$responseHeaders, ...headers, "Idempotency-Replayed": "true" };
    return value;
  }

  async #begin(records: Collection, id: string, request: string): Promise<Doc | "run"> {
    const deadline = steadily(this.#clock) + WAIT_MS;
    for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
      const now = this.#clock.now();
      const run = { by: PROCESS, until: iso(now + RUN_MS) };
      const fresh = { _id: id, request, state: "running", ...run, expiresAt: iso(now + KEEP_MS) };
      if (await insertOnce(records, fresh)) return "run";
      const before = await records.findById(id);
      if (!before) continue;
      if (before["request"] !== request) throw conflict(KEY_USED, [{ path: KEY_HEADER, message: KEY_USED }]);
      if (before["expiresAt"] <= iso(now)) await records.removeMany({ _id: id, expiresAt: before["expiresAt"] });
      else if (before["state"] === "done") return before;
      else if (before["until"] <= iso(now) || (this.#isAlone && before["by"] !== PROCESS)) {
        const asItWas = { _id: id, state: "running", until: before["until"], by: before["by"] ?? null };
        if (await records.updateMany(asItWas, { $set: run })) return "run";
      } else if (before["until"] > iso(now + RUN_MS + SKEW_MS)) {
        // It was written before the clock was set back: its time to live begins anew.
        await records.updateMany({ _id: id, state: "running", until: before["until"] }, { $set: { until: run.until } });
      } else if (steadily(this.#clock) >= deadline)
        throw new Problem(409, "CONFLICT", "A request with this Idempotency-Key is still running.", {
          headers: { "Retry-After": "5" },
        });
      else await this.#sleep(pause);
    }
  }

  #key(secret: Uint8Array, key: string, salt: Buffer): Buffer {
    return Buffer.from(hkdfSync("sha256", Buffer.concat([secret, Buffer.from(key)]), salt, "idempotent answer", 32));
  }

  #seal(kept: Kept, key: string): string {
    const salt = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key(this.#secrets[0]!, key, salt), salt);
    return Buffer.concat([salt, cipher.update(JSON.stringify(kept)), cipher.final(), cipher.getAuthTag()]).toString(
      "base64",
    );
  }

  #open(record: Doc, key: string): Kept {
    const sealed = Buffer.from(record["answer"], "base64");
    const salt = sealed.subarray(0, 12);
    for (const secret of this.#secrets) {
      const cipher = createDecipheriv("aes-256-gcm", this.#key(secret, key, salt), salt, {
        authTagLength: 16,
      }).setAuthTag(sealed.subarray(-16));
      const text = cipher.update(sealed.subarray(12, -16));
      try {
        return JSON.parse(Buffer.concat([text, cipher.final()]).toString());
      } catch {
        /* sealed under another of them */
      }
    }
    throw conflict("This request was carried out; its answer can no longer be read.");
  }

  /** Forgets what can no longer be replayed; answers how many. */
  async sweep(): Promise<number> {
    return removeInSlices(await this.#collection(), { expiresAt: { $lte: iso(this.#clock.now()) } }, "expiresAt");
  }
}
