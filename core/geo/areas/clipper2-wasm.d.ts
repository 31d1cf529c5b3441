/** The package says that its types lie where they do not. */
declare module "clipper2-wasm" {
  export type * from "clipper2-wasm/dist/clipper2z.d.ts";
  import type { MainModule } from "clipper2-wasm/dist/clipper2z.d.ts";
  interface Options {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance) => void,
    ): WebAssembly.Exports;
  }
  const makeClipper: (options: Options) => Promise<MainModule>;
  export default makeClipper;
}

/** Node's types know what these are, and not how they are made. */
declare namespace WebAssembly {
  var Module: { new (code: Uint8Array): WebAssembly.Module };
  var Instance: { new (module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance };
}
