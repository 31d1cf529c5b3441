import type { Caller } from "../../../../core/access/caller.ts";
import { appraiseByModel, groundwork } from "./appraisal.ts";
import type { Content } from "../../articles/client.ts";
import type { Verifier } from "../host.ts";
import { settle, type Settled } from "../claims/settlement.ts";
import type { Spending } from "./spending.ts";

/** The model's judgement of an article, after making claims and cross-references where they are missing. */
export async function judge(host: Verifier, caller: Caller, content: Content, spent: Spending): Promise<Settled> {
  const record = await appraiseByModel(host, caller, content, await groundwork(host, caller, content, spent), spent);
  return settle(host, caller, content, record, { tells: true });
}
