import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../config/env.ts";
import type { Exposition, Labels } from "../core/load/metrics.ts";

/** The files of each store, with their logs. */
const STORES: Readonly<Record<string, RegExp>> = {
  documents: /^signalmesh\.db(-wal)?$/,
  search: /^search.*\.db(-wal)?$/,
};

async function bytesOf(folder: string, names: readonly string[]): Promise<number> {
  // An index that was replaced is removed at any moment.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What the embedded stores take up, and the room on their disk; nothing of a node that keeps nothing on one. */
export async function tellOfDisk({ MONGO_URL, DATA_DIR: folder }: Env, exposition: Exposition): Promise<void> {
  if (MONGO_URL || folder === ":memory:") return;
  const names = await readdir(folder);
  const sizes = await Promise.all(
    Object.entries(STORES).map(async ([what, files]): Promise<[Labels, number]> => [
      { what },
      await bytesOf(
        folder,
        names.filter((name) => files.test(name)),
      ),
    ]),
  );
  const { bsize, blocks, bavail } = await statfs(folder);
  exposition
    .family(
      "signalmesh_store_bytes",
      "gauge",
      "What the embedded stores take up; uploaded files are not among it.",
      sizes,
    )
    .family("signalmesh_disk_bytes", "gauge", "Size of the disk that DATA_DIR lies on, and what is left of it.", [
      [{ what: "size" }, bsize * blocks],
      [{ what: "available" }, bsize * bavail],
    ]);
}
