import { z } from "zod";
import { LlmError } from "../../../../adapters/llm/llm.ts";
import { iso } from "../../../../core/clock.ts";
import { list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { commonsOf } from "../../../../mixins/domain.mixin.ts";

const KEPT_MS = 300_000;

/** What the provider offered, when, and under which address. */
interface Offer {
  models: readonly string[];
  at: number;
  address: string;
}
/** A service that remembers what the provider offered. */
export interface ModelsHost extends Host {
  offer: Offer | undefined;
}

const Model = z
  .object({
    id: z.string(),
    current: z.boolean().describe("Whether it is the one that is asked."),
    priceIn: z.number().optional().describe("Per 1,000,000 tokens of questions, if configured."),
    priceOut: z.number().optional().describe("Of 1,000,000 tokens of answers."),
  })
  .meta({ id: "OfferedModel" });
const Meta = z.object({
  total: z.int(),
  configured: z.boolean(),
  stale: z.boolean().describe("The provider does not answer: this is its earlier list, or empty."),
  at: Instant.optional().describe("When the provider returned this list."),
});

/** The list that was remembered is forgotten by `cache/invalidate` too. */
export function rememberModels(host: ModelsHost): void {
  commonsOf(host.broker).caches.add("models", {
    drop(fits = () => true) {
      if (!host.offer || !fits(host.offer.address)) return 0;
      host.offer = undefined;
      return 1;
    },
  });
}

/** What the provider offers: remembered for five minutes, and longer while it is away. */
async function offered(host: ModelsHost): Promise<Offer & { stale: boolean }> {
  const now = host.world.clock.now();
  const address = host.world.configurations.llm.baseUrl ?? "";
  const known = host.offer?.address === address ? host.offer : undefined;
  if (known && Math.abs(now - known.at) < KEPT_MS) return { ...known, stale: false };
  try {
    const models = [...(await host.world.llm.models())].sort();
    host.offer = { models, at: now, address };
    return { ...host.offer, stale: false };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    return { ...(known ?? { models: [], at: 0, address }), stale: true };
  }
}

export const modelActions = {
  "models.list": endpoint({
    rest: "GET /llm-models",
    summary: "List the available language models",
    permit: "platform:administer",
    returns: list(Model, Meta),
    description: "As listed by the provider, refreshed every five minutes. Empty if none is configured.",
    async handler() {
      const { llm } = this.world;
      if (!llm.configured) return { data: [], meta: { total: 0, configured: false, stale: false } };
      const { models, at, stale } = await offered(this as unknown as ModelsHost);
      const data = models.map((id) => ({ id, current: id === llm.model, ...(id === llm.model && llm.prices) }));
      return { data, meta: { total: data.length, configured: true, stale, ...(at && { at: iso(at) }) } };
    },
  }),
};
