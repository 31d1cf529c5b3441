import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { form } from "../knowledge/documents.requests.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);
const OBJECTIVES = 120;

it("objectives and versions are there once, whenever the node was killed while they were found or made", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "strategic-kill-"));
  const settings = { DATA_DIR: dataDir, SECRET: "00".repeat(32) };
  let node: NodeProcess = await startNode(settings);
  try {
    let token = await signIn(node.url);
    const ask = async (method: string, path: string, body?: object | FormData): Promise<any> => {
      const isForm = body instanceof FormData;
      const answer = await fetch(`${node.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(!isForm && body && { "content-type": "application/json" }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text, ...(text.startsWith("{") && (JSON.parse(text) as object)) };
    };
    const { data: set } = await ask("POST", "/problem-sets", { name: "Kill" });
    const again = async (): Promise<void> => {
      await node.kill();
      node = await startNode(settings);
      token = await signIn(node.url);
    };
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const lines = Array.from(
        { length: OBJECTIVES },
        (_, at) => `${at + 1}. Hold the the bridge ${cycle}-${at} by May 2026.`,
      );
      const text = `Objectives:\n${lines.join("\n")}\n`;
      const put = await ask("POST", "/strategic/documents", form(text, `${cycle}.txt`, { problemSetId: set.id }));
      const path = `/strategic/documents/${put.data.id}`;
      expect((await ask("POST", `${path}/extract`, {})).status).toBe(202);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 600));
      await again();
      const stream = await eventually(
        () => ask("GET", `${path}/extract/stream`),
        ({ text: told }) => told.includes("event: done"),
        60_000,
      );
      expect(stream.text.match(/^event: objective$/gm)).toHaveLength(OBJECTIVES);
      expect(stream.text.match(/"outcome":"created"/g)).toHaveLength(OBJECTIVES);
      expect((await ask("GET", `${path}/objectives`)).meta.total).toBe(OBJECTIVES);

      const { data: begun } = await ask("POST", `${path}/review`, {});
      const review = await eventually(
        async () => (await ask("GET", `/strategic/reviews/${begun.reviewId}`)).data,
        ({ status }) => status === "open",
        60_000,
      );
      const accept = ask("POST", `/strategic/reviews/${review.id}/accept`, {}).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      await again();
      await accept;
      const { data: left } = await ask("GET", `/strategic/reviews/${review.id}`);
      if (left.status === "open") await ask("POST", `/strategic/reviews/${review.id}/accept`, {});
      const { data: settled } = await ask("GET", `/strategic/reviews/${review.id}`);
      expect([settled.status, settled.madeVersion]).toEqual(["accepted", 2]);
      expect((await ask("GET", path)).data.versions).toHaveLength(2);
    }
  } finally {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);
