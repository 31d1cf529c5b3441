import type { Host, MeshService } from "../../core/contract/endpoint.ts";

/** A service of the staff, which knows the services of the whole mesh. */
export interface StaffHost extends Host {
  meshServices(): readonly MeshService[];
}
