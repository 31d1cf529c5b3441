import { writeSync } from "node:fs";
import { openDocuments } from "../../../adapters/documents/index.ts";
import { openReadings } from "../../../adapters/readings/index.ts";

// Puts readings until it is killed, and says of each batch, once it is durable: which series, from where, how many.

const [dataDir, first] = process.argv.slice(2) as [string, string];
const WRITERS = 8;
const readings = openReadings(openDocuments({ dataDir }));

async function write(writer: number): Promise<never> {
  for (let from = Number(first); ;) {
    const size = 1 + ((from * 7 + writer) % 60);
    const points = Array.from({ length: size }, (_, n) => ({
      resource: "r",
      key: `w${writer}`,
      at: from + n,
      value: (from + n) / 2,
    }));
    await readings.put(points);
    writeSync(1, `${writer} ${from} ${size}\n`);
    from += size;
  }
}
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
