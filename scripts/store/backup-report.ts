import type { DatabaseSync } from "node:sqlite";
import { examine, type Examined } from "../../adapters/documents/backup.ts";
import { Recomputation, type Entry } from "../../core/records/audit.ts";

/**
 * Recomputes the audit log of an open store, chain by chain as its keys lie; counts them and names what was changed.
 */
function auditOf(database: DatabaseSync): { chains: number; entries: number; faults: string[] } {
  const found = new Recomputation();
  if (database.prepare("select 1 from sqlite_schema where type = 'table' and name = 'audit'").get()) {
    for (const row of database.prepare("select id, json(doc) as doc from audit order by id").iterate() as Iterable<{
      id: string;
      doc: string;
    }>)
      found.take({ ...(JSON.parse(row.doc) as Entry), _id: row.id });
  }
  return {
    chains: found.chains,
    entries: found.entries,
    faults: found.faults.map(({ chain, seq, what }) => `audit, ${chain} entry ${seq}: ${what}`),
  };
}

export interface Report extends Examined {
  text: string;
}

/** Examines a backup whole, its audit log included, and says in words how it is. */
export async function reportOn(path: string): Promise<Report> {
  let audit = { chains: 0, entries: 0, faults: [] as string[] };
  const examined = await examine(path, (database) => (audit = auditOf(database)).faults);
  const { manifest, faults, sha256: digest, bytes } = examined;
  const counts = Object.values(manifest.collections);
  const lines = [
    `${path}: ${bytes} bytes, SHA-256 ${digest}`,
    `  made ${manifest.madeAt} by version ${manifest.version}, ` +
      `${manifest.secret ? "with the root secret: keep it as safe as that" : "without the root secret: keep that too, somewhere else"}`,
    `  ${counts.reduce((sum, count) => sum + count, 0)} documents in ${counts.length} collections`,
    ...(manifest.blobs?.count ? [`  ${manifest.blobs.count} files of ${manifest.blobs.bytes} bytes`] : []),
    `  ${audit.entries} audit entries in ${audit.chains} chains`,
    faults.length
      ? `  NOT WHOLE:\n${faults.map((fault) => `    ${fault}`).join("\n")}`
      : "  whole: pages, counts and audit chains hold",
  ];
  return { ...examined, text: lines.join("\n") };
}
