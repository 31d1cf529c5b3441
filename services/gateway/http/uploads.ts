import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { MULTIPART, type Upload, type Uploaded } from "../../../core/contract/input/upload.ts";
import { refuseFields } from "../../../core/contract/input/unicode.ts";
import { newId } from "../../../core/ids.ts";
import { badRequest, invalid, isProblem, Problem, tooLarge } from "../../../core/problem.ts";
import type { Blobs } from "../../../core/records/blobs.ts";

/** Limits of a form without its file: bytes, fields, and bytes of one field. */
const FORM_BYTES = 1_048_576;
const MOST_FIELDS = 50;
const FIELD_BYTES = 65_536;
const LONGEST_NAME = 200;

/** A file name that can be shown and stored: one line of valid Unicode, never a path. */
function fileNameOf(given: string | undefined): string {
  const name = (given ?? "")
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .split(/[\\/]/)
    .at(-1)!
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
  return name === "" || /^\.+$/.test(name) ? "file" : name;
}

const torn = (): Problem => badRequest("The form ended before its last boundary, or is no multipart/form-data.");

/**
 * A form with one file, read as it arrives: the file is streamed into the blob store and hashed on its way, so that its
 * size costs no memory. All nodes share that store, and the action gets the blob's id: it can be called again, or on
 * another node, as often as needed.
 */
export class Form {
  readonly #blobs: Blobs;
  readonly #upload: Upload;
  readonly #most: number;
  #stored: string | undefined;

  constructor(blobs: Blobs, upload: Upload, most: number) {
    this.#blobs = blobs;
    this.#upload = upload;
    this.#most = most;
  }

  /** The fields, each one text or several, and the file. Throws 400, 413, 415; nothing is stored then. */
  async read(req: IncomingMessage): Promise<Record<string, unknown>> {
    const parser = this.#parserOf(req);
    const fields: Record<string, unknown> = Object.create(null);
    const unreadable: string[] = [];
    let storing: Promise<Uploaded> | undefined;
    let current: BusboyFileStream | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        parser.on("file", (name, stream, filename) => {
          current = stream;
          stream.on("limit", () => reject(tooLarge(`The file is larger than the ${this.#most} bytes that are taken.`)));
          // The parser reports the same error.
          stream.on("error", () => {});
          if (name !== this.#upload.file) return reject(noSuchFile(name, this.#upload.file));
          storing = this.#store(stream, filename);
          storing.catch(reject);
        });
        parser.on("field", (name: string | undefined, value, _nameCut, isCut) => {
          if (name === undefined || name === "") return reject(badRequest("A part of the form has no name."));
          if (isCut) return reject(tooLarge(`The field ${name} is larger than ${FIELD_BYTES} bytes.`));
          if (`${name}${value}`.includes("\ufffd")) unreadable.push(name);
          const before = fields[name];
          fields[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
        });
        parser.on("filesLimit", () => reject(twoFiles(this.#upload.file)));
        for (const limit of ["fieldsLimit", "partsLimit"] as const)
          parser.on(limit, () => reject(badRequest(`The form has more than ${MOST_FIELDS} fields.`)));
        parser.on("error", () => reject(torn()));
        parser.on("finish", resolve);
        const hungUp = (): void => reject(badRequest("The connection ended inside the form."));
        req.on("error", hungUp);
        req.on("close", () => {
          if (!req.readableEnded) hungUp();
        });
        req.pipe(parser);
      });
      if (unreadable.length) refuseFields(unreadable, "The form is not valid UTF-8.");
      if (storing) fields[this.#upload.file] = await storing;
      return fields;
    } catch (error) {
      req.unpipe(parser);
      req.resume();
      current?.destroy(error as Error);
      await storing?.catch(() => {});
      await this.drop();
      throw error;
    }
  }

  /** Removes the file, where one was stored. */
  async drop(): Promise<void> {
    const id = this.#stored;
    this.#stored = undefined;
    // A file that cannot be removed now is swept later.
    if (id) await this.#blobs.remove(id).catch(() => {});
  }

  /** Removes the file if the action certainly did not take it over, because it refused the request. */
  async dropAfter(error: unknown): Promise<void> {
    if (isProblem(error) && error.code < 500) await this.drop();
  }

  async #store(stream: BusboyFileStream, filename: string): Promise<Uploaded> {
    const blob = `${this.#upload.owner}/${newId()}`;
    const stored = await this.#blobs.put(blob, stream as AsyncIterable<Uint8Array>);
    this.#stored = blob;
    return { blob, name: fileNameOf(filename), ...stored };
  }

  #parserOf(req: IncomingMessage): InstanceType<typeof Busboy> {
    const announced = Number(req.headers["content-length"] ?? 0);
    if (announced > this.#most + FORM_BYTES)
      throw tooLarge(`The form has ${announced} bytes; its file may have at most ${this.#most}.`);
    const { "content-type": type = "", "content-encoding": encoding } = req.headers;
    if (encoding && encoding !== "identity")
      throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Send the form without content encoding.", {
        headers: { "Accept-Encoding": "identity" },
      });
    if (type.split(";")[0]!.trim().toLowerCase() !== MULTIPART)
      throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", `Send the file as ${MULTIPART}.`, {
        headers: { Accept: MULTIPART },
      });
    try {
      return new Busboy({
        headers: { ...req.headers, "content-type": type },
        limits: {
          files: 1,
          fileSize: this.#most,
          fields: MOST_FIELDS,
          fieldSize: FIELD_BYTES,
          parts: MOST_FIELDS + 2,
          headerPairs: 20,
        },
      });
    } catch {
      throw badRequest("The media type of the form names no boundary.");
    }
  }
}

const noSuchFile = (name: string | undefined, wanted: string): Problem =>
  invalid([{ path: name ?? "", message: `There is no such file field; there is \`${wanted}\`.` }]);
const twoFiles = (name: string): Problem => invalid([{ path: name, message: "Send one file, not several." }]);
