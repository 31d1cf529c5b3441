import { randomBytes } from "node:crypto";
import { globSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../config/env.ts";
import { insertOnce, type Collection, type Documents } from "../core/records/documents.ts";
import { fingerprintOf } from "../core/access/sealed.ts";
import { syncFolder, writeSecretly } from "./folder.ts";
import { StartRefused } from "../core/start-refused.ts";

/** Where a store keeps the fingerprint of its root secret. */
export const COLLECTION = "root_secret",
  ROOT = "root";
/** Replaces the fingerprint while a store is still being moved. */
export const MOVING = "moving";
/** The value of SECRET_LOST for a store made before stores kept a fingerprint. */
const UNKNOWN = "unknown";

export const secretFile = (dataDir: string): string => join(dataDir, "secret");
/** A secret that no store knows yet: during a first start, until the store has its fingerprint. */
const draftFile = (dataDir: string): string => `${secretFile(dataDir)}.begun`;

/**
 * The root secret in a file, as 64 hexadecimal characters; undefined where there is no file. @throws StartRefused where
 * the file is invalid, or cannot be read
 */
function readSecret(path: string): string | undefined {
  let text: string;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isFile()) throw new StartRefused(`${path} is no file, and the root secret belongs there.`);
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(`The root secret ${path} cannot be read (${code}): is its owner right?`, { cause: error });
  }
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  const what = text ? `it holds ${text.length} characters` : "it is empty";
  throw new StartRefused(
    `${path} holds no root secret, which is 64 hexadecimal characters: ${what}. ` +
      "Put back the one that the store was made under; where it is lost for good, move this file away, " +
      "and the next start says how to go on.",
  );
}

/** The root secret in DATA_DIR. @throws StartRefused where the file is invalid */
export const keptSecret = (dataDir: string): string | undefined => readSecret(secretFile(dataDir));

/** Written atomically, and readable by its owner alone. */
function writeDraft(dataDir: string, secret: Buffer): void {
  writeSecretly(draftFile(dataDir), secret.toString("hex"));
}

function keepDraft(dataDir: string): void {
  renameSync(draftFile(dataDir), secretFile(dataDir));
  syncFolder(dirname(secretFile(dataDir)));
}

type Settings = Pick<Env, "DATA_DIR" | "SECRET" | "SECRET_PREVIOUS" | "SECRET_LOST">;

/** `begun` tells whether the embedded store has any content. */
export interface Rooted {
  env: Settings;
  documents: Documents;
  begun: boolean;
}

/** A root secret that is confirmed as the store's own. */
export interface RootSecret {
  secret: Buffer;
  /** Fingerprints of former secrets that are not available: what is sealed with them cannot be opened. */
  missing: readonly string[];
}
const alone = (secret: Buffer): RootSecret => ({ secret, missing: [] });

interface Root {
  fingerprint?: string;
  /** Former secrets that were named when they were replaced. */
  former?: readonly string[];
}

/**
 * The root secret: from SECRET, from DATA_DIR, or made for a new store; it is checked against the store's fingerprint.
 * A store with another secret, or one of the two without the other, is left for the operator to decide. @throws
 * StartRefused
 */
export async function rootSecretOf({ env, documents, begun }: Rooted): Promise<RootSecret> {
  if (env.SECRET) return recognised(Buffer.from(env.SECRET, "hex"), "SECRET", env, documents);
  if (env.DATA_DIR === ":memory:") return alone(randomBytes(32));
  const path = secretFile(env.DATA_DIR),
    kept = keptSecret(env.DATA_DIR);
  if (!kept) return begun ? withoutSecret(env, documents) : began(env.DATA_DIR, await documents.collection(COLLECTION));
  if (!begun && wasMoved(env.DATA_DIR))
    throw new StartRefused(
      `The store of ${env.DATA_DIR} was moved to MongoDB: MONGO_URL says where, and SECRET is what ${path} holds. ` +
        "What it was before is beside it, as *.moved-*.",
    );
  if (!begun)
    throw new StartRefused(
      `There is a root secret (${path}), and no store beside it: was the store moved, ` +
        "or is its disk not mounted? Put it back, or restore a backup (`npm run restore -- FILE`); " +
        "to begin anew, move the secret away first.",
    );
  return recognised(Buffer.from(kept, "hex"), path, env, documents);
}

const wasMoved = (dataDir: string): boolean => globSync("signalmesh.db.moved-*", { cwd: dataDir }).length > 0;

const rootIn = async (roots: Collection): Promise<Root> => ((await roots.findById(ROOT)) as Root | null) ?? {};

/** A store without a fingerprint adopts this secret; after a change of the secret, the store's record is updated. */
async function recognised(secret: Buffer, from: string, env: Settings, documents: Documents): Promise<RootSecret> {
  const fingerprint = fingerprintOf(secret);
  const roots = await documents.collection(COLLECTION);
  const { fingerprint: known } = await rootIn(roots);
  if (known === MOVING)
    throw new StartRefused(
      "An embedded store is being moved to this database, and is not all there. Where nobody is moving it now, " +
        "`npm run move-to-mongodb` on its DATA_DIR goes on where it stopped; no node is started before it has ended.",
    );
  if (known === undefined) await insertOnce(roots, { _id: ROOT, fingerprint });
  const named = env.SECRET_PREVIOUS.map((hex) => fingerprintOf(Buffer.from(hex.replace("!", ""), "hex")));
  if (known !== undefined && known !== fingerprint) await follow(roots, known, fingerprint, named, env.SECRET_LOST);
  // Several nodes may start for the first time together: one of them was first.
  const { fingerprint: now, former = [] } = await rootIn(roots);
  if (now === fingerprint) return { secret, missing: await missingOf(roots, former, [...named, now], env.SECRET_LOST) };
  throw new StartRefused(
    `The store is under another root secret (fingerprint ${now}) ` +
      `than that of ${from} (${fingerprint}). ` +
      "Give it its own; where it was changed on purpose, name the one before in SECRET_PREVIOUS; " +
      `where that is lost for good, SECRET_LOST=${now} goes on under this one, and what is encrypted stays shut.`,
  );
}

/** Replaces the former secret where it is named; the store remembers that something may be sealed with it. */
async function follow(
  roots: Collection,
  before: string,
  fingerprint: string,
  named: readonly string[],
  lost: string | undefined,
): Promise<void> {
  const current = { _id: ROOT, fingerprint: before };
  if (named.includes(before)) await roots.updateMany(current, { $set: { fingerprint }, $addToSet: { former: before } });
  else if (lost === before) await roots.updateMany(current, { $set: { fingerprint } });
}

/** Former secrets that are not available, except one that is given up. */
async function missingOf(
  roots: Collection,
  former: readonly string[],
  named: readonly string[],
  lost: string | undefined,
): Promise<string[]> {
  const missing = former.filter((one) => !named.includes(one));
  if (lost === undefined || !missing.includes(lost)) return missing;
  await roots.updateMany({ _id: ROOT }, { $pull: { former: lost } });
  return missing.filter((one) => one !== lost);
}

/** Completes an interrupted first start; otherwise the operator must say that the secret is lost. */
async function withoutSecret({ DATA_DIR, SECRET_LOST }: Settings, documents: Documents): Promise<RootSecret> {
  const roots = await documents.collection(COLLECTION);
  const { fingerprint: known } = await rootIn(roots);
  const draft = readSecret(draftFile(DATA_DIR));
  if (draft && fingerprintOf(Buffer.from(draft, "hex")) === known) {
    keepDraft(DATA_DIR);
    return alone(Buffer.from(draft, "hex"));
  }
  if (SECRET_LOST === (known ?? UNKNOWN)) return began(DATA_DIR, roots, known);
  const places = `${secretFile(DATA_DIR)} nor SECRET`;
  throw new StartRefused(
    `There is a store in ${DATA_DIR}, and no root secret: neither ${places}. ` +
      "What is encrypted cannot be read without it. Put it back; " +
      `where it is lost for good, SECRET_LOST=${known ?? UNKNOWN} ` +
      "goes on under a new one, and what is encrypted stays shut.",
  );
}

/** A new secret: the store gets its fingerprint before the secret is in place, so that a kill leaves neither alone. */
async function began(dataDir: string, roots: Collection, before?: string): Promise<RootSecret> {
  const secret = randomBytes(32),
    fingerprint = fingerprintOf(secret);
  writeDraft(dataDir, secret);
  if (before === undefined) await insertOnce(roots, { _id: ROOT, fingerprint });
  else await roots.updateMany({ _id: ROOT, fingerprint: before }, { $set: { fingerprint } });
  keepDraft(dataDir);
  return alone(secret);
}
