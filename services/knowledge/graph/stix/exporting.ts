import type { GraphEdge, GraphNode } from "../view.ts";
import type { Row } from "../statements/statements.ts";
import { sha256 } from "../../../../core/ids.ts";
import { EXTENSION, kindOf, OWN_TYPE, stixIdOf, stixTime, type Bundle, type StixObject } from "./mapping.ts";

/** A document that the graph goes by, as far as a report says it. */
export interface Reported {
  documentId: string;
  title: string;
  at: string;
}

export interface Exported {
  problemSetId: string;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  reports: readonly Reported[];
  /** Objects that came in, by the entity that each is of; undefined for those of none. */
  imported: readonly { entityId: string | undefined; object: StixObject }[];
}

const EPOCH = "2026-01-01T00:00:00.000Z";
const AUTHOR = stixIdOf("identity", "signalmesh");

const author = (): StixObject => ({
  ...{ type: "identity", spec_version: "2.1", id: AUTHOR, created: EPOCH, modified: EPOCH },
  ...{ name: "Signalmesh", identity_class: "system" },
});
const extension = (): StixObject => ({
  ...{ type: "extension-definition", spec_version: "2.1", id: EXTENSION, created: EPOCH, modified: EPOCH },
  created_by_ref: AUTHOR,
  name: "Entities of a graph",
  description: "What an entity is where STIX has no type for it.",
  schema: "https://signalmesh.invalid/schemas/graph-entity.json",
  version: "1.0.0",
  extension_types: ["property-extension", "new-sdo"],
});
const marking = (compartment: string): StixObject => ({
  type: "marking-definition",
  spec_version: "2.1",
  id: stixIdOf("marking-definition", compartment),
  created: EPOCH,
  definition_type: "statement",
  definition: { statement: `For members who are read into the compartment ${compartment}.` },
});

const isImported = ({ source }: Row): boolean => source.startsWith("import:");
const compartmentsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => row.compartments))].sort();

/** What all objects have that we make. */
function common(
  type: string,
  seed: string,
  { since, last, rows }: { since: string; last: string; rows: readonly Row[] },
) {
  const marked = compartmentsOf(rows).map((id) => stixIdOf("marking-definition", id));
  return {
    ...{ type, spec_version: "2.1", id: stixIdOf(type, seed), created_by_ref: AUTHOR },
    ...{ created: stixTime(since), modified: stixTime(last) },
    ...(marked.length && { object_marking_refs: marked }),
  };
}

function entityObject(node: GraphNode): StixObject {
  const { type, ...demanded } = kindOf(node.type, node.name);
  const own = type === OWN_TYPE ? "new-sdo" : "property-extension";
  const aliases = node.aliases.slice(0, 50);
  return {
    ...common(type, node.id, node),
    name: node.name,
    ...(node.description !== undefined && { description: node.description }),
    ...demanded,
    ...(type === "infrastructure" && aliases.length && { aliases }),
    extensions: {
      [EXTENSION]: {
        extension_type: own,
        entity_type: node.type,
        ...(type !== "infrastructure" && aliases.length && { other_names: aliases }),
      },
    },
  };
}

/** The objects that say what a reader sees of a graph, as STIX 2.1: the same to the byte for the same view. */
export function bundleOf({ problemSetId, nodes, edges, reports, imported }: Exported): Bundle {
  const objects = new Map<string, StixObject>();
  const add = (object: StixObject): string => {
    objects.set(object.id, object);
    return object.id;
  };
  const came = new Map<string, string>();
  for (const { entityId, object } of imported) {
    add(object);
    if (entityId !== undefined && (came.get(entityId) ?? "~") > object.id) came.set(entityId, object.id);
  }
  const refs = new Map<string, string>();
  for (const node of nodes) refs.set(node.id, came.get(node.id) ?? add(entityObject(node)));
  const relationRefs = new Map<string, string>();
  for (const edge of edges) {
    const [source_ref, target_ref] = [refs.get(edge.from), refs.get(edge.to)];
    if (!source_ref || !target_ref || edge.rows.every(isImported)) continue;
    const relationship = {
      ...common("relationship", `${problemSetId}/${edge.id}`, edge),
      ...{ relationship_type: edge.relation, source_ref, target_ref },
      confidence: Math.round(edge.confidence * 100),
    };
    relationRefs.set(edge.id, add(relationship));
  }
  for (const { documentId, title, at } of reports) {
    const isOf = ({ source }: Row): boolean => source === `document:${documentId}`;
    const told = [
      ...nodes.filter(({ rows }) => rows.some(isOf)).map((node) => ({ ref: refs.get(node.id)!, rows: node.rows })),
      ...edges
        .filter((edge) => edge.rows.some(isOf) && relationRefs.has(edge.id))
        .map((edge) => ({ ref: relationRefs.get(edge.id)!, rows: edge.rows })),
    ];
    if (!told.length) continue;
    const rows = told.flatMap((one) => one.rows.filter(isOf));
    add({
      ...common("report", documentId, { since: at, last: at, rows }),
      ...{ name: title, published: stixTime(at), report_types: ["threat-report"] },
      object_refs: [...new Set(told.map(({ ref }) => ref))].sort(),
    });
  }
  const all = [...nodes.flatMap(({ rows }) => rows), ...edges.flatMap(({ rows }) => rows)];
  for (const compartment of compartmentsOf(all)) add(marking(compartment));
  if ([...objects.values()].some((object) => object["created_by_ref"] === AUTHOR)) {
    add(author());
    add(extension());
  }
  const sorted = [...objects.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { type: "bundle", id: stixIdOf("bundle", sha256(JSON.stringify(sorted))), objects: sorted };
}
