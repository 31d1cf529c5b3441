import { writeSync } from "node:fs";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { LogSync } from "../../../adapters/documents/sqlite/log-sync.ts";
import { vouched, type Orders } from "./vouched.ts";

/**
 * A process that writes to the embedded store of a directory and says on its standard output what became of each write:
 * `+id` as soon as it is acknowledged, `-id` when it is refused. Arguments: the directory, and what to write as JSON.
 */
const [, , dataDir, json] = process.argv;
const { prefix, writes = Number.POSITIVE_INFINITY, writers, pragmas, counter, careless } = JSON.parse(json!) as Orders;
if (careless) LogSync.prototype.sync = () => undefined;
const store = new EmbeddedDocuments(dataDir!);
const documents = await store.collection("documents", {
  indexes: [{ fields: ["sum"], unique: true }, { fields: ["tags"] }],
});
if (pragmas) await store.read((database) => database.exec(pragmas));
writeSync(1, "ready\n");
let next = 0;
const work = async (): Promise<void> => {
  while (next < writes) {
    const id = `${prefix}${next++}`;
    const written = counter
      ? documents.bulk([
          { insert: vouched(id) },
          { update: { _id: counter }, with: { $inc: { value: 1 } }, upsert: true },
        ])
      : documents.insert(vouched(id));
    await written.then(
      () => writeSync(1, `+${id}\n`),
      () => writeSync(1, `-${id}\n`),
    );
  }
};
await Promise.all(Array.from({ length: writers }, work));
await store.close();
