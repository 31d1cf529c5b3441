import { glob } from "node:fs/promises";
import { join } from "node:path";
import { AREAS, type Area } from "../config/env.ts";
import { introduce } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";

export interface FoundService {
  area: Area;
  file: string;
  service: MeshService;
}

const ROOT = import.meta.dirname;

/** Where services lie: `services/<area>/…/<domain>.service.ts`, from this folder. */
export async function serviceFiles(): Promise<{ area: Area; file: string }[]> {
  const files: string[] = [];
  for await (const file of glob("*/**/*.service.ts", { cwd: ROOT })) files.push(file.replaceAll("\\", "/"));
  return files.sort().map((file) => {
    const area = file.split("/")[0] as Area;
    if (!AREAS.includes(area)) throw new Error(`services/${file} lies in no area: ${AREAS.join(", ")}.`);
    return { area, file };
  });
}

/**
 * Every service of the code. Importing one starts nothing. In the bundle this module is another, which names them
 * (scripts/bundle.ts).
 */
export async function allServices(): Promise<FoundService[]> {
  const load = async (file: string) => ((await import(join(ROOT, file))) as { default: MeshService }).default;
  const found = await Promise.all(
    (await serviceFiles()).map(async (one) => ({ ...one, service: await load(one.file) })),
  );
  introduce(found.map(({ service }) => service));
  return found;
}
