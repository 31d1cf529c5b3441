import { readFile } from "node:fs/promises";
import { entryId, type Entry } from "../../core/records/audit.ts";
import { byChain, AuditCheckpoint, verifyLog } from "../../services/platform/audit/audit.ts";

/**
 * `npm run audit-verify -- export.ndjson [checkpoint.json]`: checks an exported audit log offline, entry by entry, and
 * against a checkpoint that was kept elsewhere. Exits with 1 when anything was changed.
 */
const [logFile, checkpointFile] = process.argv.slice(2);
if (!logFile) {
  console.error("usage: npm run audit-verify -- export.ndjson [checkpoint.json]");
  process.exit(2);
}
const entries = (await readFile(logFile, "utf8"))
  .split("\n")
  .filter(Boolean)
  .map((line): Entry => {
    const { chain, seq, ...rest } = JSON.parse(line) as Entry;
    return { ...rest, _id: entryId(chain, seq), chain, seq };
  });
const checkpoint = checkpointFile
  ? AuditCheckpoint.parse(unwrapped(JSON.parse(await readFile(checkpointFile, "utf8"))))
  : undefined;
const { ok, chains, entries: count, faults } = verifyLog(byChain(entries), checkpoint);
for (const { chain, seq, what } of faults) console.log(`${chain} entry ${seq}: ${what}`);
console.log(
  ok
    ? `${count} entries in ${chains} chains hold${checkpoint ? " against the checkpoint" : ""}.`
    : "The log was changed.",
);
process.exitCode = ok ? 0 : 1;

/** As the API answers it, `{data}`, or bare. */
function unwrapped(given: unknown): unknown {
  return (given as { data?: unknown }).data ?? given;
}
