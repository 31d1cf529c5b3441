import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textReader } from "../../adapters/texts/index.ts";
import { eventually } from "../mesh.ts";
import { form } from "../knowledge/documents.requests.ts";
import { docx, exploding, p, pdf } from "../knowledge/files.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);

it("what was acknowledged is read in the end, once, whenever the node was killed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "documents-kill-"));
  const settings = { DATA_DIR: dataDir, SECRET: "00".repeat(32) };
  const pages = Array.from({ length: 120 }, (_, at) => [
    `# Section ${at}`,
    `The battalion holds crossing ${at}. `.repeat(30),
  ]);
  let node: NodeProcess = await startNode(settings);
  const acknowledged = new Map<string, string>();
  try {
    let token = await signIn(node.url);
    const ask = async (path: string, init: RequestInit = {}): Promise<any> => {
      const answer = await fetch(`${node.url}/api${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      });
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const { data: set } = await ask("/problem-sets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Kill" }),
    });
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const files = await Promise.all([0, 1, 2].map((nth) => pdf([[`Plan ${cycle}.${nth}`], ...pages])));
      const sending = files.map(async (bytes, nth) => {
        const reply = await ask("/documents/upload", {
          method: "POST",
          body: form(bytes, `plan ${cycle}.${nth}.pdf`, { problemSetId: set.id }),
        }).catch(() => undefined);
        if (reply?.status === 201) acknowledged.set(reply.data.id, `Plan ${cycle}.${nth}`);
      });
      // Between the first acknowledgement and the last reading.
      await eventually(
        () => acknowledged.size,
        (count) => count > cycle,
      );
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
      await node.kill();
      await Promise.all(sending);
      node = await startNode(settings);
      token = await signIn(node.url);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(CYCLES);
    for (const [id, first] of acknowledged) {
      const text = await eventually(
        () => ask(`/documents/${id}/text?page=1`),
        ({ status }) => status === 200,
        120_000,
      );
      expect(text.data).toMatchObject({ text: first, pageCount: 121 });
    }
    const { data: all } = await ask(`/documents?problemSetId=${set.id}&limit=100`);
    const titles = all.map(({ title }: { title: string }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  } finally {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);

it("a file that explodes is given up, and the process is as it was", async () => {
  const reader = textReader();
  const bomb = exploding(300_000_000);
  expect(bomb.length).toBeLessThan(2_000_000);
  const xml = docx(p("x".repeat(66_000_000)));
  const before = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 5);
  try {
    await expect(reader.read(bomb, "pdf")).rejects.toMatchObject({ reason: "too-big" });
    await expect(reader.read(xml, "docx")).rejects.toMatchObject({ reason: "too-big" });
    expect(most).toBeLessThan(500_000_000);
    expect((await reader.read(await pdf([["Still here."]]), "pdf")).characters).toBe(11);
  } finally {
    clearInterval(watch);
    await reader.close();
  }
}, 300_000);
