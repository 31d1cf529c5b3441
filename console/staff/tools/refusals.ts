import { Refusal } from "../../api/client.ts";
import { CLASS_WORDS } from "../shared/words.ts";

const AT_FIELD = /^([A-Za-z.]+): (.+)$/s;
const KIND = /(at least|its own is) ([a-z-]+)/;

/**
 * What the platform does not take of a tool as a whole names its field in the sentence: it is said there. Kinds of acts
 * are named by what they do.
 */
export function atField(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults.length) return error;
  const [, path, words] = AT_FIELD.exec(error.message) ?? [];
  if (!path || !words) return error;
  const message = words.replace(KIND, (all, than: string, kind: string) =>
    CLASS_WORDS[kind] === undefined ? all : `${than} “${CLASS_WORDS[kind]}”`,
  );
  return new Refusal(error.status, { code: error.code, message: error.message, details: [{ path, message }] });
}
