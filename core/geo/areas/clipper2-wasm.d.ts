/** The package says that its types lie where they do not. */
declare module "clipper2-wasm" {
  export type * from "clipper2-wasm/dist/clipper2z.d.ts";
  import type { MainModule } from "clipper2-wasm/dist/clipper2z.d.ts";
  const makeClipper: () => Promise<MainModule>;
  export default makeClipper;
}
