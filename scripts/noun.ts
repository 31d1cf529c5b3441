/** Areas whose records lie in problem sets: who may do what there is said by role in the set. */
const IN_SETS = ["workspace", "knowledge", "staff", "picture"];

const a = (words: string): string => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** What a new noun is called in the code, in the API and in words. */
export interface Noun {
  area: string;
  domain: string;
  /** Plural, as in the path: `patrol-routes`. */
  noun: string;
  /** `PatrolRoute`, `patrolRoute`, `patrol route`, `patrol-route`. */
  type: string;
  variable: string;
  words: string;
  kind: string;
  /** Its folder, and the way from there to the root. */
  folder: string;
  up: string;
  /** Whether its domain has other nouns, below whose path it lies. */
  shared: boolean;
  inSet: boolean;
}

/** `placed` in the domain itself, or in a folder of its own as its neighbours are. */
export function nounOf(area: string, domain: string, noun: string, placed: "flat" | "folder" = "flat"): Noun {
  const kind = noun
    .replace(/ies$/, "y")
    .replace(/(ch|sh|ss|x)es$/, "$1")
    .replace(/([^s])s$/, "$1");
  const type = kind
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");
  const folder = `services/${area}/${domain}${placed === "folder" ? `/${noun}` : ""}`;
  return {
    area,
    domain,
    noun,
    type,
    kind,
    folder,
    variable: type[0]!.toLowerCase() + type.slice(1),
    words: kind.replaceAll("-", " "),
    up: "../".repeat(folder.split("/").length),
    shared: domain !== noun,
    inSet: IN_SETS.includes(area),
  };
}

const pathOf = ({ domain, noun, shared }: Noun): string => (shared ? `/api/${domain}/${noun}` : `/api/${noun}`);
const collectionOf = ({ domain, noun, shared }: Noun): string =>
  (shared ? `${domain}.${noun}` : noun).replace(/\W/g, "_");

function entityText({ area, domain, noun, shared, type, words, kind, up, inSet }: Noun): string {
  const imports = inSet
    ? `import { barrier, Compartments } from "${up}core/access/place.ts";\nimport { entity, TextId, type Item ` +
      `} from "${up}core/records/entity.ts";`
    : `import { entity, type Item } from "${up}core/records/entity.ts";`;
  const place = inSet
    ? `    problemSetId: TextId.describe("The problem set that the ${words} lies in."),\n    compartments: ` +
      "Compartments,\n"
    : "";
  const traits = inSet
    ? `  immutable: ["problemSetId", "compartments"],\n  filter: ["problemSetId"],\n  sort: ["name"],\n  ` +
      `barrier,\n  indexes: [{ fields: ["problemSetId", "-createdAt"] }],\n`
    : `  sort: ["name"],\n`;
  const told = inSet
    ? "z.object({\n  id: z.string(), problemSetId: z.string(), compartments: z.array(z.string()), name: " +
      "z.string(), by: z.string(),\n})"
    : "z.object({ id: z.string(), rev: z.int() })";
  const event = (what: string, past: string): string => {
    const head = `export const ${type}${what} = event("${area}.${kind}.${what.toLowerCase()}", Told`;
    return inSet
      ? `${head}, {\n  activity: { subject: ["${kind}", "id"], words: ({ name }) => \`The ${words} "\${name}" ` +
          `was ${past}.\` },\n});`
      : `${head});`;
  };
  const facts = inSet
    ? `
/** What each of them tells. */
export const told = ({ id, problemSetId, compartments, name }: ${type}, by: string) =>
  ({ id, problemSetId, compartments, name, by });
`
    : "";
  return `import { z } from "zod";
${imports}
import { event } from "${up}core/events/event.ts";

export const ${type} = entity("${shared ? `${domain}.${noun}` : noun}", {
  title: "${words}",
  fields: {
${place}    name: z.string().min(1).max(120),
  },
${traits}});
export type ${type} = Item<typeof ${type}>;

const Told = ${told};
${event("Created", "added")}
${event("Changed", "changed")}
${event("Removed", "removed")}
${facts}`;
}

/** The ordinary actions of the noun, as an expression. */
function crudText({ noun, shared, type, variable, inSet }: Noun): string {
  const permits = inSet
    ? `list: "signed-in", get: "signed-in", create: "signed-in", update: "signed-in", remove: "signed-in",\n  ` +
      `within: { set: "problemSetId", read: "${noun}:read", write: "${noun}:edit" },`
    : `list: "${noun}:read", get: "${noun}:read",\n  create: "${noun}:edit", update: "${noun}:edit", remove: ` +
      `"${noun}:edit",`;
  const fact = (what: string): string =>
    inSet
      ? `(${variable}, ctx) => ${type}${what}.fact(${variable}.id, told(${variable}, ctx.meta.actor!.userId))`
      : `${type}${what}`;
  const example = inSet ? `{ problemSetId: "the problem set's id", name: "First" }` : `{ name: "First" }`;
  return `crud(${type}, {
  ${shared ? `at: "/${noun}", ` : ""}${permits}
  example: ${example},
  tells: {
    created: ${fact("Created")},
    updated: ${fact("Changed")},
    removed: ${fact("Removed")},
  },
})`;
}

const namesOf = ({ type, inSet }: Noun): string =>
  [type, `${type}Changed`, `${type}Created`, `${type}Removed`, ...(inSet ? ["told"] : [])].join(", ");

const actionsText = (noun: Noun): string => `import { crud } from "${noun.up}mixins/crud.ts";
import { ${namesOf(noun)} } from "./${noun.noun}.ts";

export const ${noun.variable}Actions = ${crudText(noun)};
`;

function serviceText(noun: Noun): string {
  const { domain, up, type, variable, shared, words } = noun;
  const own = shared
    ? `import { ${variable}Actions } from "./${noun.noun}.actions.ts";\nimport * as ${variable}Noun from ` +
      `"./${noun.noun}.ts";\n`
    : `import * as ${variable}Noun from "./${noun.noun}.ts";\nimport { ${namesOf(noun)} } from "./${noun.noun}.ts";\n`;
  return `import type { MeshService } from "${up}core/contract/endpoint.ts";
import { eventsIn } from "${up}core/events/event.ts";
${shared ? "" : `import { crud } from "${up}mixins/crud.ts";\n`}import { domain } from "${up}mixins/domain.mixin.ts";
${own}
${shared ? "" : `const ${variable}Actions = ${crudText(noun)};\n\n`}export default {
  name: "${domain}",
  metadata: { description: "${words[0]!.toUpperCase()}${words.slice(1)}s of a problem set." },
  settings: { rest: "/${domain}" },
  mixins: [domain({
    entities: [${shared ? `${variable}Noun.` : ""}${type}],
    tells: () => eventsIn(${variable}Noun),
  })],
  actions: { ...${variable}Actions },
} satisfies MeshService;
`;
}

function rowsText(noun: Noun): string {
  const path = pathOf(noun),
    effect = `effect: stored("${collectionOf(noun)}")`;
  if (!noun.inSet)
    return `import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST ${path}": async () => ({ path: "${path}", body: { name: "Row" }, ${effect} }),
};

export async function plant(at: TestWorld, { text }: Place): Promise<Planted> {
  const { id } = (await at.http("POST", "${path}", { body: { name: text } })).body.data;
  return { "${path}/:id": id };
}
`;
  return `import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "${noun.area === "workspace" ? "./" : "../workspace/"}desk.ts";

export const requests: Rows["requests"] = {
  "POST ${path}": async (at) => {
    const { commander, id } = await desk(at);
    const body = { name: "Row", problemSetId: id };
    return { path: "${path}", as: commander.token, body, ${effect} };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const { id } = await made(at, "POST", "${path}", { problemSetId, compartments, name: text }, by);
  return { "${path}/:id": id };
}
`;
}

function storyText(noun: Noun): string {
  const { words, kind, inSet } = noun,
    path = pathOf(noun);
  const world = (names: string): string => `import { ${names} } from "../mesh.ts";\n`;
  const around = `
let at: TestWorld;
beforeAll(async () => { at = await world(); });
afterAll(() => at.stop());
`;
  if (!inSet)
    return `${world("world, type TestWorld")}${around}
it("keeps ${a(words)} as it was made", async () => {
  const made = await at.http("POST", "${path}", { body: { name: "First" } });
  expect(made.status).toBe(201);
  expect((await at.http("GET", \`${path}/\${made.body.data.id}\`)).body.data).toMatchObject({ name: "First", rev: 1 });
});
`;
  return `${world("eventually, world, type TestWorld")}import { as, openSet, persons } from "${noun.area === "workspace" ? "./" : "../workspace/"}people.ts";
${around}
it("keeps ${a(words)} in its problem set, and tells the set of it", async () => {
  const [ann, eve] = await persons(at, "ann", "eve");
  const set = await openSet(at, ann);
  const made = await as(at, ann)("POST", "${path}", { problemSetId: set, name: "First" });
  expect(made.status).toBe(201);
  const path = \`${path}/\${made.body.data.id}\`;
  expect((await as(at, ann)("GET", path)).body.data).toMatchObject({ name: "First", rev: 1 });
  expect((await as(at, eve)("GET", path)).status).toBe(404);
  const activity = async () => (await as(at, ann)("GET", \`/api/problem-sets/\${set}/activity\`)).body.data;
  const [item] = await eventually(activity, ([newest]) => newest?.kind === "${kind}.created");
  expect(item.summary).toBe('The ${words} "First" was added.');
  expect(item.subject).toEqual({ type: "${kind}", id: made.body.data.id });
});
`;
}

const testOf = ({ area, domain, noun, shared }: Noun): string => `test/${area}/${shared ? `${domain}-${noun}` : noun}`;

/** The files of a new noun; with `service`, its domain's as well. */
export function filesOf(noun: Noun, { service }: { service: boolean }): Record<string, string> {
  const { folder, area, domain, noun: name, shared } = noun;
  return {
    [`${folder}/${name}.ts`]: entityText(noun),
    ...(shared && { [`${folder}/${name}.actions.ts`]: actionsText(noun) }),
    ...(service && { [`services/${area}/${domain}/${domain}.service.ts`]: serviceText(noun) }),
    [`${testOf(noun)}.requests.ts`]: rowsText(noun),
    [`${testOf(noun)}.test.ts`]: storyText(noun),
  };
}

/** A change of one place in a file that stands already; `undefined` where that place is not found, or found twice. */
type Edit = [from: string, to: string];
export function edited(text: string, edits: readonly Edit[]): string | undefined {
  let now = text;
  for (const [from, to] of edits) {
    if (now.split(from).length !== 2) return undefined;
    now = now.replace(from, () => to);
  }
  return now;
}

/** A domain's service with one noun more. */
export function withNoun(service: string, { type, variable, noun, folder, domain }: Noun): string | undefined {
  const from = folder.endsWith(`/${domain}`) ? `./${noun}` : `./${noun}/${noun}`;
  const imports = `import { ${variable}Actions } from "${from}.actions.ts";\nimport * as ${variable}Noun from "${from}.ts";\n`;
  const last = [...service.matchAll(/^import .*;\n/gm)].at(-1);
  if (!last || !service.includes("eventsIn(")) return undefined;
  const end = last.index + last[0].length;
  return edited(service.slice(0, end) + imports + service.slice(end), [
    ["entities: [", `entities: [${variable}Noun.${type}, `],
    ["eventsIn(", `eventsIn(${variable}Noun, `],
    ["\n  actions: {", `\n  actions: {\n    ...${variable}Actions,`],
  ]);
}

/** The line of the table of permits that a noun needs, and the table with it. */
export function permitOf({ noun, inSet }: Noun): {
  file: string;
  line: string;
  grant(text: string): string | undefined;
} {
  const permit = `${noun}:edit`;
  if (inSet) {
    const line = `  "${permit}": ["deputy", "planner"],`;
    return {
      file: "config/set-roles.ts",
      line,
      grant: (text) => (text.includes(`"${permit}"`) ? text : edited(text, [["\n};\n", `\n${line}\n};\n`]])),
    };
  }
  const grant = (text: string): string | undefined => {
    if (text.includes(`"${permit}"`)) return text;
    return ["analyst", "admin"].reduce<string | undefined>((table, role) => {
      const begins = table?.indexOf(`  ${role}: [\n`) ?? -1;
      const ends = table?.indexOf("\n  ],", begins) ?? -1;
      return table && begins >= 0 && ends >= 0
        ? `${table.slice(0, ends)}\n    "${permit}",${table.slice(ends)}`
        : undefined;
    }, text);
  };
  return { file: "config/roles.ts", line: `"${permit}" for analyst and admin`, grant };
}
