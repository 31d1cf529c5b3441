import { z } from "zod";
import tree from "../../../../data/resources/capabilities.json" with { type: "json" };

/** What a resource can do: a code of the tree, its parts from the root on joined by dots. */
export interface CapabilityCategory {
  code: string;
  name: string;
  children?: readonly CapabilityCategory[];
}
export const CAPABILITIES: readonly CapabilityCategory[] = tree;

const codesOf = ({ code, children = [] }: CapabilityCategory): string[] => [code, ...children.flatMap(codesOf)];
export const CAPABILITY_CODES = CAPABILITIES.flatMap(codesOf);

export const Capability = z
  .enum(CAPABILITY_CODES as [string, ...string[]])
  .describe("A code of `GET /api/resources/registry/capabilities`; one with children stands for all of them.");

export const CategoryView: z.ZodType<CapabilityCategory> = z
  .object({
    code: z.string(),
    name: z.string(),
    get children() {
      return z.array(CategoryView).optional();
    },
  })
  .meta({ id: "CapabilityCategory" }) as never;

/** The codes themselves and all above them: whoever looks for a parent finds its children. */
export const withParents = (codes: readonly string[]): string[] =>
  [
    ...new Set(
      codes.flatMap((code) => {
        const parts = code.split(".");
        return parts.map((_, at) => parts.slice(0, at + 1).join("."));
      }),
    ),
  ].sort();
