declare module "mil-std-2525" {
  interface Icon {
    Code: string;
    "Geometric Rendering"?: string;
  }
  interface Set {
    mainIcon: Icon[];
    modifier1?: { Code: string }[];
    modifier2?: { Code: string }[];
  }
  const tables: { ms2525d: Record<string, Set>; ms2525c: Record<string, unknown> };
  export default tables;
}
declare module "milstandard-e" {
  const tables: { ms2525e: Record<string, import("mil-std-2525").Set> };
  export default tables;
}
