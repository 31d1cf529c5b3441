import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Where a Chromium is installed, by looking along the PATH; undefined where there is none. */
export function chromiumPath(): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter))
    for (const name of NAMES) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        /* not here */
      }
    }
  return undefined;
}
