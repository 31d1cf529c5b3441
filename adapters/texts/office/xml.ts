import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createInflateRaw } from "node:zlib";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";
import { damaged, MOST_DEPTH, MOST_XML_BYTES, tooBig, tooDeep, Unreadable } from "../text.ts";

export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

/** Names without their prefix, which the writer may choose freely. */
const local = (name: string): string => name.slice(name.indexOf(":") + 1);
const localKeys = (attributes: SaxesTagPlain["attributes"]): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [local(key), value]));

function parserFor(handlers: XmlHandlers): SaxesParser {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw damaged(`Its XML is not well formed: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw damaged("Its XML declares entities of its own, which no document of this kind does.");
  });
  let depth = 0;
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > MOST_DEPTH) throw tooDeep();
    handlers.open(local(tag.name), localKeys(tag.attributes as Record<string, string>));
  });
  parser.on("text", (text) => handlers.text(text));
  parser.on("cdata", (text) => handlers.text(text));
  parser.on("closetag", (tag) => {
    depth -= 1;
    handlers.close(local(tag.name));
  });
  return parser;
}

/** The parts of a document that is a ZIP. */
export class Package {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #inflated = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Buffer): Promise<Package> {
    try {
      const zip = await new Promise<ZipFile>((resolve, reject) =>
        fromBuffer(bytes, { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
      );
      const entries = new Map<string, Entry>();
      await new Promise<void>((resolve, reject) => {
        zip.on("entry", (entry: Entry) => {
          entries.set(entry.fileName, entry);
          zip.readEntry();
        });
        zip.on("error", reject).on("end", resolve);
        zip.readEntry();
      });
      return new Package(zip, entries);
    } catch (error) {
      throw damaged(`It is a ZIP archive that cannot be read: ${(error as Error).message}`);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Reads an existing part; an encrypted one through its deflated bytes. Throws Unreadable: the inflated size is
   * limited over all parts.
   */
  async read(name: string, handlers: XmlHandlers, unseal?: (sealed: Buffer) => Buffer): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) throw damaged(`Its part ${name} is missing.`);
    if (entry.generalPurposeBitFlag & 1) throw new Unreadable("encrypted", "Its parts are encrypted.");
    if (this.#inflated + entry.uncompressedSize > MOST_XML_BYTES) throw tooMuch();
    const parser = parserFor(handlers);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      const stored = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
        this.#zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream))),
      );
      const source = unseal ? Readable.from([unseal(await buffer(stored))]).pipe(createInflateRaw()) : stored;
      for await (const chunk of source as AsyncIterable<Buffer>) {
        this.#inflated += chunk.length;
        if (this.#inflated > MOST_XML_BYTES) throw tooMuch();
        parser.write(decoder.decode(chunk, { stream: true }));
      }
      parser.write(decoder.decode()).close();
    } catch (error) {
      throw error instanceof Unreadable
        ? error
        : damaged(`Its part ${name} cannot be read: ${(error as Error).message}`);
    }
  }
}

const tooMuch = (): Unreadable => tooBig(`Unpacked it has more than ${MOST_XML_BYTES} bytes of XML.`);
