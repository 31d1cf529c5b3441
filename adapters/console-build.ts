import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import type { Metafile } from "esbuild";

/** The console as a browser loads it: files by name, each name another for other contents. */
export interface BuiltConsole {
  html: string;
  files: ReadonlyMap<string, Buffer>;
}

const PAGE = "index.html";
/** Where the page asks for its files. */
export const CONSOLE_FILES = "/console";
/** Of Chromium, Firefox and Safari, what has `light-dark()` and passkeys by JSON. */
const TARGET = ["chrome129", "firefox128", "safari18.4"];

const SOURCES = dirname(createRequire(import.meta.url).resolve("#console/index.html"));
const ROOT = dirname(SOURCES);
const MADE = join(ROOT, ".cache/console");
/** What lies elsewhere and goes into the page too. */
const BESIDE = ["data/graph/relations.json", "data/graph/types.json", "data/starter/sources.opml"];

/** Hash of all that the files are made of and by. */
async function nameOfContents(): Promise<string> {
  const found = await readdir(SOURCES, { recursive: true });
  const files = found.filter((file) => /\.(tsx?|css|html)$/.test(file) && !file.endsWith(".d.ts")).sort();
  const hash = createHash("sha256");
  for (const file of [
    ...files.map((one) => `console/${one}`),
    ...BESIDE,
    "adapters/console-build.ts",
    "package-lock.json",
  ])
    hash.update(`${file.replaceAll(sep, "/")}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

/** The page, which names the entry's script and styles; what else there is is fetched when an area is opened. */
function pageOf(template: string, { outputs }: Metafile): string {
  const [script, entry] = Object.entries(outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith("console/main.tsx"),
  )!;
  const address = (path: string): string => `${CONSOLE_FILES}/${path.slice(path.lastIndexOf("/") + 1)}`;
  const styles = entry.cssBundle ? `<link rel="stylesheet" href="${address(entry.cssBundle)}" />` : "";
  return template.replace("<!-- files -->", `${styles}\n    <script type="module" src="${address(script)}"></script>`);
}

async function build(): Promise<BuiltConsole> {
  const esbuild = await import("esbuild");
  try {
    const { outputFiles, metafile } = await esbuild.build({
      absWorkingDir: ROOT,
      entryPoints: ["console/main.tsx"],
      outdir: "made",
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      assetNames: "[name]-[hash]",
      loader: { ".png": "file", ".svg": "file", ".opml": "text" },
      bundle: true,
      splitting: true,
      format: "esm",
      jsx: "automatic",
      target: TARGET,
      // For browsers this also takes the libraries in their production form.
      platform: "browser",
      minify: true,
      legalComments: "none",
      logLevel: "silent",
      metafile: true,
      write: false,
    });
    const stray = Object.keys(metafile.inputs).filter(
      (file) => !/^console\/|(^|\/)node_modules\//.test(file) && !BESIDE.includes(file),
    );
    if (stray.length) throw new Error(`${stray.join(", ")} would change without a new console.`);
    const html = pageOf(await readFile(join(SOURCES, PAGE), "utf8"), metafile);
    const files = outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const);
    // The page's styles are those of all areas: what each area alone would have is asked for by nobody.
    return { html, files: new Map(files.filter(([name]) => !name.endsWith(".css") || html.includes(name))) };
  } finally {
    await esbuild.stop();
  }
}

async function read(place: string): Promise<BuiltConsole | undefined> {
  const names = await readdir(place).catch(() => undefined);
  if (!names) return undefined;
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(place, name))] as const));
  return {
    html: (await readFile(join(place, PAGE))).toString(),
    files: new Map(files.filter(([name]) => name !== PAGE)),
  };
}

/** Keeps what was made for the next start; several nodes may do so at once, and the first one's stays. */
async function keep({ html, files }: BuiltConsole, place: string): Promise<void> {
  const draft = `${place}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    for (const [name, bytes] of [...files, [PAGE, html] as const]) await writeFile(join(draft, name), bytes);
    const earlier = (await readdir(MADE)).filter((name) => !name.includes("."));
    await rename(draft, place);
    // Whoever serves an earlier one has it in memory.
    await Promise.all(earlier.map((name) => rm(join(MADE, name), { recursive: true, force: true })));
  } catch {
    // Where nothing can be written, each start makes it.
    await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

let latest: { name: string; built: Promise<BuiltConsole> } | undefined;

/**
 * The console, made when there is none of these sources (a third of a second) and kept in .cache for the next start.
 * Throws what esbuild finds wrong in the sources; asked again, it tries again.
 */
export async function builtConsole(): Promise<BuiltConsole> {
  // A bundle's sources do not change; where the sources themselves run, somebody may be at work on them.
  if (latest && !import.meta.url.endsWith(".ts")) return latest.built;
  const name = await nameOfContents();
  if (latest?.name === name) return latest.built;
  const made = (async () => {
    const place = join(MADE, name);
    const there = await read(place);
    if (there) return there;
    const built = await build();
    await keep(built, place);
    return built;
  })();
  latest = { name, built: made };
  made.catch(() => (latest = undefined));
  return made;
}
