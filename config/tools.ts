import type { ActionClass } from "./safety.ts";

/**
 * What becomes of an act that a kill cut off: `read` and `keyed` are done again (a `keyed` action makes nothing twice
 * under the step's name), `probed` is asked for first, and of `once` nobody knows: a person decides.
 */
export const EFFECTS = ["read", "keyed", "probed", "once"] as const;
export type Effect = (typeof EFFECTS)[number];

/** How to tell whether an act happened: a read, by an argument of the act, and what its answer then shows. */
export interface Probe {
  action: string;
  /** The argument of the act that names the record, as the read calls it. */
  by: string;
  /** Fields of the answer; `arguments`: each of the act's own, the record's id aside. */
  shows: Readonly<Record<string, unknown>> | "arguments";
}

export interface ToolRow {
  action: string;
  class: ActionClass;
  effect: Effect;
  probe?: Probe;
}

const read = (action: string, safety: ActionClass = "observe"): ToolRow => ({ action, class: safety, effect: "read" });
const keyed = (action: string, safety: ActionClass): ToolRow => ({ action, class: safety, effect: "keyed" });
const probed = (action: string, safety: ActionClass, probe: Probe): ToolRow => ({
  action,
  class: safety,
  effect: "probed",
  probe,
});
const once = (action: string, safety: ActionClass): ToolRow => ({ action, class: safety, effect: "once" });
const mission = (shows: Probe["shows"]): Probe => ({ action: "missions.get", by: "id", shows });
const gate = (status: string): Probe => ({ action: "gates.get", by: "gateId", shows: { status } });

/**
 * Everything that an agent can do, all of it: what is not here, no agent does. Names are those of the tools that clients
 * of the Model Context Protocol see, where there are such.
 */
export const TOOLS = {
  list_articles: read("articles.list"),
  read_article: read("articles.get"),
  search_articles: read("search.search"),
  list_briefings: read("briefings.list"),
  read_briefing: read("briefings.get"),
  read_claims: read("verification.claims.list"),
  verification_summary: read("verification.getSummary"),
  list_documents: read("documents.list"),
  show_document: read("documents.get"),
  read_document: read("documents.texts.get"),
  list_missions: read("missions.list"),
  show_mission: read("missions.get"),
  list_gates: read("gates.list"),
  show_gate: read("gates.get"),
  list_daos: read("dao.list"),
  list_proposals: read("dao.proposals.list"),
  list_messages: read("messages.list"),
  extract_claims: { action: "verification.claims.extract", class: "analyse", effect: "keyed" },
  analyse_bias: { action: "verification.biases.analyse", class: "analyse", effect: "keyed" },
  annotate_inherited: keyed("inheritance.annotations.create", "annotate"),
  list_staff_feed: read("ai-staff.feedItems.list"),
  add_feed_item: keyed("ai-staff.feedItems.add", "annotate"),
  annotate_record: keyed("ai-staff.annotations.create", "annotate"),
  open_mission: keyed("missions.create", "modify-shared"),
  edit_mission: probed("missions.update", "modify-shared", mission("arguments")),
  generate_briefing: once("briefings.generate", "modify-shared"),
  publish_message: keyed("messages.publish", "communicate-inside"),
  ask_parent: keyed("inheritance.rfis.create", "communicate-outside"),
  activate_mission: probed("missions.activate", "task-units", mission({ status: "active" })),
  offer_bounty: once("escrow.bounties.create", "spend"),
  invite_member: once("missions.invites.create", "change-access"),
  add_gate: keyed("gates.create", "change-governance"),
  submit_gate: probed("gates.submit", "change-governance", gate("submitted")),
  approve_gate: probed("gates.approve", "change-governance", gate("approved")),
  reject_gate: probed("gates.reject", "change-governance", gate("rejected")),
  propose_to_dao: keyed("dao.proposals.create", "change-governance"),
  withdraw_document: probed("documents.withdraw", "irreversible", {
    action: "documents.get",
    by: "documentId",
    shows: { status: "withdrawn" },
  }),
} as const satisfies Readonly<Record<string, ToolRow>>;

export type ToolName = keyof typeof TOOLS;
export const TOOL_NAMES = Object.keys(TOOLS) as [ToolName, ...ToolName[]];
export const toolRow = (name: ToolName): ToolRow => TOOLS[name];
