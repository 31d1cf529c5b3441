import type { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import type { Index } from "../../../core/records/documents.ts";

export const INDEXES: Index[] = [
  { fields: ["state", "-at"] },
  { fields: ["State"] },
  { fields: ["place.country"] },
  { fields: ["tags", "at"], having: "at" },
  { fields: ["list", "name"], unique: true },
  { fields: ["due"], sparse: true },
];
export const PATHS = ["state", "at", "place.country", "tags", "list", "name", "due"];

/** Rows of which a column holds something else than their document, and what SQLite finds wrong with the indexes. */
export const faults = (store: EmbeddedDocuments, name: string): Promise<unknown[]> =>
  store.read((database) => {
    const differ = PATHS.map((path) => {
      const said = `'$.${path
        .split(".")
        .map((part) => `"${part}"`)
        .join(".")}'`;
      return `"$.${path}" is not doc ->> ${said} or typeof("$.${path}") is not typeof(doc ->> ${said})`;
    });
    const wrong = database.prepare(`select json(doc) as doc from ${name} where ${differ.join(" or ")}`).all();
    const checked = database.prepare("pragma integrity_check").all();
    return [...wrong, ...checked.filter((row) => row["integrity_check"] !== "ok")];
  });
