import { answer, modelStandIn } from "../../../adapters/llm/stand-in.ts";
import { connect, type Client } from "../../../test/gateway/live-setup.ts";
import { put } from "../../../test/knowledge/documents.requests.ts";
import { world, type TestWorld } from "../../../test/mesh.ts";
import { as, openSet, person, type Person } from "../../../test/workspace/people.ts";
import { many, median, round } from "../../measure.ts";

/** Replies of the assistant: how long until the first words of one are on the socket. */

const ROUNDS = many(3);
const QUESTIONS = many(60, 2);
const PAPERS = 8;
const QUESTION = "What does the northern bridge carry?";

interface Taken {
  ms: number[];
  cpuMs: number;
}

/** Milliseconds by the clock from the request until the first delta, and of CPU for whole exchanges. */
async function ask(at: TestWorld, who: Person, live: Client, chat: string): Promise<Taken> {
  const ms: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < QUESTIONS; n++) {
    const first = new Promise<number>((resolve) => {
      live.socket.once("assistant.reply.delta", () => resolve(performance.now()));
    });
    const done = new Promise((resolve) => live.socket.once("assistant.reply.done", resolve));
    const began = performance.now();
    const reply = await as(at, who)("POST", `/api/assistant/${chat}/message`, { text: QUESTION });
    if (reply.status >= 300) throw new Error(`The question was answered ${reply.status}.`);
    ms.push((await first) - began);
    await done;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1_000 / QUESTIONS };
}

const ranged = (values: readonly number[]): string =>
  `${round(Math.min(...values), 0)}–${round(Math.max(...values), 0)}`;
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

export async function replies(): Promise<string> {
  const model = await modelStandIn();
  model.respond(({ stream }) => answer(stream ? "The bridge carries twelve tonnes [1]." : { act: "none" }));
  const at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0", RATE_LIMIT_TIER: "development" });
  let live: Client | undefined;
  try {
    const ann = await person(at, "ann");
    const set = await openSet(at, ann, { name: "Northern Bridge" });
    for (let n = 0; n < PAPERS; n++)
      await put(at, ann, `The northern bridge carries ${n + 5} tonnes.`, `paper-${n}.txt`, { problemSetId: set });
    live = await connect(at.url, { auth: { token: ann.token } });
    const taken: Record<string, Taken[]> = { global: [], [set]: [] };
    for (const chat of [...Object.keys(taken)]) await ask(at, ann, live, chat);
    for (let round = 0; round < ROUNDS; round++)
      for (const [chat, all] of Object.entries(taken)) all.push(await ask(at, ann, live, chat));
    const rows = Object.entries(taken).map(([chat, all]) => {
      const where = chat === "global" ? "outside of problem sets" : `in a set with ${PAPERS} papers`;
      const p50 = ranged(all.map(({ ms }) => median(ms)));
      const p99 = ranged(all.map(({ ms }) => percentile(ms, 0.99)));
      return `| ${where} | ${p50} | ${p99} | ${ranged(all.map(({ cpuMs }) => cpuMs))} |`;
    });
    return [
      "## Replies of the assistant, to the first words",
      "",
      `POST to the first delta on the socket, over the stand-in of a model: ${ROUNDS} rounds of ${QUESTIONS} questions one after the other. Node, client and model are one process. The aims are 25 ms at p50 and 150 at p99.`,
      "",
      "| Where | p50, ms by the clock | p99 | a whole exchange, ms of CPU |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    live?.socket.close();
    await at.stop();
    await model.close();
  }
}
