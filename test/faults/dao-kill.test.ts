import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { signIn, startNode } from "../process.ts";

// kill -9 amid executions: what was decided is done, each thing once, and no acknowledged vote is lost.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);
const PROPOSALS = 4;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-dao-kill-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const speaker =
  (url: string, token: string) =>
  async (method: string, path: string, body?: unknown): Promise<{ status: number; data: any }> => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, data: (text ? JSON.parse(text) : {}).data };
  };

it(
  `executes each decision once through ${CYCLES} kills`,
  async () => {
    let node = await startNode({ DATA_DIR: dataDir });
    let say = speaker(node.url, await signIn(node.url));
    const { data: set } = await say("POST", "/problem-sets", { name: "Killed" });
    const { data: dao } = await say("POST", "/dao", {
      problemSetId: set.id,
      name: "Council",
      config: { periodSeconds: 4 },
    });
    const { data: role } = await say("POST", `/dao/${dao.id}/roles`, { name: "Steward" });
    const before = (await say("GET", `/dao/${dao.id}`)).data.rev;
    const self = (await say("GET", `/dao/${dao.id}/members`)).data[0].userId;
    const ids: string[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const made: string[] = [];
      for (let n = 0; n < PROPOSALS; n++) {
        const measures = [
          { do: "change-config", config: { quorumBps: cycle * 10 + n } },
          { do: "grant-dao-role", account: self, roleId: role.id },
          { do: "change-config", config: { pluralityBps: cycle * 10 + n } },
        ];
        const {
          data: { id },
        } = await say("POST", `/dao/${dao.id}/proposals`, { title: `Cycle ${cycle}.${n}`, measures });
        expect((await say("POST", `/dao/${dao.id}/proposals/${id}/vote`, { choice: "for" })).status).toBe(200);
        made.push(id);
      }
      ids.push(...made);
      await eventually(
        () => Promise.all(made.map((id) => say("GET", `/dao/${dao.id}/proposals/${id}`))),
        (all) => all.every(({ data }) => data.status === "queued"),
      );
      const asked = Promise.allSettled(made.map((id) => say("POST", `/dao/${dao.id}/proposals/${id}/execute`)));
      await new Promise((resolve) => setTimeout(resolve, [8, 20, 45][cycle % 3]));
      await node.kill();
      await asked;
      node = await startNode({ DATA_DIR: dataDir });
      say = speaker(node.url, await signIn(node.url));
      // Asked again, as a client would that got no answer; what began goes on by itself and refuses.
      for (const id of made)
        expect([200, 202, 409]).toContain((await say("POST", `/dao/${dao.id}/proposals/${id}/execute`)).status);
    }
    const all = await eventually(
      () => Promise.all(ids.map((id) => say("GET", `/dao/${dao.id}/proposals/${id}`))),
      (answers) => answers.every(({ data }) => data.status === "executed"),
      90_000,
    );
    for (const { data } of all)
      expect(data).toMatchObject({
        tally: { voters: 1, scores: ["1", "0", "0"] },
        steps: [{ status: "done" }, { status: "done" }, { status: "done" }],
      });
    // Each change of the configuration is one revision of the record: no more were made than were decided.
    expect((await say("GET", `/dao/${dao.id}`)).data.rev).toBe(before + ids.length * 2);
    expect((await say("GET", `/dao/${dao.id}/members`)).data[0]).toMatchObject({
      rev: 1 + ids.length,
      roles: [role.id],
    });
    expect((await say("GET", "/audit/verify")).data).toMatchObject({ ok: true });
    expect(await node.stop()).toBe(0);
  },
  90_000 + CYCLES * 30_000,
);
