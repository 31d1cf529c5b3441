import { z } from "zod";
import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { isConflict, isNotFound, nullIf, Problem } from "../../../core/problem.ts";
import { entity, type Item } from "../../../core/records/entity.ts";
import { Document } from "./documents.ts";

/** How many bytes the documents of a set have, under the set's id. */
export const DocumentBytes = entity("documents.bytes", {
  title: "bytes of documents",
  collection: "document_bytes",
  fields: { bytes: z.int() },
  barrier: { set: "id" },
});
type DocumentBytes = Item<typeof DocumentBytes>;

const MESH = asSystem("documents");

/** Counts bytes before they are kept, and not where keeping fails. Throws 409 `QUOTA` where there is no room for them. */
export async function withinQuota<T>(
  host: Host,
  problemSetId: string,
  bytes: number,
  keep: () => Promise<T>,
): Promise<T> {
  const most = host.world.env.MAX_SET_BYTES;
  const store = host.store(DocumentBytes);
  await store.createOnce(MESH, { id: problemSetId, bytes: 0 });
  await store.amend(MESH, problemSetId, ({ bytes: held }: DocumentBytes) => {
    if (held + bytes > most)
      throw new Problem(409, "QUOTA", `The documents of a problem set have at most ${most} bytes together.`, {
        // How many there are by now would tell of those that the sender does not see.
        details: { most },
      });
    return { bytes: held + bytes };
  });
  try {
    return await keep();
  } catch (error) {
    await giveBack(host, problemSetId, bytes);
    throw error;
  }
}

export async function giveBack(host: Host, problemSetId: string, bytes: number): Promise<void> {
  await host
    .store(DocumentBytes)
    .amend(MESH, problemSetId, ({ bytes: held }) => ({ bytes: Math.max(0, held - bytes) }))
    .catch(nullIf(isNotFound));
}

export const bytesOf = ({ versions }: Pick<Document, "versions">): number =>
  versions.reduce((sum, { bytes }) => sum + bytes, 0);

/** Counts anew: what died between counting and keeping counts no longer. A set that changes meanwhile waits its turn. */
export async function recount(this: Host): Promise<number> {
  const store = this.store(DocumentBytes);
  let corrected = 0;
  for await (const slice of store.slices(MESH, {}))
    for (const record of slice) {
      let bytes = 0;
      const kept = { problemSetId: record.id, status: { $ne: "withdrawn" } };
      for await (const documents of this.store(Document).slices(MESH, kept, { fields: ["versions"] }))
        for (const document of documents) bytes += bytesOf(document);
      if (bytes === record.bytes) continue;
      if (await store.revise(MESH, record, { bytes }).catch(nullIf(isConflict))) corrected += 1;
    }
  return corrected;
}
