import relationData from "../../../../data/graph/relations.json" with { type: "json" };
import typeData from "../../../../data/graph/types.json" with { type: "json" };

/** What an entity may be, as data: `data/graph/types.json`. */
export type EntityType = keyof typeof typeData.types;
export const ENTITY_TYPES = Object.keys(typeData.types) as [EntityType, ...EntityType[]];
const types: Readonly<Record<EntityType, { label: string; family: string; actor: boolean }>> = typeData.types;
export const isEntityType = (type: unknown): type is EntityType =>
  typeof type === "string" && Object.hasOwn(types, type);
export const isActorType = (type: EntityType): boolean => types[type].actor;
export const ACTOR_TYPES = ENTITY_TYPES.filter(isActorType) as [EntityType, ...EntityType[]];
export const labelOf = (type: EntityType): string => types[type].label;

/** Whether one entity may be both: types of one family, or where one is not known. */
export const fitting = (one: EntityType, other: EntityType): boolean =>
  one === "other" || other === "other" || types[one].family === types[other].family;

/** What one entity may be to another, as data: `data/graph/relations.json`. */
export type Relation = keyof typeof relationData.relations;
export interface RelationTraits {
  label: string;
  /** -1 hostile … 1 friendly. */
  sign: number;
  symmetric?: boolean;
  /** Types of its ends; none: any. */
  from: readonly EntityType[];
  to: readonly EntityType[];
}
export const RELATIONS = relationData.relations as Readonly<Record<Relation, RelationTraits>>;
export const RELATION_NAMES = Object.keys(RELATIONS) as [Relation, ...Relation[]];
export const isRelation = (predicate: string): predicate is Relation => Object.hasOwn(RELATIONS, predicate);

/** Whether a relation may hold between ends of these types. */
export function joins(relation: Relation, from: EntityType, to: EntityType): boolean {
  const traits = RELATIONS[relation];
  const takes = (ends: readonly EntityType[], type: EntityType) =>
    ends.length === 0 || type === "other" || ends.includes(type);
  return takes(traits.from, from) && takes(traits.to, to);
}

/** What a statement may say of one entity alone. */
export const PROPERTIES = ["name", "alias", "type", "description", "role", "identifier", "occurred", "place"] as const;
export type Property = (typeof PROPERTIES)[number];
