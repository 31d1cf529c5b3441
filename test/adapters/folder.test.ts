import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorld } from "../../adapters/world.ts";
import { readEnv } from "../../config/env.ts";

test("in a folder that others may look into, what the platform keeps is for its owner alone", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "folder-"));
  chmodSync(dataDir, 0o755);
  const world = await openWorld(readEnv({ DATA_DIR: dataDir }));
  await (await world.documents.collection("docs")).insert({ _id: 1, text: "behind a barrier" });
  await world.search.ping();
  const document = { title: "Dam", text: "Behind a barrier.", summary: "", url: "http://localhost/1", source: "Wire" };
  const figures = { id: 1, sourceId: 1, confidence: 0.5, verified: false, rev: 1, storyId: "1", reportId: "1" };
  await world.search.put([{ ...document, ...figures, domain: "health", publishedAt: "2026-11-30T00:00:00.000Z" }]);
  const readable = readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).mode & 0o077);
  // Who holds the folder, by process and machine, is for whoever asks.
  expect(readable.filter((name) => !name.startsWith("node.lock"))).toEqual([]);
  expect(readdirSync(dataDir).filter((name) => /^(?:signalmesh|search)/.test(name)).length).toBeGreaterThan(2);
  await world.close();
  rmSync(dataDir, { recursive: true });
});
