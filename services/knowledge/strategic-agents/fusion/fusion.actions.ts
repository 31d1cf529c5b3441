import { z } from "zod";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { forbidden, invalid, invalidTransition, isConflict, nullIf } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Collected } from "../collection/collected.ts";
import type { Asker, CollectionPlace } from "../collection/collecting.ts";
import { PRODUCT_STATES, ProductReviewed, shortened, type ProductState } from "../events.ts";
import { judge, productOf } from "./fusing.ts";
import { ACT_NAMES, PRODUCT_ACTS, Product, type ProductAct } from "./products.ts";
import { productCompartments, groupsOf, reportsOf } from "./reports.ts";

const set = "problemSetId";
const MESH = asSystem("strategic-agents");
const MOST_PRODUCTS = 20;

export const ProductMoved = liveType("product.changed", {
  domain: "strategic-agents",
  summary: "A fused product was drafted, put up, judged, or gave way",
  payload: z.object({ id: z.string(), status: z.enum(PRODUCT_STATES), rev: z.int() }),
  may: "intelligence:read",
});
const tellProduct = (host: Host, { id, problemSetId, compartments, status, rev }: Product): Promise<unknown> =>
  live(host, { event: ProductMoved, to: { problemSetId, compartments }, data: { id, status, rev } });

const told = ({ id, problemSetId, compartments, hypothesis }: Product, by: string, status: ProductState) => ({
  ...{ id, problemSetId, compartments, by, status },
  title: shortened(hypothesis),
});

interface Wanted {
  storyIds: readonly string[];
  documentIds: readonly string[];
  hypothesis?: string | undefined;
}
interface Making {
  asker: Asker;
  caller: Caller;
  place: CollectionPlace;
  /** Names the run, so that a repetition makes the same products. */
  seed?: string;
  cycleId?: string;
  signal?: AbortSignal;
}

/** Fuses reports into products: one for each event that they tell of, or the one hypothesis that is asked about. */
export async function fuse(host: Host, wanted: Wanted, making: Making): Promise<Product[]> {
  const { asker, caller, place, seed, cycleId, signal } = making;
  const reports = await reportsOf(host, { asker, caller }, place.problemSetId, wanted);
  const groups = wanted.hypothesis === undefined ? groupsOf(reports) : [reports];
  const products: Product[] = [];
  for (const [at, group] of groups.slice(0, MOST_PRODUCTS).entries()) {
    const fused = await judge(group, wanted.hypothesis, signal);
    const given = {
      ...productOf(fused, group),
      ...(seed !== undefined && { id: derivedId(`${seed} ${at}`) }),
      problemSetId: place.problemSetId,
      compartments: productCompartments(place.compartments, group),
      ...(cycleId !== undefined && { cycleId }),
    };
    const facts = (made: Product) => [ProductReviewed.fact(made.id, told(made, actorOf(caller), "draft"))];
    const store = host.store(Product);
    const product =
      seed === undefined
        ? await store.create(caller, given, { facts })
        : (await store.createOnce(caller, given as typeof given & { id: string }, { facts })).record;
    await tellProduct(host, product);
    products.push(product);
  }
  return products;
}

/** Moves a product, and tells it. */
export async function move(
  host: Host,
  caller: Caller,
  product: Product,
  act: ProductAct,
  by: string,
  reason?: string,
): Promise<Product> {
  const { from, to } = PRODUCT_ACTS[act];
  if (!(from as readonly string[]).includes(product.status)) throw invalidTransition(act, product.status, from);
  const at = iso(host.world.clock.now());
  const who =
    act === "submit"
      ? { submittedBy: by, submittedAt: at, decidedBy: null, decidedAt: null }
      : { decidedBy: by, decidedAt: at };
  const moved = await host.store(Product).revise(
    caller,
    product,
    { status: to, ...who, ...(reason !== undefined && { reason }) },
    {
      where: { status: product.status },
      facts: [ProductReviewed.fact(product.id, { ...told(product, by, to), ...(reason !== undefined && { reason }) })],
    },
  );
  await tellProduct(host, moved);
  return moved;
}

/** An approved product takes the place of older ones of the same, in the same compartments. */
export async function giveWay(this: Host, { id, status, by }: z.output<typeof ProductReviewed.payload>): Promise<void> {
  if (status !== "approved") return;
  const store = this.store(Product);
  const now = await store.one(MESH, { _id: id });
  if (now?.status !== "approved") return;
  const { problemSetId, about, compartments } = now;
  const older = await store.find(MESH, { problemSetId, about, status: "approved", createdAt: { $lt: now.createdAt } });
  for (const one of older) {
    if (one.compartments.join() !== compartments.join()) continue;
    const gone = await store
      .revise(
        MESH,
        one,
        { status: "superseded", supersededBy: id },
        { facts: [ProductReviewed.fact(one.id, told(one, by, "superseded"))] },
      )
      .catch(nullIf(isConflict));
    if (gone) await tellProduct(this, gone);
  }
}

const Ids = z.array(TextId).max(20).default([]);

export const fusionActions = {
  fuse: endpoint({
    rest: "POST /fuse",
    summary: "Fuse reports into products that weigh hypotheses",
    permit: "signed-in",
    within: { set, may: "intelligence:fuse" },
    body: {
      problemSetId: Product.create.problemSetId,
      compartments: Product.create.compartments,
      hypothesis: Product.create.hypothesis
        .optional()
        .describe(
          "What is to be judged. Without it each event that the reports tell of is judged by what they assert.",
        ),
      storyIds: Ids.describe("Stories of the news: all their articles."),
      collectedIds: Ids.describe("Stories that were collected."),
      documentIds: Ids.describe("Documents of the problem set; each is a source of its own."),
    },
    returns: data(z.object({ products: z.array(Product.view) })),
    status: 201,
    tool: "fuse_reports",
    description:
      "Reports of one story, or of the same actors and places within the same days, are fused. Copies " +
      "of a wire report count as one voice, and so does one source. Credibility depends on " +
      "corroboration only; the likelihood is logistic(prior + sum of stance x ln(q/(1-q))) with q = .5 " +
      "+ .45 weight, expressed in the terms of ICD 203, with each report's contribution. A product lies " +
      "in the compartments that you name and in those of its documents.",
    example: { problemSetId: "the problem set's id", storyIds: ["the id of a story"] },
    errors: { 422: "More reports than are weighed at once (`TOO_MANY`)." },
    async handler(ctx) {
      const { problemSetId, compartments, hypothesis, storyIds, collectedIds, documentIds } = ctx.params;
      if (storyIds.length + collectedIds.length + documentIds.length === 0)
        throw invalid([{ path: "storyIds", message: "Name at least one story or document." }]);
      const store = this.store(Collected);
      const collected: Collected[] = [];
      for (const [at, id] of collectedIds.entries()) {
        const one = await store.get(ctx, id);
        if (one.problemSetId !== problemSetId)
          throw invalid([{ path: `collectedIds.${at}`, message: "The story lies in another problem set." }]);
        collected.push(one);
      }
      const stories = [...new Set([...storyIds, ...collected.map(({ storyId }) => storyId)])];
      const hidden = [...new Set([...compartments, ...collected.flatMap((one) => one.compartments)])].sort();
      const place = { problemSetId, compartments: hidden };
      const wanted = { storyIds: stories, documentIds: [...new Set(documentIds)], hypothesis };
      return { products: await fuse(this, wanted, { asker: ctx, caller: ctx, place, signal: this.signal(ctx) }) };
    },
  }),

  "products.list": endpoint({
    rest: "GET /fused",
    summary: "List the fused products",
    permit: "signed-in",
    within: { set, may: "intelligence:read" },
    query: Product.query,
    returns: list(Product.view),
    tool: "list_fused_products",
    description: "From all your problem sets, or from one.",
    handler(ctx) {
      return this.store(Product).page(ctx, ctx.params);
    },
  }),

  "products.get": endpoint({
    rest: "GET /fused/:id",
    summary: "Read a fused product, with the contribution of every report",
    permit: "signed-in",
    on: Product,
    within: { set, may: "intelligence:read" },
    returns: data(Product.view),
    tool: "read_fused_product",
    description:
      "How likely each hypothesis is by the reports about it, how much every report weighs and why, and where " +
      "reports disagree.",
    handler: (_ctx, product) => product,
  }),

  "products.review": endpoint({
    rest: "POST /fused/:id/review",
    summary: "Submit a fused product for review, approve or reject it",
    permit: "signed-in",
    on: Product,
    within: { set, may: PRODUCT_ACTS.submit.may },
    body: {
      decision: z.enum(ACT_NAMES),
      reason: z.string().trim().min(1).max(4_000).optional().describe("Why; a rejection needs it."),
    },
    returns: data(Product.view),
    description:
      "`submit` submits a draft for review. `approve` and `reject` are for a person whose role allows " +
      "it, and who neither requested nor submitted the product. Once approved, it replaces older ones " +
      "on the same subject.",
    example: { decision: "submit" },
    errors: {
      403: "Your role may not, it is your own product, or you come with a key.",
      409: "Its state does not allow it (`INVALID_TRANSITION`).",
    },
    async handler(ctx, product) {
      const { decision, reason } = ctx.params;
      if (decision === "submit") return move(this, ctx, product, decision, actorOf(ctx), reason);
      const by = personOf(ctx.meta.actor);
      memberOf(ctx.meta.actor, product.problemSetId, PRODUCT_ACTS[decision].may, { writes: true });
      if (by === product.createdBy || by === product.submittedBy)
        throw forbidden("Whoever asked for a product, or put it up, does not review it.");
      if (decision === "reject" && reason === undefined)
        throw invalid([{ path: "reason", message: "Say why it is rejected." }]);
      const moved = await move(this, ctx, product, decision, by, reason);
      await giveWay.call(this, told(moved, by, moved.status));
      return moved;
    },
  }),
};
