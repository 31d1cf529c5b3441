import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Every byte that lies under a folder, one file after the other; files that go meanwhile are gone. */
export async function* files(folder: string): AsyncGenerator<{ path: string; bytes: Buffer }> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const about = await stat(path).catch(() => undefined);
    if (about?.isDirectory()) yield* files(path);
    else if (about?.isFile()) yield { path, bytes: await readFile(path) };
  }
}

/** The forms in which a secret text could lie about. */
export const forms = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
  encodeURIComponent(secret),
  Buffer.from(`:${secret}`).toString("base64").replace(/=+$/, ""),
];

/** The forms in which secret bytes could lie about. */
export const formsOfBytes = (secret: Uint8Array): (string | Buffer)[] => {
  const bytes = Buffer.from(secret);
  return [
    bytes,
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
};
