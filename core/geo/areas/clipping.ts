import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import makeClipper, { type ClipType, type MainModule, type Path64, type Paths64 } from "clipper2-wasm";

/** A ring of whole numbers on a plane: x, y, x, y ...; its last corner is not its first again. */
export type FlatRing = readonly number[];

/**
 * Clipper2 (A. Johnson) as its author wrote it, compiled: a port of it to JavaScript went on for ever on thin rings. It
 * is compiled while this module is read, and there before anybody is served: a module that awaits it itself cannot be
 * required, as moleculer-runner does.
 */
let made: MainModule | undefined;
let failure: unknown;
makeClipper({
  instantiateWasm(imports, receive) {
    const code = readFileSync(fileURLToPath(import.meta.resolve("clipper2-wasm").replace(/\.js$/, ".wasm")));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(code), imports);
    receive(instance);
    return instance.exports;
  },
}).then(
  (module) => (made = module),
  (error: unknown) => (failure = error),
);

function clipper(): MainModule {
  if (!made) throw new Error("Areas cannot be cut: Clipper2 is not there.", { cause: failure });
  return made;
}

function given(rings: readonly FlatRing[]): Paths64 {
  const paths = new (clipper().Paths64)();
  for (const ring of rings) {
    const path = clipper().MakePath64(ring as number[]);
    paths.push_back(path);
    path.delete();
  }
  return paths;
}

/** Of a point's three numbers the third says nothing. */
const WIDTH = 3;

function ringOf(path: Path64): FlatRing {
  const values = path.view();
  const ring: number[] = [];
  for (let at = 0; at < values.length; at += WIDTH) ring.push(Number(values[at]), Number(values[at + 1]));
  path.delete();
  return ring;
}

function taken(paths: Paths64): FlatRing[] {
  const rings = Array.from({ length: paths.size() }, (_none, at) => ringOf(paths.get(at)));
  paths.delete();
  return rings;
}

/** What lies in any of the rings: outer rings anticlockwise, holes clockwise, none of which cross. */
export function unionOf(rings: readonly FlatRing[]): FlatRing[] {
  const paths = given(rings);
  const union = clipper().UnionSelf64(paths, clipper().FillRule.NonZero);
  paths.delete();
  return taken(union);
}

function combined(type: ClipType, one: readonly FlatRing[], other: readonly FlatRing[]): FlatRing[] {
  const [subjects, clips] = [given(one), given(other)];
  const result = clipper().BooleanOp64(type, clipper().FillRule.NonZero, subjects, clips);
  subjects.delete();
  clips.delete();
  return taken(result);
}
/** What lies in both. */
export const intersectionOf = (one: readonly FlatRing[], other: readonly FlatRing[]): FlatRing[] =>
  combined(clipper().ClipType.Intersection, one, other);
/** What lies in the first and not in the second. */
export const differenceOf = (one: readonly FlatRing[], other: readonly FlatRing[]): FlatRing[] =>
  combined(clipper().ClipType.Difference, one, other);
