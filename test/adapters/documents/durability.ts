import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { vouched, type Orders } from "./vouched.ts";

let root = "";
let serial = 0;

/** Gives the tests of a file a place for directories of their own. */
export function withDirectories(): void {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "durability-"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
}

/** A path nobody has used. */
export const freshPath = (): string => join(root, String(++serial));

/** An empty directory. */
export function directory(): string {
  const path = freshPath();
  mkdirSync(path);
  return path;
}

/** The arguments by which Node runs a writer. */
export const order = (dataDir: string, orders: Orders): string[] => [
  join(import.meta.dirname, "writer.ts"),
  dataDir,
  JSON.stringify(orders),
];

export const acknowledged = (said: string): string[] => [...said.matchAll(/^\+(.+)\n/gm)].map(([, id]) => id!);
export const refused = (said: string): string[] => [...said.matchAll(/^-(.+)\n/gm)].map(([, id]) => id!);

/** Runs a writer to its end, and answers what it said. */
export async function ran(child: ChildProcess): Promise<string> {
  let said = "";
  let complaints = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The writer ended with ${code}: ${complaints.slice(-2000)}`);
  return said;
}

export interface Finding {
  missing: string[];
  torn: string[];
  /** SQLite's own verdict on its file. */
  integrity: unknown;
  /** How many documents the index of elements has too many or too few. */
  astray: number;
}
export const UNHURT: Finding = { missing: [], torn: [], integrity: "ok", astray: 0 };

/** Looks through the store of a directory for documents that were acknowledged. */
export async function examined(dataDir: string, ids: readonly string[]): Promise<Finding> {
  const store = new EmbeddedDocuments(dataDir);
  const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
  const held = new Map(
    (await documents.find({ query: { sum: { $exists: true } } })).map((doc) => [String(doc._id), doc]),
  );
  const tagged = await Promise.all([0, 1, 2, 3, 4].map((n) => documents.count({ query: { tags: `t${n}` } })));
  const verdict = await store.read((database) => database.prepare("pragma integrity_check").get());
  await store.close();
  return {
    missing: ids.filter((id) => !held.has(id)),
    torn: [...held].filter(([id, doc]) => JSON.stringify(doc) !== JSON.stringify(vouched(id))).map(([id]) => id),
    integrity: verdict!["integrity_check"],
    astray: tagged.reduce((sum, count) => sum + count, 0) - held.size,
  };
}
