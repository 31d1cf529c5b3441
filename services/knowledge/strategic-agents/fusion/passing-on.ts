import type { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { bearOnObjectives } from "../../graph/client.ts";
import type { ProductReviewed } from "../events.ts";
import { Product } from "./products.ts";

const MESH = asSystem("strategic-agents");

/** What was approved bears on the objectives of its set, until it gives way: the graph holds them against it. */
export async function passOn(this: Host, { id, status }: z.output<typeof ProductReviewed.payload>): Promise<void> {
  if (status !== "approved" && status !== "superseded") return;
  const product = await this.store(Product).one(MESH, { _id: id });
  if (!product) return;
  const { problemSetId, compartments, hypothesis: text, likelihood, createdAt: at } = product;
  // As it is now, whatever the fact said: facts may come late.
  const holds = product.status === "approved";
  await bearOnObjectives(this, { id, problemSetId, compartments, text, likelihood: likelihood.value, at, holds });
}
