import { BadSettings, processEnv, type Env } from "../config/env.ts";
import { isDiskFull, isProblem } from "../core/problem.ts";
import { StartRefused } from "../core/start-refused.ts";

const MOST_REASONS = 4;

/** What the platform, the system, or SQLite has a name for. */
function isKnown(error: unknown): boolean {
  const { syscall, errcode } = (error ?? {}) as { syscall?: unknown; errcode?: unknown };
  const hasNumber = typeof syscall === "string" || typeof errcode === "number";
  return hasNumber || isProblem(error) || error instanceof StartRefused;
}

interface SystemError extends Error {
  code?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

const NO_ADDRESS = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

/** Node's words for it name neither what is wrong nor what decides. */
function wordsOf(error: Error, at: number): string {
  const { code = "", address, hostname, port } = error as SystemError;
  // Further down it is a server's name that is not found.
  if (at === 0 && NO_ADDRESS.has(code)) return `HOST: ${address ?? hostname} is no address of this machine (${code}).`;
  if (code !== "EADDRINUSE") return error.message;
  const elsewhere = process.argv[1]?.endsWith("demo.ts")
    ? `\`npm run demo -- serve ${port! + 1}\` takes another.`
    : "PORT names another.";
  return `Port ${port} of ${address} is taken by another process; ${elsewhere}`;
}

/** Ends the process: what is known is said in a line; anything else is a defect, and told with all there is of it. */
export function sayWhyNot(error: unknown): never {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MOST_REASONS; at = at.cause) chain.push(at);
  // What was refused in words says all that the operator needs.
  const told = chain[0] instanceof StartRefused ? chain.slice(0, 1) : chain;
  const found = [...new Set(told.map(wordsOf))].join(" · ").replaceAll("\n", " ");
  const reasons = chain.some(isDiskFull)
    ? `The disk of the store is full: make room there, and start again. (${found})`
    : found;
  console.error(chain.some(isKnown) ? `Signalmesh did not start: ${reasons}` : error);
  process.exit(1);
}

/** The settings of this process; where they cannot be used, each complaint is said and the process ends. */
export function settingsHere(read: () => Env = processEnv): Env {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
