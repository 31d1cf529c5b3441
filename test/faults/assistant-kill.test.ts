import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { connect, type Client } from "../gateway/live-setup.ts";
import { eventually } from "../mesh.ts";
import { askNode, signIn, startNode, type NodeProcess } from "../process.ts";

// A reply of the assistant's over cuts of the connection, and over a kill of its node: whoever comes back has the text
// that is stored; after a kill it is written anew, in another attempt.

const CUTS = Number(process.env["CUTS"] ?? 50);
const TEXT = Array.from({ length: 220 }, (_, n) => `word${n}${n % 9 ? "" : "\n"}`).join(" ");
let dataDir: string;
let model: StandIn;
let node: NodeProcess;
let token: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-assistant-"));
  model = await modelStandIn(({ stream, messages }) => {
    const asked = /Now: Open (\S+)/.exec(messages.at(-1)!.content)?.[1];
    if (!stream) return answer(asked ? { act: "open_mission", arguments: { name: asked } } : { act: "none" });
    return { kind: "answer", content: messages.at(-1)!.content.includes("everything") ? TEXT : "Well.", pauseMs: 12 };
  });
  await start();
});
afterAll(async () => {
  await node?.kill();
  await model?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir, LLM_BASE_URL: model.baseUrl });
  token ??= await signIn(node.url);
}
const ask = async (method: string, path: string, body?: unknown): Promise<any> =>
  (await askNode(node, token, method, path, body)).data;
const say = async (text: string): Promise<string> =>
  (await ask("POST", "/assistant/global/message", { text })).messageId;
const row = async (id: string): Promise<any> =>
  (await ask("GET", "/assistant/global/history")).find((one: any) => one.id === id);

/** What a reader makes of parts and of the history: see the description of the endpoint. */
class Reader {
  text = "";
  attempt = 0;
  hasGap = false;
  take({ attempt, offset, text }: { attempt: number; offset: number; text: string }): void {
    if (attempt < this.attempt) return;
    if (attempt > this.attempt) [this.attempt, this.text] = [attempt, ""];
    if (offset > this.text.length) this.hasGap = true;
    else this.text += text.slice(this.text.length - offset);
  }
  /** The history is the whole of an attempt, up to its offset. */
  return({ attempt, text }: { attempt: number; text: string }): void {
    this.hasGap = false;
    this.take({ attempt, offset: 0, text });
  }
}

it(`over ${CUTS} cuts a reader has the text that is stored`, async () => {
  let cuts = 0;
  while (cuts < CUTS) {
    const id = await say("Tell me everything.");
    const reader = new Reader();
    for (let isOver = false; !isOver;) {
      const client: Client = await connect(node.url, { auth: { token } });
      reader.return(await row(id));
      let taken = 0;
      const most = 1 + Math.floor(Math.random() * 12);
      await eventually(
        async () => {
          for (const { data } of client.of("assistant.reply.delta").slice(taken)) {
            taken += 1;
            if (data.messageId === id) reader.take(data);
          }
          if (reader.hasGap) reader.return(await row(id));
          isOver = client.of("assistant.reply.done").some(({ data }) => data.messageId === id);
          return isOver || taken >= most || (await row(id)).status === "completed";
        },
        (is) => is,
        60_000,
      );
      client.socket.close();
      cuts += 1;
      const now = await row(id);
      if (now.status === "completed") {
        reader.return(now);
        isOver = true;
      }
      expect(TEXT.startsWith(reader.text)).toBe(true);
    }
    expect(reader.text).toBe((await row(id)).text);
    expect(reader.text).toBe(TEXT);
  }
}, 300_000);

it("after a kill it is written anew, from offset 0 of another attempt", async () => {
  const id = await say("Tell me everything, once more.");
  const before = await eventually(
    () => row(id),
    ({ text }) => text.length > 100,
  );
  expect(before).toMatchObject({ status: "answering", attempt: 1, offset: before.text.length });
  await node.kill();
  await start();
  const after = await eventually(
    () => row(id),
    ({ status }) => status === "completed",
    90_000,
  );
  expect(after).toMatchObject({ attempt: 2, text: TEXT });
  const stream = await fetch(`${node.url}/api/assistant/messages/${id}/stream`, {
    headers: { authorization: `Bearer ${token}`, "last-event-id": `1-${before.offset}` },
  });
  const told = await stream.text();
  const deltas = [...told.matchAll(/event: delta\ndata: (.*)/g)].map(([, data]) => JSON.parse(data!));
  expect(deltas[0]).toMatchObject({ attempt: 2, offset: 0 });
  expect(deltas.map(({ text }) => text).join("")).toBe(TEXT);
  expect(told).toContain("event: reply");
}, 180_000);

it("an act that was confirmed happens once, whenever its node is killed", async () => {
  const set = (await ask("POST", "/problem-sets", { name: "Kills" })).id as string;
  const chat = `/assistant/${set}`;
  for (const name of ["Alpha", "Bravo"]) {
    const { messageId } = await ask("POST", `${chat}/message`, { text: `Open ${name}` });
    const here = async (): Promise<any> =>
      (await ask("GET", `${chat}/history`)).find(({ id }: any) => id === messageId).action;
    const action = await eventually(here, (found) => found?.status === "proposed");
    const yes = { actionId: action.id, argumentsHash: action.argumentsHash, answer: "yes" };
    // Killed with its answer on the way, or once it is there.
    const confirmed = ask("POST", `${chat}/confirm`, yes).catch(() => null);
    if (name === "Alpha") await confirmed;
    await node.kill();
    await confirmed;
    await start();
    const after = await eventually(here, ({ status }) => ["done", "proposed", "waiting"].includes(status), 150_000);
    // The yes did not arrive: nothing happened, and it can be said again. Or it did, and no approval was noted yet.
    if (after.status === "proposed") await ask("POST", `${chat}/confirm`, yes);
    else if (after.status === "waiting") {
      const [approval] = await ask("GET", `/agents/approvals?problemSetId=${set}`);
      await ask("POST", `/agents/approvals/${approval.id}/decide`, { hash: approval.hash, decision: "approve" });
    }
    await eventually(here, ({ status }) => status === "done", 150_000);
    const missions = (await ask("GET", `/missions?problemSetId=${set}`)).filter((one: any) => one.name === name);
    expect(missions).toHaveLength(1);
  }
}, 600_000);
