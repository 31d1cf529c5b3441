import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { BLOBS } from "../blobs/folder.ts";
import { syncFolder } from "../folder.ts";
import { moveBlobs, type MovedBlobs } from "./blobs.ts";
import { moveReadings, type MovedReadings } from "./readings.ts";
import { MoveSource, MOST_AT_ONCE, STORE } from "./source.ts";
import { HashSum } from "./hash-sum.ts";
import { MoveRefused, type MoveMark, type MoveTarget } from "./target.ts";

const SAY_EVERY_MS = 5_000;

/** What is moved where. The caller must have exclusive access to the folder. */
export interface Move {
  folder: string;
  target: MoveTarget;
  url: string;
  /** Fingerprint of the root secret. */
  of: string;
  /** Reports progress, a line at a time. */
  say(line: string): void;
}

export interface Moved {
  collections: number;
  documents: number;
  digest: string;
  blobs: number;
  bytes: number;
  readings: number;
  series: number;
}

const number = (count: number): string => count.toLocaleString("en");

/** Opens the source, or refuses what is no store to be moved. @throws MoveRefused */
function openSource({ folder, of }: Pick<Move, "folder" | "of">): MoveSource {
  if (!existsSync(join(folder, STORE))) throw new MoveRefused(`There is no store in ${folder}: is DATA_DIR right?`);
  const source = new MoveSource(folder);
  const kept = source.fingerprint();
  if (kept === undefined || kept === of) return source;
  source.close();
  throw new MoveRefused(
    `The store is under another root secret (fingerprint ${kept}) than the one at hand (${of}): set SECRET as its ` +
      "node has it; where it was changed, start that node once before.",
  );
}

/** What would be moved, as far as that is known without reading everything. */
export function survey(move: Pick<Move, "folder" | "of">): { collections: number; documents: number; blobs: number } {
  const source = openSource(move);
  try {
    const counts = Object.values(source.collections());
    const documents = counts.reduce((sum, count) => sum + count, 0);
    return { collections: counts.length, documents, blobs: source.blobs().length };
  } finally {
    source.close();
  }
}

/**
 * Moves an embedded store to an empty database, reads everything back, and sets the store aside, so that no two nodes
 * work on one store in two places. After an interruption it continues with what is there. @throws MoveRefused
 */
export async function moveToMongo(move: Move): Promise<Moved | undefined> {
  const { target, folder } = move;
  const mark = await target.standing(move.of);
  // Everything was moved and the store set aside: only the final mark is missing.
  if (mark?.verifiedAt && !existsSync(join(folder, STORE))) {
    setAside(folder, mark);
    await target.finish(mark);
    return undefined;
  }
  const source = openSource(move);
  let moved: Moved, verified: MoveMark;
  try {
    const begun = await begin(move, source, mark);
    moved = await copied(move, source);
    verified = { ...begun, verifiedAt: new Date().toISOString() };
    await target.begin(verified);
  } finally {
    source.close();
  }
  setAside(folder, verified);
  await target.finish(verified);
  return moved;
}

async function begin({ target, of, say }: Move, source: MoveSource, mark?: MoveMark): Promise<MoveMark> {
  const starts = source.starts();
  if (mark?.starts === starts) {
    say(`Going on with the move that was begun ${mark.begunAt}.`);
    return mark;
  }
  const begun: MoveMark = { of, starts, begunAt: new Date().toISOString() };
  await target.begin(begun);
  if (!mark) return begun;
  say("A node ran on the store since its move was begun: it is begun anew.");
  await target.empty();
  return begun;
}

async function copied(move: Move, source: MoveSource): Promise<Moved> {
  const sent = new Map<string, HashSum>();
  for (const [name, count] of Object.entries(source.collections()))
    sent.set(name, await copyCollection(move, source, name, count));
  const blobs = await moveBlobs(source, move.url);
  const readings = await moveReadings(source, move.target, move.url);
  move.say("Everything is there. Reading it back …");
  const faults = [...faultsOf(blobs, readings), ...(await differences(move.target, sent))];
  if (!faults.length) return summedUp(sent, blobs, readings);
  throw new MoveRefused(
    `What was read back is not what was stored:\n${faults.map((fault) => `  ${fault}`).join("\n")}\n` +
      `The store in ${move.folder} is as it was. Drop the database ${move.target.name} and move it again.`,
  );
}

function faultsOf({ differing }: MovedBlobs, { stored, latest }: MovedReadings): string[] {
  const faults = differing.map((id) => `file ${id}: its bytes are not those that were stored`);
  for (const [what, [sent, found]] of [["readings", stored] as const, ["series", latest] as const])
    if (!sent.equals(found)) faults.push(`${what}: ${difference(sent, found)}`);
  return faults;
}

const difference = (sent: HashSum, found: HashSum): string =>
  `${found.count === sent.count ? "they differ" : `${number(found.count)} are there`}, of ${number(sent.count)}`;

function summedUp(sent: ReadonlyMap<string, HashSum>, blobs: MovedBlobs, { stored, latest }: MovedReadings): Moved {
  const all = [...sent.values()];
  return {
    collections: all.length,
    documents: all.reduce((count, one) => count + one.count, 0),
    digest: digestOf(sent),
    blobs: blobs.count,
    bytes: blobs.bytes,
    readings: stored[0].count,
    series: latest[0].count,
  };
}

async function copyCollection(
  { target, say }: Move,
  source: MoveSource,
  name: string,
  count: number,
): Promise<HashSum> {
  const sum = new HashSum();
  const known = await target.count(name);
  let said = performance.now();
  for (const docs of source.documents(name)) {
    for (const doc of docs) sum.add(doc);
    // An earlier attempt's documents, complete except perhaps for the last part, are read back with the rest.
    if (known < count && sum.count > known - MOST_AT_ONCE) await target.add(name, docs);
    if (performance.now() - said < SAY_EVERY_MS) continue;
    said = performance.now();
    say(`  ${name}: ${number(sum.count)} of ${number(count)}`);
  }
  return sum;
}

async function differences(target: MoveTarget, sent: ReadonlyMap<string, HashSum>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, sum] of sent) {
    const found = new HashSum();
    for await (const doc of target.documents(name)) found.add(doc);
    if (!found.equals(sum)) faults.push(`${name}: ${difference(sum, found)}`);
  }
  const strange = (await target.collections()).filter((name) => !sent.has(name));
  return [...faults, ...strange.map((name) => `${name}: is in no such store`)];
}

/** One for all collections. */
function digestOf(sent: ReadonlyMap<string, HashSum>): string {
  const all = new HashSum();
  for (const [name, { count, digest }] of sent) all.add([name, count, digest]);
  return all.digest;
}

/**
 * Renames the store, so that no node finds it there; to go back, rename it again. The store first: what a kill leaves
 * of the rest is in no node's way, and is renamed next time.
 */
function setAside(folder: string, { verifiedAt }: MoveMark): void {
  for (const name of [STORE, BLOBS]) {
    const path = join(folder, name);
    if (existsSync(path)) renameSync(path, `${path}.moved-${verifiedAt!.replaceAll(":", "-")}`);
  }
  // After this, even a power cut leaves no second store in place.
  syncFolder(folder);
}
