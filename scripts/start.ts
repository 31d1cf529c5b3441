import { fileURLToPath } from "node:url";
import { builtConsole } from "../adapters/console-build.ts";
import { entry } from "./bundle.ts";

const main = process.argv.includes("--sources") ? import.meta.resolve("./run.ts") : await entry();
// The first browser need not wait for it; what is wrong with it is told to whoever opens it.
if (!process.argv.includes("--sources")) await builtConsole().catch(() => {});

// glibc keeps what was freed, in an arena for each thread: some 50 MB once news come in. It reads its settings when a
// process begins, so the process begins anew with them, under the same number; one that its parent talks to can't.
// The compiler that strips types off this file holds 17 MB for as long as a process lives: a new one has no need of it.
const allocator = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };
const isSet = Object.keys(allocator).some((name) => name in process.env);
if (process.platform === "linux" && process.execve && !process.send && !isSet)
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, fileURLToPath(main), ...process.argv.slice(2)],
    { ...process.env, ...allocator },
  );

await import(main);
