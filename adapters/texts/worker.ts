import { parentPort } from "node:worker_threads";
import { sketchOf } from "../../core/text/resemblance.ts";
import { extractText } from "./extract.ts";
import { languageOf } from "./language.ts";
import { Unreadable, type Layout } from "./text.ts";
import type { IndexedPage, TextWorkerMessage, TextReply, TextTask } from "./protocol.ts";

const port = parentPort;
if (!port) throw new Error("This module runs in a worker thread only.");

function send(reply: TextReply, transfer: ArrayBuffer[] = []): void {
  const { user, system } = process.threadCpuUsage();
  port!.postMessage({ reply, cpuMs: (user + system) / 1000 } satisfies TextWorkerMessage, transfer);
}

/** Bytes in memory of their own, whose ownership can be transferred. */
const owned = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** The blocks page by page, so that one page's can be read without the others. */
function indexed({ pages, blocks }: Layout): { pages: IndexedPage[]; blocks: Buffer } {
  const byPage = Map.groupBy(blocks, ({ page }) => page);
  const pieces = pages.map(({ page }) => Buffer.from(JSON.stringify(byPage.get(page) ?? [])));
  let at = 0;
  const found = pages.map((page, nth): IndexedPage => ({ ...page, blocks: [at, (at += pieces[nth]!.length)] }));
  return { pages: found, blocks: Buffer.concat(pieces) };
}

async function answer({ bytes, format, password }: TextTask): Promise<void> {
  try {
    const { text, pages, blocks, ...about } = await extractText(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      format,
      password,
    );
    const [language, sketch] = [await languageOf(text), sketchOf(text)];
    const layout = indexed({ pages, blocks });
    const done = {
      text: owned(Buffer.from(text, "utf16le")),
      pages: owned(Buffer.from(JSON.stringify(layout.pages))),
      blocks: owned(layout.blocks),
      characters: text.length,
      pageCount: pages.length,
      ...(language && { language }),
      ...(sketch && { sketch }),
      ...about,
    };
    send({ kind: "done", done }, [done.text.buffer, done.pages.buffer, done.blocks.buffer]);
  } catch (error) {
    // A library's error is the file's fault: nothing else is processed here.
    const { reason, message } =
      error instanceof Unreadable
        ? error
        : { reason: "damaged" as const, message: `It cannot be read: ${(error as Error).message}` };
    send({ kind: "unreadable", reason, message });
  }
}

port.on("message", (task: TextTask) => void answer(task));
send({ kind: "ready" });
