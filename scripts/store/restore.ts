import { existsSync, globSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BLOBS } from "../../adapters/blobs/folder.ts";
import { isInUse, unpack, type Manifest } from "../../adapters/documents/backup.ts";
import { makeFolder } from "../../adapters/folder.ts";
import { lockFolder } from "../../adapters/folder-lock.ts";
import { keptSecret, secretFile } from "../../adapters/root-secret.ts";
import { isDiskFull } from "../../core/problem.ts";
import { fingerprintOf } from "../../core/access/sealed.ts";
import { fileAndFlags } from "../arguments.ts";
import { reportOn } from "./backup-report.ts";
import { settingsHere } from "../refusal.ts";

/**
 * `npm run restore -- FILE [--replace] [--check]`: makes the embedded store of a backup, after examining it whole. No
 * node may run on DATA_DIR. A store that is there already is only replaced when told, and kept aside. The next start
 * builds the search index anew. `--check` examines and changes nothing.
 */
const { file, flags } = fileAndFlags("npm run restore -- FILE [--replace] [--check]", ["replace", "check"]);
const env = settingsHere();
const store = join(env.DATA_DIR, "signalmesh.db");

/** Why the root secret at hand does not fit the backup's, in words; undefined where it does. */
function misfit({ fingerprint, secret }: Manifest): string | undefined {
  const here = env.SECRET ?? (secret ? undefined : keptSecret(env.DATA_DIR));
  if (here && fingerprintOf(Buffer.from(here, "hex")) !== fingerprint)
    return "The backup was made under another root secret than this one: what is encrypted in it could not be read.";
  if (!here && !secret) return "The backup holds no root secret: give it as SECRET.";
  return undefined;
}

/**
 * Moves aside what is there, under the moment's name: what is left of the log of a store that was damaged must not be
 * taken for the new one's. Answers what puts it back in the place of whatever came there since.
 */
function setAside(paths: readonly string[], moment: string): () => void {
  const moved = paths.filter((path) => existsSync(path));
  for (const path of moved) renameSync(path, `${path}.before-${moment}`);
  return () => {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
    for (const path of moved) renameSync(`${path}.before-${moment}`, path);
  };
}

/** A disk that fills up, or a file that cannot be read to its end, costs nothing that was there. */
async function unpackOr(putBack: () => void): Promise<void> {
  try {
    await unpack(file, store);
  } catch (error) {
    for (const rest of globSync("signalmesh.db.partial*", { cwd: env.DATA_DIR }))
      rmSync(join(env.DATA_DIR, rest), { recursive: true });
    putBack();
    const why = isDiskFull(error) ? "its disk is full" : (error as Error).message;
    throw new Error(`Nothing was restored to ${env.DATA_DIR}, and what was there is as before: ${why}.`, {
      cause: error,
    });
  }
}

async function restore(): Promise<void> {
  const { text, faults, manifest } = await reportOn(file);
  console.log(text);
  if (faults.length) throw new Error("It is not restored.");
  const unfit = misfit(manifest);
  if (unfit) throw new Error(unfit);
  if (flags.has("check")) return;
  if (env.MONGO_URL) throw new Error("MONGO_URL is set: a backup is restored to the embedded store.");
  const made = makeFolder(env.DATA_DIR);
  if (existsSync(store)) {
    if (!flags.has("replace")) throw new Error(`${store} exists: --replace keeps it aside and restores.`);
    if (isInUse(store)) throw new Error(`${store} is in use: stop every node that runs on it first.`);
  }
  const release = lockFolder(env.DATA_DIR);
  try {
    await makeStore(manifest);
  } catch (error) {
    release();
    if (made) rmSync(made, { recursive: true });
    throw error;
  }
  release();
  console.log(`Restored to ${store}. The next start builds the search index anew.`);
}

/** In a folder that is this process's own. */
async function makeStore(manifest: Manifest): Promise<void> {
  const moment = new Date().toISOString().replaceAll(":", "-");
  const stores = ["", "-wal", "-shm"].map((side) => `${store}${side}`);
  await unpackOr(setAside([...stores, join(env.DATA_DIR, BLOBS)], moment));
  if (manifest.secret && !env.SECRET) {
    setAside([secretFile(env.DATA_DIR)], moment);
    writeFileSync(secretFile(env.DATA_DIR), `${manifest.secret}\n`, { mode: 0o600, flush: true });
  }
  for (const index of globSync("search*.db*", { cwd: env.DATA_DIR })) rmSync(join(env.DATA_DIR, index));
}

try {
  await restore();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
