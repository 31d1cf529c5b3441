import { z } from "zod";
import { isShape, type AnyContract, type Shape } from "./contract.ts";
import { invalid, type Detail } from "../problem.ts";
import { Uploaded } from "./upload.ts";

const details = (issues: readonly z.core.$ZodIssue[], prefix = ""): Detail[] =>
  issues.flatMap((issue) => {
    const path = [prefix, ...issue.path.map(String)].filter(Boolean).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        path: [path, key].filter(Boolean).join("."),
        message: "There is no such field.",
      }));
    return [{ path, message: issue.message }];
  });

/** Throws 400 VALIDATION_ERROR with a path and a message for each complaint. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, prefix?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(details(result.error.issues, prefix));
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
  return z.strictObject({ ...own, ...path, ...query, ...bodied });
}
