import { invalid } from "../../../core/problem.ts";
import { refuseFields } from "../../../core/contract/input/unicode.ts";

export interface RouteMatch<T> {
  value: T;
  params: Record<string, string>;
}
interface Leaf<T> {
  value: T;
  names: readonly string[];
}
type ByMethod<T> = Map<string, Leaf<T>>;

class Branch<T> {
  literals: Map<string, Branch<T>> | undefined;
  /** Segments with text around parameters: `export.:format`. */
  mixed: { source: string; pattern: RegExp; branch: Branch<T> }[] | undefined;
  parameter: Branch<T> | undefined;
  rest: ByMethod<T> | undefined;
  here: ByMethod<T> | undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const NAME = /:([A-Za-z_]\w*)/g;

function decode(name: string, segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    if (/%(?![\da-f]{2})/i.test(segment))
      throw invalid(
        [{ path: name, message: "It is not valid percent-encoding." }],
        "The path is not valid percent-encoding.",
      );
    return refuseFields([name]);
  }
}

/**
 * Finds the route of a path in time that depends on the path's depth, not on the number of routes: a map for paths
 * without parameters, a trie of segments for the rest. Where several fit, the one whose earliest differing segment is
 * literal wins, whatever the method: an address is one resource, and a method it does not take is 405, not a match of
 * another route with the literal as id.
 */
export class Router<T> {
  readonly #literal = new Map<string, ByMethod<T>>();
  readonly #root = new Branch<T>();

  /** `path` segments: `literal`, `:name`, `text-:name`, and at the end `*name` for all that follows. */
  add(method: string, path: string, value: T): void {
    if (!/[:*]/.test(path)) {
      let leaves = this.#literal.get(path);
      if (!leaves) this.#literal.set(path, (leaves = new Map()));
      return put(leaves, method, { value, names: [] }, path);
    }
    const names: string[] = [];
    let branch = this.#root;
    for (const segment of path.slice(1).split("/")) {
      if (segment.startsWith("*"))
        return put((branch.rest ??= new Map()), method, { value, names: [...names, segment.slice(1)] }, path);
      for (const [, name] of segment.matchAll(NAME)) names.push(name!);
      branch = step(branch, segment);
    }
    put((branch.here ??= new Map()), method, { value, names }, path);
  }

  find(method: string, path: string): RouteMatch<T> | undefined {
    const literal = this.#literal.get(path);
    const values: string[] = [];
    const leaf = (literal ?? this.#walk(this.#root, 0, path.slice(1).split("/"), values))?.get(method);
    if (!leaf) return undefined;
    const params: Record<string, string> = {};
    for (const [at, name] of leaf.names.entries()) params[name] = decode(name, values[at]!);
    return { value: leaf.value, params };
  }

  /** Methods of a path, for 405 and OPTIONS. */
  allowed(path: string): string[] {
    const methods: string[] = METHODS.filter((method) => this.find(method, path));
    if (methods.includes("GET")) methods.push("HEAD");
    return methods.length ? [...methods, "OPTIONS"] : [];
  }

  #walk(branch: Branch<T>, at: number, segments: readonly string[], values: string[]): ByMethod<T> | undefined {
    if (at === segments.length) return branch.here;
    const segment = segments[at]!;
    const literal = branch.literals?.get(segment);
    const found = literal && this.#walk(literal, at + 1, segments, values);
    if (found || segment === "") return found;
    const mark = values.length;
    for (const { pattern, branch: next } of branch.mixed ?? []) {
      const match = pattern.exec(segment);
      if (!match) continue;
      values.push(...match.slice(1));
      const leaves = this.#walk(next, at + 1, segments, values);
      if (leaves) return leaves;
      values.length = mark;
    }
    if (branch.parameter) {
      values.push(segment);
      const leaves = this.#walk(branch.parameter, at + 1, segments, values);
      if (leaves) return leaves;
      values.length = mark;
    }
    if (branch.rest) values.push(segments.slice(at).join("/"));
    return branch.rest;
  }
}

function step<T>(branch: Branch<T>, segment: string): Branch<T> {
  if (/^:[A-Za-z_]\w*$/.test(segment)) return (branch.parameter ??= new Branch());
  if (!segment.includes(":")) {
    branch.literals ??= new Map();
    let next = branch.literals.get(segment);
    if (!next) branch.literals.set(segment, (next = new Branch()));
    return next;
  }
  const source = segment
    .split(/:[A-Za-z_]\w*/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+?)");
  branch.mixed ??= [];
  let entry = branch.mixed.find((candidate) => candidate.source === source);
  if (!entry) branch.mixed.push((entry = { source, pattern: new RegExp(`^${source}$`), branch: new Branch() }));
  return entry.branch;
}

function put<T>(leaves: ByMethod<T>, method: string, leaf: Leaf<T>, path: string): void {
  if (leaves.has(method)) throw new TypeError(`Two endpoints share ${method} ${path}.`);
  leaves.set(method, leaf);
}
