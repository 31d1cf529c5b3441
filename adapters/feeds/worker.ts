import { parentPort } from "node:worker_threads";
import { decodeDocument } from "./charset.ts";
import { FeedError, owningUp, type ParsedItem } from "./feed.ts";
import { parseFeed } from "./parse.ts";
import type { FeedWorkerMessage, More, FeedReply, Results, FeedTask } from "./worker-protocol.ts";

/** The DOM and Readability are large; most installations never fetch a page. */
async function articleOf(task: FeedTask & { kind: "article" }): Promise<Results["article"]> {
  const { extractArticle } = await import("./html/article.ts");
  return owningUp(() => extractArticle(decodeDocument(task.bytes, task.about.contentType).text, task.about.url));
}

async function replyTo(task: FeedTask): Promise<FeedReply> {
  try {
    return { kind: "done", result: task.kind === "feed" ? parseFeed(task.bytes, task.about) : await articleOf(task) };
  } catch (error) {
    if (error instanceof FeedError)
      return { kind: "refused", failure: error.kind, message: error.message, links: error.links };
    return { kind: "wrong", message: (error as Error).message };
  }
}

/**
 * Characters of HTML and text in one message: taking over a feed of many megabytes at once would hold up the main loop.
 */
const partSize = 512 * 1024;

/** Splits items so that each part stays under the size, or is one item. */
function partsOf(items: readonly ParsedItem[]): ParsedItem[][] {
  const parts: ParsedItem[][] = [[]];
  let size = 0;
  for (const item of items) {
    const own = item.html.length + item.text.length;
    if (size > 0 && size + own > partSize) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(item);
    size += own;
  }
  return parts;
}

const port = parentPort;
if (!port) throw new Error("This module runs in a worker thread only.");

function send(reply: FeedReply): void {
  const { user, system } = process.threadCpuUsage();
  port!.postMessage({ reply, cpuMs: (user + system) / 1000 } satisfies FeedWorkerMessage, []);
}

/** What has not been asked for yet of a feed that is sent in parts. */
let waiting: FeedReply[] = [];

function sendNext(): void {
  const next = waiting.shift();
  if (next) send(next);
}

/** The last part travels with the feed itself, so that a feed of usual size is one message. */
function repliesFor(reply: FeedReply): FeedReply[] {
  if (reply.kind !== "done" || reply.result === null || !("items" in reply.result)) return [reply];
  const parts = partsOf(reply.result.items);
  const last = parts.pop()!;
  return [
    ...parts.map((items) => ({ kind: "part", items }) as const),
    { kind: "done", result: { ...reply.result, items: last } },
  ];
}

async function answer(task: FeedTask): Promise<void> {
  waiting = repliesFor(await replyTo(task));
  sendNext();
}

port.on("message", (message: FeedTask | More) => (message.kind === "more" ? sendNext() : void answer(message)));
send({ kind: "ready" });
