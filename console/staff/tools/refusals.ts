import { Refusal } from "../../api/client.ts";
import { CLASS_WORDS } from "../shared/words.ts";
import type { ToolKind } from "./tool-words.ts";

const AT_FIELD = /^([A-Za-z.]+): (.+)$/s;
const KIND = /(at least|its own is) ([a-z-]+)/;

/**
 * What the platform does not take of a tool as a whole names its field in the sentence: it is said there. Kinds of acts
 * are named by what they do. What is said of a server without naming a field is said at its address.
 */
export function atField(error: unknown, kind: ToolKind): unknown {
  if (!(error instanceof Refusal) || error.faults.length) return error;
  const [, path, words] = AT_FIELD.exec(error.message) ?? [];
  if (!path || !words) return kind === "mcp" && error.status === 422 ? placed(error, "mcp.url", error.message) : error;
  const message = words.replace(KIND, (all, than: string, kind: string) =>
    CLASS_WORDS[kind] === undefined ? all : `${than} “${CLASS_WORDS[kind]}”`,
  );
  return placed(error, path, message);
}

const placed = ({ status, code, message: whole }: Refusal, path: string, message: string): Refusal =>
  new Refusal(status, { code, message: whole, details: [{ path, message }] });
