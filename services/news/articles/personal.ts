import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { MOST_GATHERED, type Holding } from "../../../core/records/keeping/personal-data.ts";
import { Article } from "./articles.ts";

/** A person's verdicts, with what names the articles; the articles themselves are their outlets'. */
async function verdictsOf(this: Host, userId: string, caller: Caller): Promise<readonly unknown[]> {
  const judged = await this.store(Article).find(
    caller,
    { "verdict.by": userId },
    { limit: MOST_GATHERED, fields: ["title", "url", "sourceName", "verdict"] },
  );
  return judged.map(({ id, title, url, sourceName, verdict }) => ({
    articleId: id,
    title,
    url,
    sourceName,
    verified: verdict!.verified,
    notes: verdict!.notes,
    verifiedAt: verdict!.at,
  }));
}

/** A verdict stays when its person leaves, by an id that leads to nobody: others rely on it. */
export const heldVerdicts: Holding = {
  what: "Your verdicts on articles",
  gather: verdictsOf,
  erase: async () => null,
};
