import type { CollectionSize } from "../sizes.ts";
import { connected, databaseOf } from "./connection.ts";

interface Stats {
  storageStats: { count: number; storageSize: number; totalIndexSize: number };
}

/** What the server says of each collection's size, as it keeps them. Throws 503 where it is away. */
export async function sizesAt(url: string): Promise<CollectionSize[]> {
  const client = await connected(url);
  try {
    const database = client.db(databaseOf(url));
    const names = (await database.listCollections({ type: "collection" }, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    return await Promise.all(
      names.map(async (collection) => {
        const [stats] = await database
          .collection(collection)
          .aggregate<Stats>([{ $collStats: { storageStats: {} } }])
          .toArray();
        const { count, storageSize, totalIndexSize } = stats!.storageStats;
        return { collection, documents: count, bytes: storageSize, indexBytes: totalIndexSize };
      }),
    );
  } finally {
    await client.close();
  }
}
