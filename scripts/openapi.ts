import { writeFile } from "node:fs/promises";
import { VERSION } from "../config/version.ts";
import { openapi } from "../core/contract/documents/openapi.ts";
import { allServices } from "../services/index.ts";

/**
 * `npm run openapi [file]`: writes the API description without starting anything; to the terminal when no file is
 * named.
 */
const [file] = process.argv.slice(2);
if (file?.startsWith("-")) {
  console.error("npm run openapi [-- FILE]: writes the API description to FILE, or to the terminal.");
  process.exit(2);
}
const services = (await allServices()).map(({ service }) => service);
const text = `${JSON.stringify(openapi(services, { version: VERSION }), null, 2)}\n`;
if (file) await writeFile(file, text);
else process.stdout.write(text);
