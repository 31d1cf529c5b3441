import { join } from "node:path";
import { backUp } from "../../adapters/documents/backup.ts";
import { keptSecret, secretFile } from "../../adapters/root-secret.ts";
import { VERSION } from "../../config/version.ts";
import { fingerprintOf } from "../../core/access/sealed.ts";
import { isDiskFull } from "../../core/problem.ts";
import { fileAndFlags } from "../arguments.ts";
import { reportOn } from "./backup-report.ts";
import { settingsHere } from "../refusal.ts";

/**
 * `npm run backup -- FILE [--without-secret]`: copies the embedded store, its blobs included, into one file while nodes go on writing; what
 * was acknowledged before it began is in it. The search index is not: it is built anew from the store. Exits with 1
 * when the copy is not whole.
 */
const { file, flags } = fileAndFlags("npm run backup -- FILE [--without-secret]", ["without-secret"]);
const env = settingsHere();
if (env.MONGO_URL) {
  console.error(
    "The documents are in MongoDB: back that up with mongodump, which takes the blobs (blobs.files, " +
      "blobs.chunks) along.",
  );
  process.exit(2);
}

/** SQLite and the system name neither the file nor what would help. */
function wordsOf(error: NodeJS.ErrnoException): string {
  if (isDiskFull(error))
    return `The disk of ${file} has no room for a backup, of which nothing is left there: name another.`;
  if (error.code === "ENOENT") return `There is no folder for ${file}: make it, or name another place.`;
  return error.message;
}

try {
  const secret = env.SECRET ?? keptSecret(env.DATA_DIR);
  if (!secret) {
    console.error(`There is no root secret, neither in SECRET nor at ${secretFile(env.DATA_DIR)}: is DATA_DIR right?`);
    process.exit(2);
  }
  await backUp(join(env.DATA_DIR, "signalmesh.db"), file, {
    version: VERSION,
    madeAt: new Date().toISOString(),
    fingerprint: fingerprintOf(Buffer.from(secret, "hex")),
    // A secret from the environment is kept wherever that comes from.
    ...(!env.SECRET && !flags.has("without-secret") && { secret }),
  });
  const { text, faults } = await reportOn(file);
  console.log(text);
  if (env.SECRET_PREVIOUS.length)
    console.log("  keep what SECRET_PREVIOUS names as well: what was sealed under those opens under no other");
  process.exitCode = faults.length ? 1 : 0;
} catch (error) {
  console.error(wordsOf(error as NodeJS.ErrnoException));
  process.exitCode = 1;
}
