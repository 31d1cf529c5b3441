import { z } from "zod";
import { complaintsAbout, inAddress } from "./complaints.ts";
import { withSeenNames } from "./names.ts";
import { isShape, type AnyContract, type Shape } from "../contract.ts";
import { invalid } from "../../problem.ts";
import { Uploaded } from "./upload.ts";

/** Throws 400 VALIDATION_ERROR with a path and a message for each complaint. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, prefix?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(complaintsAbout(result.error.issues, schema, prefix));
  return result.data;
}

/** All parameters of an endpoint as one strict object: what its action takes inside the mesh. */
export function parametersOf(contract: AnyContract): z.ZodObject {
  const { path = {}, query = {}, body, on, by = "id", upload } = contract;
  const form: Shape = upload ? { [upload.file]: Uploaded } : {};
  const bodied: Shape = body === undefined ? form : isShape(body) ? { ...body, ...form } : { body };
  const own: Shape = on && contract.rest?.includes(`:${by}`) ? { [by]: on.id } : on ? { [by]: on.id } : {};
  const names = [own, path, query, bodied].flatMap((shape) => Object.keys(shape));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new TypeError(`${contract.rest ?? contract.summary}: the parameter ${twice} is declared twice.`);
  const all = z.strictObject({ ...own, ...path, ...query, ...bodied });
  // From inside a name comes as others gave it.
  if (!contract.rest) return all;
  return inAddress(
    // It is looked for as it is, too.
    contract.rest.startsWith("GET ") ? all : withSeenNames(all),
    [own, path, query].flatMap((shape) => Object.keys(shape)),
  );
}
