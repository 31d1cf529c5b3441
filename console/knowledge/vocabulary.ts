import relationData from "../../data/graph/relations.json" with { type: "json" };
import typeData from "../../data/graph/types.json" with { type: "json" };
import type { Answer, Data } from "../api/client.ts";

export type GraphData = Data<"GET /graph">;
export type EntitySeen = GraphData["nodes"][number];
export type RelationSeen = GraphData["edges"][number];
export type EntityKind = EntitySeen["type"];
export type RelationName = RelationSeen["relation"];
export type EntityWhole = Data<"GET /graph/actors/{id}">;
export type StatementSeen = Answer<"GET /graph/statements">["data"][number];

/** Kinds of entities with their words, as the platform's own data names them. */
export const KINDS = Object.entries(typeData.types).map(([kind, { label }]) => [kind as EntityKind, label] as const);
const LABELS = new Map<string, string>(KINDS);
export const kindWords = (kind: EntityKind): string => LABELS.get(kind) ?? kind;

const RELATIONS: Readonly<Record<RelationName, { label: string; symmetric?: boolean }>> = relationData.relations;
/** The words between the two names of a relation. */
export const relationWords = (relation: RelationName): string => RELATIONS[relation].label;
/** It is the same seen from either end. */
export const isMutual = (relation: RelationName): boolean => RELATIONS[relation].symmetric === true;

export type RelationTone = "friendly" | "hostile" | "neutral";
export const toneOf = (sign: number): RelationTone => (sign > 0 ? "friendly" : sign < 0 ? "hostile" : "neutral");

export const entityAddress = (id: string): string => `/knowledge/entities/${id}`;
