import { existsSync, globSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BLOBS } from "../adapters/blobs/folder.ts";
import { isInUse, unpack, type Manifest } from "../adapters/documents/backup.ts";
import { makeFolder } from "../adapters/folder.ts";
import { lockFolder } from "../adapters/folder-lock.ts";
import { keptSecret, secretFile } from "../adapters/root-secret.ts";
import { processEnv } from "../config/env.ts";
import { fingerprintOf } from "../core/access/sealed.ts";
import { reportOn } from "./backup-report.ts";

/**
 * `npm run restore -- FILE [--replace] [--check]`: makes the embedded store of a backup, after examining it whole. No
 * node may run on DATA_DIR. A store that is there already is only replaced when told, and kept aside. The next start
 * builds the search index anew. `--check` examines and changes nothing.
 */
const {
  positionals: [file],
  values,
} = parseArgs({ allowPositionals: true, options: { replace: { type: "boolean" }, check: { type: "boolean" } } });
if (!file) {
  console.error("usage: npm run restore -- FILE [--replace] [--check]");
  process.exit(2);
}
const env = processEnv();
const store = join(env.DATA_DIR, "signalmesh.db");

/** Why the root secret at hand does not fit the backup's, in words; undefined where it does. */
function misfit({ fingerprint, secret }: Manifest): string | undefined {
  const here = env.SECRET ?? (secret ? undefined : keptSecret(env.DATA_DIR));
  if (here && fingerprintOf(Buffer.from(here, "hex")) !== fingerprint)
    return "The backup was made under another root secret than this one: what is encrypted in it could not be read.";
  if (!here && !secret) return "The backup holds no root secret: give it as SECRET.";
  return undefined;
}

/** Moves what is there aside, under the moment's name. */
function aside(path: string, moment: string): void {
  if (existsSync(path)) renameSync(path, `${path}.before-${moment}`);
}

async function restore(): Promise<void> {
  const { text, faults, manifest } = await reportOn(file!);
  console.log(text);
  if (faults.length) throw new Error("It is not restored.");
  const unfit = misfit(manifest);
  if (unfit) throw new Error(unfit);
  if (values.check) return;
  if (env.MONGO_URL) throw new Error("MONGO_URL is set: a backup is restored to the embedded store.");
  makeFolder(env.DATA_DIR);
  if (existsSync(store)) {
    if (!values.replace) throw new Error(`${store} exists: --replace keeps it aside and restores.`);
    if (isInUse(store)) throw new Error(`${store} is in use: stop every node that runs on it first.`);
  }
  const release = lockFolder(env.DATA_DIR);
  const moment = new Date().toISOString().replaceAll(":", "-");
  // What is left of the log of a store that was damaged must not be taken for the new one's.
  for (const side of ["", "-wal", "-shm"]) aside(`${store}${side}`, moment);
  aside(join(env.DATA_DIR, BLOBS), moment);
  await unpack(file!, store);
  if (manifest.secret && !env.SECRET) {
    aside(secretFile(env.DATA_DIR), moment);
    writeFileSync(secretFile(env.DATA_DIR), `${manifest.secret}\n`, { mode: 0o600, flush: true });
  }
  for (const index of globSync("search*.db*", { cwd: env.DATA_DIR })) rmSync(join(env.DATA_DIR, index));
  release();
  console.log(`Restored to ${store}. The next start builds the search index anew.`);
}

try {
  await restore();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
