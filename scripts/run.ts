import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

/** Where compiled code is kept, beside the bundles as in the sources. */
const FOLDER = import.meta.url.endsWith(".ts") ? "../.cache/node" : "../../node";

// V8 takes what a start makes for load, and would keep 64 MB for young objects; their space may grow later.
// Compiled code is good for the flags it was written under: it is written before they change.
setFlagsFromString("--semi-space-growth-factor=1");
// Compiled code is kept between starts, which saves a third of the time; so everything else is imported after this.
enableCompileCache(join(import.meta.dirname, FOLDER));
await import("./node.ts");
flushCompileCache();
setFlagsFromString("--semi-space-growth-factor=2");
