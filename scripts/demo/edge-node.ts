import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { Unreachable } from "../../edge/sync/link.ts";
import { HttpLink, type HubLink } from "../../edge/sync/link.ts";
import { openEdge, type RunningEdge } from "../../edge/open.ts";

interface Wanted {
  name: string;
  folder: string;
  hub: string;
  clock: Clock;
}
interface Answer {
  status: number;
  body: any;
}

/** A line that somebody can cut. */
class Cable implements HubLink {
  readonly #link: HubLink;
  readonly #isCut: () => boolean;
  constructor(link: HubLink, isCut: () => boolean) {
    this.#link = link;
    this.#isCut = isCut;
  }
  async ask(...asked: Parameters<HubLink["ask"]>): ReturnType<HubLink["ask"]> {
    if (this.#isCut()) throw new Unreachable("There is no line.");
    return this.#link.ask(...asked);
  }
  close(): Promise<void> {
    return this.#link.close();
  }
}

/** An edge node of a demo, whose person speaks to it by its local face. The demo says when it asks its hub. */
export class DemoNode {
  readonly #wanted: Wanted;
  #edge!: RunningEdge;
  isCut = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** `token`: of its person, at its first start. */
  async start(token?: string): Promise<this> {
    const { hub, name, folder, clock } = this.#wanted;
    const linkTo = (to: string): HubLink => new Cable(new HttpLink(to), () => this.isCut);
    this.#edge = await openEdge({ folder, hub, name, clock, linkTo, token });
    return this;
  }

  get did(): string {
    return this.#edge.enrolled.did;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(this.#edge.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#edge.token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  async done(method: string, path: string, body?: unknown): Promise<any> {
    const { status, body: answer } = await this.ask(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data;
  }

  async refused(status: number, method: string, path: string, body?: unknown): Promise<string> {
    const answer = await this.ask(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} instead of ${status}`);
    return answer.body.error.message;
  }

  /** A round with the hub; null where it did not come about. */
  async sync(): Promise<{ round: any; status: any }> {
    return this.done("POST", "/sync");
  }

  /** Whether these words stand anywhere in the node's folder. */
  holds(words: string): boolean {
    const { folder } = this.#wanted;
    return readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(words));
  }

  close(): Promise<void> {
    return this.#edge.close();
  }
}
