import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AREAS } from "../config/env.ts";

/**
 * `npm run new workspace/patrols`: writes a noun (what it is), its service (how it is reached) and its test (what is particular),
 * ready to run; then add its permits to config/roles.ts.
 */
const [place = ""] = process.argv.slice(2);
const [area, noun, ...rest] = place.split("/");
if (!AREAS.includes(area as never) || !/^[a-z][a-z-]*s$/.test(noun ?? "") || rest.length) {
  console.error(`usage: npm run new <area>/<plural-noun>, with an area of ${AREAS.join(", ")}`);
  process.exit(2);
}
const singular = noun!.replace(/ies$/, "y").replace(/s$/, "");
const type = singular.split("-").map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
const words = singular.replaceAll("-", " ");
const folder = `services/${area}/${noun}`;

const files: Record<string, string> = {
  [`${folder}/${noun}.ts`]: `import { z } from "zod";
import { entity, type Item } from "../../../core/records/entity.ts";

export const ${type} = entity("${noun}", {
  title: "${words}",
  fields: {
    name: z.string().min(1).max(120),
  },
  sort: ["name"],
});
export type ${type} = Item<typeof ${type}>;
`,
  [`${folder}/${noun}.service.ts`]: `import type { MeshService } from "../../../core/contract/endpoint.ts";
import { crud } from "../../../mixins/crud.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ${type} } from "./${noun}.ts";

export default {
  name: "${noun}",
  settings: { rest: "/${noun}" },
  mixins: [domain({ entities: [${type}] })],
  actions: {
    ...crud(${type}, { list: "${noun}:read", get: "${noun}:read", create: "${noun}:edit", update: "${noun}:edit", remove: "${noun}:edit" }),
  },
} satisfies MeshService;
`,
  [`test/${area}/${noun}.test.ts`]: `import { world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => { at = await world(); });
afterAll(() => at.stop());

it("keeps a ${words} as it was made", async () => {
  const made = await at.http("POST", "/api/${noun}", { body: { name: "First" } });
  expect(made.status).toBe(201);
  expect((await at.http("GET", \`/api/${noun}/\${made.body.data.id}\`)).body.data).toMatchObject({ name: "First", rev: 1 });
});
`,
};
const taken = Object.keys(files).find((file) => existsSync(file));
if (taken) {
  console.error(`${taken} exists already.`);
  process.exit(1);
}
for (const [file, text] of Object.entries(files)) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`wrote ${file}`);
}
console.log(`Now give "${noun}:edit" to a role in config/roles.ts.`);
