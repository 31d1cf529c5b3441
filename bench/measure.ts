import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "undici";

/** `--quick`: each section for a moment, to see that it runs. Its figures say nothing. */
export const isQuick = process.argv.includes("--quick");
/** How many of something a section takes; `quick` of them where it is only to be seen that it runs. */
export const many = (count: number, quick = 1): number => (isQuick ? Math.min(count, quick) : count);

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

export interface Contender {
  name: string;
  url: string;
  token?: string;
  cpu(): Promise<{ micros: number; rss: number }>;
  /** Bytes that live after a forced collection; for one started with `--expose-gc`. */ heap(): Promise<{
    heap: number;
    rss: number;
  }>;
  /** Says something only this contender understands. */ tell(message: object): void;
  end(): void;
}

/** Asks a contender one question; its answer has a field of the question's name. */
function ask<T>(child: ChildProcess, question: string): Promise<T> {
  return new Promise((answer) => {
    const hear = (said: Record<string, unknown>): void => {
      if (!(question in said)) return;
      child.off("message", hear);
      answer(said as T);
    };
    child.on("message", hear);
    child.send(question);
  });
}

/** Starts a contender as a process of its own, on one processor where `taskset` exists. */
export function start(name: string, file: string, args: string[] = [], execArgv: string[] = []): Promise<Contender> {
  const child: ChildProcess = fork(join(import.meta.dirname, "contenders", file), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv,
  });
  return new Promise((resolve, reject) => {
    let token: string | undefined;
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    child.on("message", (message: { port?: number; token?: string }) => {
      if (message.token) token = message.token;
      if (!message.port) return;
      resolve({
        name,
        url: `http://127.0.0.1:${message.port}`,
        token,
        cpu: () =>
          ask<{ cpu: NodeJS.CpuUsage; rss: number }>(child, "cpu").then(({ cpu, rss }) => ({
            micros: cpu.user + cpu.system,
            rss,
          })),
        heap: () => ask(child, "heap"),
        tell: (message) => void child.send(message),
        end() {
          child.removeAllListeners("exit");
          child.send("end");
        },
      });
    });
  });
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MICROS = 10_000;

/** Processor microseconds of a process so far, all its threads together. */
export function cpuOf({ pid }: { pid: number }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}

const CONNECTIONS = 16;

/**
 * Sends so many GETs over 16 connections, each waiting for its answer, under the contender's token or the headers of
 * each; answers the server's processor microseconds a request.
 */
export async function cpuPerRequest(
  contender: Contender,
  path: string,
  amount: number,
  headersOf?: (n: number) => Record<string, string>,
): Promise<number> {
  const pool = new Pool(contender.url, { connections: CONNECTIONS });
  const headers = contender.token ? { authorization: `Bearer ${contender.token}` } : undefined;
  let asked = 0;
  const before = await contender.cpu();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let sent = 0; sent < amount / CONNECTIONS; sent++) {
        const { statusCode, body } = await pool.request({
          method: "GET",
          path,
          headers: headersOf ? headersOf(asked++) : headers,
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${contender.name} ${path}: ${statusCode}`);
      }
    }),
  );
  const after = await contender.cpu();
  await pool.close();
  return (after.micros - before.micros) / (Math.ceil(amount / CONNECTIONS) * CONNECTIONS);
}

/**
 * Rounds with every contender in turn, so that a change of the machine's pace meets all alike; answers each one's
 * figures.
 */
export async function interleaved<T, F = number>(
  contenders: readonly T[],
  rounds: number,
  measure: (contender: T) => Promise<F>,
): Promise<Map<T, F[]>> {
  const figures = new Map<T, F[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++)
    for (const contender of contenders) figures.get(contender)!.push(await measure(contender));
  return figures;
}
