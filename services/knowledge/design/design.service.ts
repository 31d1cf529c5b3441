import { z } from "zod";
import { actorOf, type Ctx } from "../../../core/access/caller.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import { demandMatch, endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../core/contract/live.ts";
import { retryOnConflict } from "../../../core/records/conflict-retry.ts";
import { TextId } from "../../../core/records/entity.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { askModel } from "../model-questions.ts";
import { sourcesOf, type DocumentText } from "../strategic-tools/client.ts";
import { preparing } from "../../news/verification/client.ts";
import { contradictedBy, contradictionsIn, gapsIn, spotsOf, type Spot } from "./analysis.ts";
import { Design, DesignSection, Handoff, saidInAll, sectionId } from "./design.ts";
import * as events from "./events.ts";
import { DesignEdited, DesignHandedOff } from "./events.ts";
import { deliver, handOff, obstruct, prepare, sectionsOf } from "./handing-off.ts";
import { acceptFindings, questionOf } from "./model.ts";
import {
  checked,
  FIELDS,
  fieldsOf,
  missingIn,
  saidIn,
  SECTION_NAMES,
  type DesignValues,
  type Section,
} from "./sections.ts";
import { Analysis, HandoffView, Package, SectionName, SectionView, Status } from "./views.ts";

const set = "problemSetId";
const reading = { set, may: "design:read" };
const inPath = { path: { problemSetId: TextId }, within: reading } as const;

const DesignChanged = liveType("design.changed", {
  domain: "design",
  summary: "Somebody edited a section of a design that you see",
  payload: z.object({ problemSetId: z.string(), section: z.enum(SECTION_NAMES), rev: z.int(), by: z.string() }),
  may: "design:read",
});

const shown = (section: Section, record: DesignSection | undefined): z.input<typeof SectionView> => ({
  ...saidIn(section, record as DesignValues | undefined),
  section,
  rev: record?.rev ?? 0,
  updatedAt: record?.updatedAt ?? null,
  updatedBy: record?.updatedBy ?? null,
});
const shownAll = (records: readonly DesignSection[]): z.input<typeof SectionView>[] =>
  SECTION_NAMES.map((name) =>
    shown(
      name,
      records.find(({ section }) => section === name),
    ),
  );

function statusOf(problemSetId: string, records: readonly DesignSection[]): z.input<typeof Status> {
  const missing = missingIn(saidInAll(records));
  const sections = SECTION_NAMES.map((section) => {
    const own = missing.filter((one) => one.section === section);
    return { section, complete: own.length === 0, missing: own };
  });
  return { problemSetId, complete: missing.length === 0, sections, missing };
}

/** Edits a section, which comes into being with its first edit. */
async function edit(host: Host, ctx: Ctx<{ problemSetId: string; section: Section }>): Promise<DesignSection> {
  const { problemSetId, section, ...change } = ctx.params;
  const [store, by] = [host.store(DesignSection), actorOf(ctx)];
  const id = sectionId(problemSetId, section);
  const facts = [DesignEdited.fact(problemSetId, { problemSetId, section, by })];
  const record = await retryOnConflict(async () => {
    const before = await store.one(ctx, { _id: id });
    demandMatch(ctx.locals.ifMatch, DesignSection.title, before ?? { id: section, rev: 0 });
    const fields = checked(problemSetId, section, saidIn(section, (before ?? {}) as DesignValues), change);
    if (before) return store.revise(ctx, before, { ...fields, updatedBy: by }, { facts });
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const { record: now, made } = await store.createOnce(
      ctx,
      { ...given, id, problemSetId, section, updatedBy: by },
      { facts },
    );
    // Somebody else wrote it first: theirs is changed, unless ours was to be the first.
    if (made) return now;
    demandMatch(ctx.locals.ifMatch, DesignSection.title, now);
    return store.revise(ctx, now, { ...fields, updatedBy: by }, { facts });
  });
  await live(host, {
    event: DesignChanged,
    to: { problemSetId },
    data: { problemSetId, section, rev: record.rev, by },
  });
  return record;
}

/** What the model finds beside the rules, as far as its words hold. */
async function asked(host: Host, spots: readonly Spot[], sources: readonly DocumentText[], signal: AbortSignal) {
  const { value, fault } = spots.length ? await askModel(host, questionOf(spots, sources), { signal }) : {};
  return { ...(value ? acceptFindings(value, spots, sources) : { findings: [], dropped: 0 }), fault };
}

async function analyse(host: Host, ctx: Ctx<{ problemSetId: string }>): Promise<z.input<typeof Analysis>> {
  const { problemSetId } = ctx.params;
  const said = saidInAll(await sectionsOf(host, ctx, problemSetId));
  const sources = await sourcesOf(ctx, { problemSetId });
  const signal = host.signal(ctx);
  await inTurns(preparing(), { signal });
  const spots = spotsOf(said);
  const findings = [...gapsIn(said, spots), ...(await inTurns(contradictionsIn(said, spots), { signal }))];
  for (const source of sources) findings.push(...(await inTurns(contradictedBy(source, spots), { signal })));
  const model = await asked(host, spots, sources, signal);
  return {
    problemSetId,
    method: model.findings.length ? "llm" : "heuristic",
    findings: [...findings, ...model.findings],
    documents: sources.length,
    dropped: model.dropped,
    ...(model.fault && { fault: model.fault }),
  };
}

export default {
  name: "design",
  metadata: {
    description: "The operational design of a problem set: framing, lines of effort, and its handoff to planning.",
  },
  settings: { rest: "/design" },
  mixins: [
    domain({
      entities: [DesignSection, Design, Handoff],
      books: [Design],
      tells: () => eventsIn(events),
      hears: [on(DesignHandedOff, deliver)],
      live: [DesignChanged],
      personal: [commonWork("Designs that you handed over to planning", Handoff, "by")],
    }),
  ],

  actions: {
    get: endpoint({
      rest: "GET /:problemSetId",
      summary: "Show the design of a problem set",
      permit: "signed-in",
      ...inPath,
      returns: data(z.object({ problemSetId: z.string(), sections: z.array(SectionView) }).meta({ id: "Design" })),
      tool: "show_design",
      description:
        "Its sections are those of the Army's design methodology (ATP 5-0.1). A design lies in its problem " +
        "set and in no compartment: every member reads it.",
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        return { problemSetId, sections: shownAll(await sectionsOf(this, ctx, problemSetId)) };
      },
    }),

    getStatus: endpoint({
      rest: "GET /:problemSetId/status",
      summary: "Report how complete a design is, and what is missing",
      permit: "signed-in",
      ...inPath,
      returns: data(Status),
      tool: "design_status",
      description:
        "For each section whether it is complete, and the fields that are missing; the texts themselves are in `GET " +
        "/api/design/{problemSetId}`.",
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        return statusOf(problemSetId, await sectionsOf(this, ctx, problemSetId));
      },
    }),

    edit: endpoint({
      rest: "PATCH /:problemSetId/:section",
      summary: "Edit a section of a design",
      permit: "signed-in",
      path: { problemSetId: TextId, section: SectionName.describe("The section of the design.") },
      within: { set, may: "design:edit" },
      body: DesignSection.change,
      forms: SECTION_NAMES.map((section) =>
        z.strictObject(
          Object.fromEntries(
            fieldsOf(section).map((name) => [name, DesignSection.change[name as keyof typeof FIELDS]]),
          ),
        ),
      ),
      returns: data(SectionView),
      description:
        "Omitted fields stay unchanged, null clears one; a list is sent whole. Each section is a record " +
        "with its own revision: `If-Match` refers to this section only, so that two people can edit two " +
        "sections at once. A field of another section is 400.",
      example: { currentState: "The river has cut the northern road." },
      errors: { 412: "`STALE`: the section has another revision than `If-Match` says." },
      async handler(ctx) {
        const { section } = ctx.params;
        return shown(section, await edit(this, ctx));
      },
    }),

    getHandoff: endpoint({
      rest: "GET /:problemSetId/handoff",
      summary: "Preview the handoff to planning, and its differences from the last one",
      permit: "signed-in",
      ...inPath,
      returns: data(Package),
      tool: "design_handoff",
      description:
        "Hands nothing over. `ready` says whether it could be, `missing` and `gates` what stands in the way, " +
        "`differences` what changed since.",
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        const { last, missing, gates, ...rest } = await prepare(this, ctx, problemSetId);
        return { problemSetId, ...rest, last, missing, gates, ready: !missing.length && !gates.length };
      },
    }),

    pushHandoff: endpoint({
      rest: "POST /:problemSetId/push-handoff",
      summary: "Hand a design over to planning",
      permit: "signed-in",
      path: { problemSetId: TextId },
      within: { set, may: "design:hand-off" },
      body: {
        hash: z
          .string()
          .max(64)
          .optional()
          .describe("Hash of the design that you read; refused if the design has changed since."),
      },
      returns: data(
        HandoffView.extend({ duplicate: z.boolean().describe("It was handed over already: this is that handoff.") }),
      ),
      status: 201,
      found: ({ duplicate }) => duplicate,
      description:
        "Its assumptions and constraints are added to every running decision process of the set, and to " +
        "later ones (`/api/mdmp`). Another handoff replaces them: an open assumption that it lacks is " +
        "withdrawn, an accepted one is kept.",
      errors: {
        409:
          "`INCOMPLETE`: something is missing, `details` lists it. `BLOCKED`: a hard gate guards it and is " +
          "not approved. `CHANGED`: its hash has changed.",
      },
      async handler(ctx) {
        const { problemSetId, hash } = ctx.params;
        const { handoff, duplicate } = await handOff(this, ctx, problemSetId, hash);
        return { ...handoff, duplicate };
      },
    }),

    analyze: endpoint({
      rest: "POST /:problemSetId/analyze",
      summary: "Find gaps and contradictions in a design",
      permit: "signed-in",
      ...inPath,
      reads: true,
      returns: data(Analysis),
      tool: "analyze_design",
      description:
        "Nothing is stored: the answer is computed from the design and the documents that you can see. " +
        "Rules find gaps, statements that nothing builds on, statements that exclude each other, and " +
        "sentences of documents that contradict the design; a configured language model adds what it can " +
        "support with a quotation.",
      handler(ctx) {
        return analyse(this, ctx);
      },
    }),

    /** Asked by the gates, after they put one in the way of a handoff and before they answer. */
    obstructed: endpoint({
      summary: "A gate was put in the way of a handoff",
      permit: "internal",
      body: { subject: TextId },
      returns: bare(z.null()),
      async handler(ctx) {
        await obstruct(this, ctx.params.subject);
        return null;
      },
    }),
  },
} satisfies MeshService;
