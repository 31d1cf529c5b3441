import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How a path answers: whole, or by hand. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((req: IncomingMessage, res: ServerResponse) => void);
export interface Asked {
  path: string;
  headers: IncomingMessage["headers"];
}

/**
 * A publisher on a loopback address of its own: 127.0.0.1 to 127.255.255.254 are all this machine, and politeness goes
 * by host.
 */
export class FeedServer {
  readonly url: string;
  /** Every request, in order. */
  readonly asked: Asked[] = [];
  /** Requests under way, and the most there were at once. */
  open = 0;
  most = 0;
  readonly #replies = new Map<string, Reply>();
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server;
    this.url = url;
    server.on("request", (req: IncomingMessage, res: ServerResponse) => this.#answer(req, res));
  }

  static async start(address = "127.0.0.1"): Promise<FeedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return new FeedServer(server, `http://${address}:${(server.address() as AddressInfo).port}`);
  }

  /** Sets what a path answers from now on; answers its URL. */
  on(path: string, reply: Reply): string {
    this.#replies.set(path, reply);
    return this.url + path;
  }

  /** Requests of one path. */
  of(path: string): Asked[] {
    return this.asked.filter((one) => one.path === path);
  }

  /** Breaks every connection off. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    this.asked.push({ path: req.url!, headers: req.headers });
    this.open += 1;
    this.most = Math.max(this.most, this.open);
    res.on("close", () => {
      this.open -= 1;
    });
    const reply = this.#replies.get(req.url!) ?? { status: 404, body: "nothing here" };
    if (typeof reply === "function") return reply(req, res);
    res.writeHead(reply.status ?? 200, { "content-type": "application/rss+xml", ...reply.headers });
    res.end(reply.body);
  }
}

export interface Item {
  guid?: string;
  title?: string;
  link?: string;
  text?: string;
  date?: string;
}

/** An RSS 2.0 document. */
export const rss = (items: readonly Item[], channel = ""): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Test feed</title><link>https://example.org/</link>${channel}${items
    .map(
      ({ guid, title = "Untitled", link, text = "", date = "Thu, 01 Jan 2026 12:00:00 GMT" }) =>
        `<item>${guid ? `<guid isPermaLink="false">${guid}</guid>` : ""}<title>${title}</title>${link ? `<link>${link}</link>` : ""}<description>${text}</description><pubDate>${date}</pubDate></item>`,
    )
    .join("")}</channel></rss>`;

const SUBJECTS = [
  "harbour",
  "parliament",
  "vaccine",
  "pipeline",
  "satellite",
  "glacier",
  "election",
  "microchip",
  "embargo",
  "wildfire",
  "currency",
  "submarine",
];
/** Where each happens: what happens elsewhere is another event, however alike its words are. */
const PLACES = [
  "Calvane",
  "Ostrel",
  "Miravka",
  "Dunholm",
  "Pelterra",
  "Quillby",
  "Sarnova",
  "Torvik",
  "Umbrel",
  "Vastgard",
  "Wexmoor",
  "Yarrowin",
];
const EVENTS = [
  "reopens after years of repair",
  "rejects the proposal of the minority",
  "is tested in three countries",
  "loses a tenth of its value",
  "passes the final inspection",
  "stalls over a missing permit",
];

/** So many stories that share neither words in order nor identifiers with those of another name. */
export const stories = (name: string, count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    guid: `${name}-${at}`,
    title: `${name} ${at}: the ${SUBJECTS[at % SUBJECTS.length]} ${EVENTS[at % EVENTS.length]}`,
    link: `https://${name}.example/${at}`,
    text: `Report ${at} of ${name} from ${PLACES[at % PLACES.length]}. ${SUBJECTS[(at * 7) % SUBJECTS.length]} number ${at * 31 + name.length} ${EVENTS[(at * 5) % EVENTS.length]}, says ${name} in its edition ${at}.`,
  }));
