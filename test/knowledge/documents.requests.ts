import { eventually, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";
import { pdf } from "./files.ts";

/** A form with a file of these bytes, or words. */
export function form(
  content: string | Uint8Array,
  name: string,
  fields: Record<string, string | string[]> = {},
): FormData {
  const made = new FormData();
  for (const [field, value] of Object.entries(fields)) for (const one of [value].flat()) made.append(field, one);
  made.append("file", new File([content as Uint8Array<ArrayBuffer>], name));
  return made;
}

let made = 0;
const plan = (): string => `Plan ${++made}. The battalion holds the bridge.`;

/** Puts a document in and waits until it is known what can be read of it; answers its record. */
export async function put(
  at: TestWorld,
  who: Person,
  content: string | Uint8Array,
  name: string,
  fields: Record<string, string | string[]>,
): Promise<any> {
  const reply = await at.http("POST", "/api/documents/upload", { as: who.token, body: form(content, name, fields) });
  if (reply.status >= 300) throw new Error(reply.text);
  return eventually(
    async () => (await at.http("GET", `/api/documents/${reply.body.data.id}`, { as: who.token })).body.data,
    ({ status }) => status === "ready" || status === "unreadable",
  );
}

export const requests: Rows["requests"] = {
  "POST /api/documents/upload": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/documents/upload",
      as: commander.token,
      body: form(plan(), "row.txt", { problemSetId: id }),
      effect: stored("documents"),
    };
  },
  "POST /api/documents/:documentId/versions": async (at) => {
    const { commander, id } = await desk(at);
    const document = await put(at, commander, plan(), "row.txt", { problemSetId: id });
    return {
      path: `/api/documents/${document.id}/versions`,
      as: commander.token,
      body: form(plan(), "row.txt"),
    };
  },
};

requests["POST /api/documents/:documentId/unlock"] = async (at) => {
  const { commander, id } = await desk(at);
  const bytes = await pdf([[plan()]], { userPassword: "row", ownerPassword: "other" });
  const document = await put(at, commander, bytes, "locked.pdf", { problemSetId: id });
  return { path: `/api/documents/${document.id}/unlock`, as: commander.token, body: { password: "row" } };
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const fields = { problemSetId, compartments, title: text, description: text };
  const { id } = await put(at, by, `${text} ${plan()}`, `${text}.txt`, fields);
  return { "/api/documents/:documentId": id };
}
