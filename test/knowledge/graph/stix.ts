import { derivedId } from "../../../core/ids.ts";

export interface Thing {
  type: string;
  id: string;
  [property: string]: unknown;
}

const AT = "2026-03-01T08:00:00.000Z";
const common = (type: string, seed: string) => ({
  ...{ type, spec_version: "2.1", id: `${type}--${derivedId(`${type} ${seed}`)}` },
  ...{ created: AT, modified: AT },
});

/** Somebody or something, as STIX tells it; the same for the same words. */
export const identity = (identity_class: string, name: string, more: object = {}): Thing => ({
  ...common("identity", `${identity_class} ${name}`),
  ...{ name, identity_class },
  ...more,
});

export const relationship = (source: Thing, relationship_type: string, target: Thing, more: object = {}): Thing => ({
  ...common("relationship", `${source.id} ${relationship_type} ${target.id} ${JSON.stringify(more)}`),
  ...{ relationship_type, source_ref: source.id, target_ref: target.id },
  ...more,
});
