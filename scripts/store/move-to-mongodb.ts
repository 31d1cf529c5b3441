import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lockFolder } from "../../adapters/folder-lock.ts";
import { examineStore } from "../../adapters/documents/sqlite/query/soundness.ts";
import { moveToMongo, survey, type Moved } from "../../adapters/moving/move.ts";
import { STORE } from "../../adapters/moving/source.ts";
import { MoveRefused, MoveTarget } from "../../adapters/moving/target.ts";
import { keptSecret, secretFile } from "../../adapters/root-secret.ts";
import { processEnv, type Env } from "../../config/env.ts";
import { isAway } from "../../core/problem.ts";
import { fingerprintOf } from "../../core/access/sealed.ts";
import { settingsHere } from "../refusal.ts";

/**
 * `npm run move-to-mongodb [-- --check]`: moves the embedded store of DATA_DIR, its files and readings included, to the
 * empty database of MONGO_URL, and reads all of it back. No node may run on either. `--check` looks whether it could be
 * done and changes nothing. Exits with 1 where it was not done.
 */
const number = (count: number): string => count.toLocaleString("en");

/** Without what MONGO_URL says of who signs in. */
function hostsOf(url: string): string {
  const [scheme, rest] = url.split("://") as [string, string];
  const authority = rest.split(/[/?]/, 1)[0]!;
  return `${scheme}://${authority.slice(authority.lastIndexOf("@") + 1)}`;
}

function wantsCheck(): boolean {
  try {
    return parseArgs({ options: { check: { type: "boolean" } } }).values.check === true;
  } catch {
    console.error("usage: MONGO_URL=mongodb://… npm run move-to-mongodb [-- --check]");
    process.exit(2);
  }
}

/** The store's own secret is at hand here, where MONGO_URL would need one of every node. */
function settings(): Env & { MONGO_URL: string } {
  const env = settingsHere(() =>
    processEnv(({ DATA_DIR = "./data", SECRET }) => {
      const secret = keptSecret(DATA_DIR);
      if (secret !== undefined) return { SECRET: secret };
      if (SECRET || existsSync(join(DATA_DIR, STORE))) return {};
      throw new MoveRefused(`There is no store in ${DATA_DIR}: is DATA_DIR right?`);
    }),
  );
  const { MONGO_URL } = env;
  if (MONGO_URL) return { ...env, MONGO_URL };
  console.error("MONGO_URL names no database: set it to the one that the store is to be moved to.");
  process.exit(2);
}

function sumUp(moved: Moved): string {
  return [
    `Moved, and read back as it was: ${number(moved.documents)} documents in ${moved.collections} collections, ` +
      `${number(moved.blobs)} files of ${number(moved.bytes)} bytes, ` +
      `${number(moved.readings)} readings in ${number(moved.series)} series.`,
    `  digest of the documents: ${moved.digest}`,
  ].join("\n");
}

async function main(): Promise<void> {
  const isCheck = wantsCheck();
  const env = settings();
  const { DATA_DIR: folder, MONGO_URL: url } = env;
  const of = fingerprintOf(Buffer.from(env.SECRET!, "hex"));
  const release = lockFolder(folder);
  if (existsSync(join(folder, STORE))) examineStore(join(folder, STORE));
  const target = await MoveTarget.open(url);
  try {
    if (isCheck) {
      const { documents, collections, blobs } = survey({ folder, of });
      const mark = await target.standing(of);
      console.log(
        `${number(documents)} documents in ${collections} collections and ${number(blobs)} files can be moved to the ` +
          `database ${target.name} at ${hostsOf(url)}` +
          `${mark ? `, where a move that was begun ${mark.begunAt} goes on.` : ", which is empty."}`,
      );
      return;
    }
    console.log(`Moving ${folder} to the database ${target.name} at ${hostsOf(url)} …`);
    const moved = await moveToMongo({ folder, target, url, of, say: (line) => console.log(line) });
    console.log(moved ? sumUp(moved) : "All of it was there already; its last word is said now.");
    const where = env.SECRET === keptSecret(folder) ? `${secretFile(folder)} holds` : "is set";
    console.log(
      `What was moved is kept in ${folder} as *.moved-*, where no node finds it: remove it once you have a backup.\n` +
        `Start each node with this MONGO_URL and with the SECRET that ${where}. ` +
        "The search index is made anew when the first node of news starts.",
    );
  } finally {
    await target.close();
    release();
  }
}

try {
  await main();
} catch (error) {
  const { message, cause } = error as Error;
  // What is said of a server that is away leaves open which, and why.
  console.error(isAway(error) && cause instanceof Error ? `${message} (${cause.message})` : message);
  process.exitCode = 1;
}
