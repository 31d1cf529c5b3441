import { glob } from "node:fs/promises";
import { join } from "node:path";
import { AREAS, type Area } from "../config/env.ts";
import { introduce } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";

export interface Found { area: Area; file: string; service: MeshService }

const ROOT = import.meta.dirname;

/** Every service of the code, by its place: `services/<area>/…/<domain>.service.ts`. Importing one starts nothing. */
export async function allServices(): Promise<Found[]> {
  const files: string[] = [];
  for await (const file of glob("*/**/*.service.ts", { cwd: ROOT })) files.push(file.replaceAll("\\", "/"));
  const found = await Promise.all(files.sort().map(async (file) => {
    const area = file.split("/")[0] as Area;
    if (!AREAS.includes(area)) throw new Error(`services/${file} lies in no area: ${AREAS.join(", ")}.`);
    return { area, file, service: ((await import(join(ROOT, file))) as { default: MeshService }).default };
  }));
  introduce(found.map(({ service }) => service));
  return found;
}
