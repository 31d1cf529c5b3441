import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";

type Pdfjs = typeof import("pdfjs-dist/legacy/build/pdf.mjs");

const CANVAS = "@napi-rs/canvas";
let loaded: Promise<Pdfjs> | undefined;

const require = createRequire(import.meta.url);
/** The package's data: character maps, and fonts for files without their own. */
export const PACKAGE = dirname(require.resolve("pdfjs-dist/package.json"));

/**
 * Loads pdf.js without its native canvas: nothing is drawn here, and code in foreign files gets no native library to
 * attack.
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
    // Names that the canvas would define: the module needs them to load, and uses them only to draw.
    Object.assign(globalThis, { DOMMatrix: function DOMMatrix() {}, Path2D: function Path2D() {} });
    return import("pdfjs-dist/legacy/build/pdf.mjs");
  })());
}
