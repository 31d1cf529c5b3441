import { parseArgs } from "node:util";

/** The file and the flags that a command was given; without the one, or with a flag that is none, its usage is told. */
export function fileAndFlags<Flag extends string>(
  usage: string,
  flags: readonly Flag[],
): { file: string; flags: ReadonlySet<Flag> } {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" }] as const));
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [file] = positionals;
    if (file && positionals.length === 1) return { file, flags: new Set(flags.filter((flag) => values[flag])) };
  } catch {
    // A flag that there is not: the usage says which there are.
  }
  console.error(`usage: ${usage}`);
  process.exit(2);
}
