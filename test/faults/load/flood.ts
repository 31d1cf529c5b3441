import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Order, Outcome } from "./generator.ts";

/** A generator of load in a process of its own, so that it goes on however busy the server is. */
export class Flood {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = spawn(process.execPath, [join(import.meta.dirname, "generator.ts")], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  async run(url: string, order: Omit<Order, "host" | "port">): Promise<Outcome> {
    const { hostname: host, port } = new URL(url);
    this.#child.send({ ...order, host, port: Number(port) } satisfies Order);
    const [outcome] = (await once(this.#child, "message")) as [Outcome];
    return outcome;
  }

  end(): void {
    this.#child.kill();
  }
}

/** The text of one request over a connection that stays open. */
export function text(method: string, path: string, token?: string, body?: unknown): string {
  const sent = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(sent ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(sent)}`] : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${sent}`;
}
