import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

// glibc keeps what was freed, in an arena for each thread: some 50 MB once news come in. It reads its settings when a
// process begins, so the process begins anew with them, under the same number; one that its parent talks to can't.
const allocator = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };
const isSet = Object.keys(allocator).some((name) => name in process.env);
if (process.platform === "linux" && process.execve && !process.send && !isSet)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...allocator,
  });

// V8 takes what a start makes for load, and would keep 64 MB for young objects; their space may grow later.
// Compiled code is good for the flags it was written under: it is written before they change.
setFlagsFromString("--semi-space-growth-factor=1");
// Compiled code is kept between starts, which saves a third of the time; so everything else is imported after this.
enableCompileCache(join(import.meta.dirname, "../.cache/node"));
const { entry } = await import("./bundle.ts");
await import(process.argv.includes("--sources") ? "./node.ts" : await entry());
flushCompileCache();
setFlagsFromString("--semi-space-growth-factor=2");
