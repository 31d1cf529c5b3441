import type { AccessRights } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isUuid } from "../../../../core/ids.ts";
import { words } from "../../../../core/text/words/words.ts";
import { rowsIn, type RecordRow } from "../../passages.ts";
import { readerFor } from "../../reply-writing.ts";
import { askingAs } from "../../sources.ts";
import type { Message } from "../messages/messages.ts";

const LISTS = {
  gate: { action: "gates.list", name: "name" },
  mission: { action: "missions.list", name: "name" },
  document: { action: "documents.list", name: "title" },
  objective: { action: "strategic.objectives.list", name: "statement" },
} as const;
type Kind = keyof typeof LISTS;
const isKind = (word: unknown): word is Kind => typeof word === "string" && Object.hasOwn(LISTS, word);

/** Tools of which `id` is a mission's; of others it is the problem set's, which is known. */
const OF_MISSIONS: ReadonlySet<string> = new Set(["edit_mission", "activate_mission", "invite_member"]);

interface Act {
  tool: string;
  arguments: Record<string, unknown>;
}
/** The act on the record that was named, which it is in words; or why nobody knows which that is. */
export interface NamedAct {
  act: Act;
  name?: string;
  compartments: readonly string[];
  unknown?: string;
}

/** The argument that names a record, and of which kind that is. */
function namingOf({ tool, arguments: given }: Act): { field: string; kind: Kind } | undefined {
  if ("gateId" in given) return { field: "gateId", kind: "gate" };
  if ("documentId" in given) return { field: "documentId", kind: "document" };
  if (OF_MISSIONS.has(tool) && "id" in given) return { field: "id", kind: "mission" };
  const target = given["targetType"];
  return "targetId" in given && isKind(target) ? { field: "targetId", kind: target } : undefined;
}

const plain = (name: string): string =>
  words(name)
    .map(({ text }) => text)
    .join(" ");

/** Those that are called so: by their whole name, else by a part of it. */
function called(rows: readonly RecordRow[], field: string, name: string): RecordRow[] {
  const wanted = plain(name);
  const whole = rows.filter((row) => plain(row[field]) === wanted);
  return whole.length || !wanted ? whole : rows.filter((row) => ` ${plain(row[field])} `.includes(` ${wanted} `));
}

/**
 * Puts the id of a record in place of its name: a model is shown no ids, and people speak in names. What no single
 * record that the person sees is called is left, with the reason.
 */
export async function namedAct(host: Host, message: Message, account: AccessRights, act: Act): Promise<NamedAct> {
  const naming = namingOf(act);
  const problemSetId = message.problemSetId!;
  const value = naming && act.arguments[naming.field];
  if (!naming || typeof value !== "string" || isUuid(value.toLowerCase())) return { act, compartments: [] };
  const compartments = account.memberships?.[problemSetId]?.compartments ?? [];
  const ask = askingAs(host, readerFor(account, message, { name: "assistant", compartments }));
  const { action, name } = LISTS[naming.kind];
  const found = called(await rowsIn(ask, action, problemSetId), name, value);
  const [one, ...others] = found;
  if (one && !others.length)
    return {
      act: { ...act, arguments: { ...act.arguments, [naming.field]: one.id } },
      name: one[name],
      compartments: one.compartments ?? [],
    };
  const why = one
    ? `${found.length} ${naming.kind}s are called "${value}": say its whole name, or its id.`
    : `No ${naming.kind} that you see is called "${value}".`;
  return { act, compartments: [], unknown: why };
}
