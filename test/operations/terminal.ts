import { spawn, type IPty } from "node-pty";
import { eventually } from "../mesh.ts";

/** A program before a real pseudo-terminal, and somebody at its keys. */
export interface Terminal {
  /** All that was shown so far, without the terminal's own signs. */
  readonly shown: string;
  /** Everything since the last `type`. */
  readonly latest: string;
  type(keys: string): void;
  /** Types a line and waits until the prompt is back; answers what was shown meanwhile. */
  enter(line: string, until?: RegExp): Promise<string>;
  waitFor(sign: RegExp): Promise<string>;
  /** Sends SIGTERM; answers the code it ends with. */
  stop(): Promise<number>;
  end(): Promise<void>;
}

const PROMPT = /signalmesh \$ $/;
// Colours, cursor movements, and titles (ECMA-48).
const CONTROLS = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007|[=>])/g;

/** Starts it 200 columns wide. */
export function openTerminal(args: readonly string[], env: Record<string, string>): Terminal {
  const child: IPty = spawn(process.execPath, [...args], {
    cols: 200,
    rows: 50,
    env: { PATH: process.env["PATH"]!, TERM: "xterm", ...env },
  });
  let raw = "",
    from = 0,
    ended = false;
  child.onData((data) => {
    raw += data;
  });
  const exit = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      ended = true;
      resolve(exitCode);
    }),
  );
  const text = (since: number): string => raw.slice(since).replace(CONTROLS, "");
  const waitFor = async (sign: RegExp): Promise<string> => {
    const shown = await eventually(
      () => text(from),
      (now) => sign.test(now) || ended,
      40_000,
    );
    if (!sign.test(shown)) throw new Error(`The program ended before it showed ${sign}: ${shown}`);
    return shown;
  };
  const type = (keys: string): void => {
    from = raw.length;
    child.write(keys);
  };
  return {
    get shown() {
      return text(0);
    },
    get latest() {
      return text(from);
    },
    type,
    async enter(line, until = PROMPT) {
      type(`${line}\r`);
      return waitFor(until);
    },
    waitFor,
    stop() {
      child.kill("SIGTERM");
      return exit;
    },
    async end() {
      if (!ended) child.write("\u0004");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exit;
      clearTimeout(late);
    },
  };
}
