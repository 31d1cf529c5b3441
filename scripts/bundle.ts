import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, ".cache/bundle");
/** Every folder that the platform imports from; a bundle is of what lies in them, and of the locked packages. */
const SOURCES = [
  "adapters",
  "config",
  "core",
  "data/frameworks",
  "data/graph",
  "data/lexicons",
  "data/mdmp",
  "data/resources",
  "data/scenarios",
  "mesh",
  "mixins",
  "scripts",
  "services",
];
/** Packages of many small modules that every start loads; all others are loaded from where they are. */
const BUNDLED = new Set([
  "@cfworker/json-schema",
  "@noble/curves",
  "@noble/hashes",
  "@scure/base",
  "@sd-jwt/core",
  "@ucast/core",
  "@ucast/mongo",
  "canonicalize",
  "croner",
  "did-resolver",
  "entities",
  "htmlparser2",
  "jose",
  "markdown-it",
  "rxjs",
  "uuid",
  "zod",
]);
const LAST_ASCII = 0x7f;
/** So many bundles of earlier sources stay, beside those that a process still runs on. */
const KEPT = 3;
/** Within a bundle: the processes that began from it, each a file of its number. */
const USERS = "users";

/** Files that are part of the code, by their path from the root, in order. */
function sourceFiles(): string[] {
  const within = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  const all = SOURCES.flatMap((folder) => within(folder).map((file) => `${folder}/${file.replaceAll(sep, "/")}`));
  return all.filter((file) => /\.(ts|json)$/.test(file)).sort();
}

/** A name that is another for other contents, another set of files or other packages. */
function nameOfContents(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of [...files, "package-lock.json"]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** What to start from: the bundle, or with a word why the sources, where none can be made. */
export async function entry(folder = FOLDER, tell: (line: string) => void = console.error): Promise<string> {
  try {
    return await bundle(folder);
  } catch (error) {
    // The first mistake of a build tells: the others follow from it.
    const reason = (error as Error).message.split("\n").slice(0, 2).join(" ");
    tell(`Started from the sources, which takes longer, because no bundle can be made: ${reason}`);
    return import.meta.resolve("./run.ts");
  }
}

/**
 * The address of the whole platform as one module in `folder`, made when there is none of these sources. One file
 * is found, read and compiled in less time and memory than a thousand (ADR 40).
 */
async function bundle(folder: string): Promise<string> {
  const files = sourceFiles();
  const place = join(folder, nameOfContents(files));
  if (!existsSync(place)) await make(new Set(files), folder, place);
  // Where nothing can be written, nothing is removed either.
  await noteUse(place).catch(() => {});
  return pathToFileURL(join(place, "run.mjs")).href;
}

async function make(files: ReadonlySet<string>, folder: string, place: string): Promise<void> {
  const { build, stop } = await import("esbuild");
  const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  // Several nodes may start at once: each makes its own, and the first that is done puts it in place.
  const draft = `${place}.${process.pid}`;
  try {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      outdir: draft,
      outExtension: { ".js": ".mjs" },
      logLevel: "silent",
      metafile: true,
      entryPoints: {
        run: "scripts/run.ts",
        node: "scripts/node.ts",
        worker: "adapters/feeds/worker.ts",
        "texts-worker": "adapters/texts/worker.ts",
        "password-worker": "adapters/password-worker.ts",
        "briefing-pdf-worker": "services/news/briefings/render/pdf-worker.ts",
        "validation-pdf-worker": "services/staff/validation/reports/pdf-worker.ts",
        "graph-worker": "services/knowledge/graph/centrality/worker.ts",
      },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: `node${process.versions.node}`,
      sourcemap: "linked",
      sourcesContent: false,
      external: Object.keys(dependencies).filter((name) => !BUNDLED.has(name)),
      plugins: [await namedServices()],
    });
    const stray = Object.keys(metafile.inputs).filter((file) => !/(^|\/)node_modules\//.test(file) && !files.has(file));
    if (stray.length) throw new Error(`${stray.join(", ")} would change without a new bundle.`);
    await spellPlainly(draft);
    await rename(draft, place).catch((error: unknown) => {
      if (!existsSync(place)) throw error;
    });
    await forgetOld(folder);
  } finally {
    await stop();
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Code of which every sign is ASCII: with a single other one V8 keeps all of its text, for as long as the process lives,
 * at two bytes a sign. esbuild leaves them in regular expressions, where an escape means the same.
 */
export const plainly = (code: string): string =>
  code.replace(/\\[^]|[^\0-\x7f]/g, (found) => {
    const unit = found.charCodeAt(found.length - 1);
    return unit <= LAST_ASCII ? found : `\\u${unit.toString(16).padStart(4, "0")}`;
  });

async function spellPlainly(folder: string): Promise<void> {
  const modules = (await readdir(folder)).filter((name) => name.endsWith(".mjs"));
  for (const file of modules.map((name) => join(folder, name)))
    await writeFile(file, plainly(await readFile(file, "utf8")));
}

/** Services are found by their place on the disk; the bundle names them. */
async function namedServices(): Promise<Plugin> {
  const { serviceFiles } = await import("../services/index.ts");
  const found = await serviceFiles();
  const contents = [
    ...found.map(({ file }, at) => `import service${at} from ${JSON.stringify(`./${file}`)};`),
    "const found = [",
    ...found.map(({ area, file }, at) => `{ ...${JSON.stringify({ area, file })}, service: service${at} },`),
    "];",
    "export const allServices = async () => found;",
  ].join("\n");
  return {
    name: "named services",
    setup({ onLoad }) {
      const index = { contents, loader: "js", resolveDir: join(ROOT, "services") } as const;
      onLoad({ filter: /[\\/]services[\\/]index\.ts$/ }, () => index);
    },
  };
}

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const usersOf = (place: string): Promise<string[]> => readdir(join(place, USERS)).catch(() => []);

/** A process loads its workers from the bundle when it first needs them, which may be days after its start. */
async function noteUse(place: string): Promise<void> {
  const gone = (await usersOf(place)).filter((pid) => !isRunning(pid));
  await Promise.all(gone.map((pid) => rm(join(place, USERS, pid), { force: true })));
  await mkdir(join(place, USERS), { recursive: true });
  await writeFile(join(place, USERS, String(process.pid)), "");
}

async function forgetOld(folder: string): Promise<void> {
  const made = (await readdir(folder)).filter((name) => !name.includes("."));
  const dated = await Promise.all(made.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of dated.sort((a, b) => b.at - a.at).slice(KEPT))
    if (!(await usersOf(join(folder, name))).some(isRunning))
      await rm(join(folder, name), { recursive: true, force: true });
}
