import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";

type Pdfjs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

const CANVAS = "@napi-rs/canvas";
let loaded: Promise<Pdfjs> | undefined;

const require = createRequire(import.meta.url);
/** Where the package keeps what it reads beside its code: maps of characters, and fonts that files do without. */
export const PACKAGE = dirname(require.resolve("pdfjs-dist/package.json"));

/**
 * Loads pdf.js without the native canvas that it would draw with: nothing is drawn here, and code of strangers' files
 * gets no native library to reach.
 */
export function loadPdfjs(): Promise<Pdfjs> {
  return (loaded ??= (async () => {
    const own = createRequire(join(PACKAGE, "legacy/build/pdf.mjs"));
    try {
      const at = own.resolve(CANVAS);
      own.cache[at] = Object.assign(new Module(at), { exports: {}, loaded: true });
    } catch {
      // It is optional, and not installed here.
    }
    // What the canvas would bring: it is named where the module loads, and used where one draws.
    Object.assign(globalThis, { DOMMatrix: function DOMMatrix() {}, Path2D: function Path2D() {} });
    return import("pdfjs-dist/legacy/build/pdf.mjs");
  })());
}
