import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "../config/env.ts";
import { startMesh, type Mesh } from "../mesh/mesh.ts";

/** Measures on a node of its own in this process, with these areas and nothing in its store. */
export async function onNode<T>(areas: string, measure: (mesh: Mesh) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const mesh = await startMesh(
    readEnv({
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "error",
      ADMIN_EMAIL: "admin@example.org",
      ADMIN_PASSWORD: "correct horse battery staple 42",
      SERVICES: areas,
    }),
    { quiet: true },
  );
  try {
    return await measure(mesh);
  } finally {
    await mesh.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
