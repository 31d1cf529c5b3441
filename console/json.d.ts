declare module "world-atlas/countries-50m.json" {
  import type { GeometryCollection, Topology } from "topojson-specification";
  const atlas: Topology<{ land: GeometryCollection; countries: GeometryCollection<{ name: string }> }>;
  export default atlas;
}
