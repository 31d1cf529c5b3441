import { z } from "zod";

/* Forms that several settings have. */

export const flag = z.enum(["on", "off"]);
export const port = z.coerce.number().int().min(0).max(65_535);
export const url = z.url();
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);
/** `name=url,name=url` */
export const namedUrls = list.transform((items, ctx) => {
  const pairs = items.map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)] as const);
  for (const [name, address] of pairs)
    if (!/^[\w-]+$/.test(name) || !URL.canParse(address))
      ctx.addIssue({ code: "custom", message: `"${name}=…" is not of the form name=url` });
  return Object.fromEntries(pairs) as Record<string, string>;
});
export const secretHex = z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes)");
export const formerSecret = z
  .string()
  .regex(/^!?[0-9a-f]{64}$/i, "must be 64 hexadecimal characters (32 bytes), `!` before them if it was stolen");

export const fingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{16}|unknown)$/, "must be a fingerprint, as a start that is refused tells it");
