import { v7 as uuid } from "uuid";
import type {
  Collection,
  CollectionOptions,
  Doc,
  Documents,
  Find,
  Key,
  Query,
  Update,
} from "../../core/records/documents.ts";
import { isObject } from "./values.ts";

/** What moleculer-db's actions pass to an adapter. */
export interface Filters {
  query?: Query;
  /** `"name -createdAt"`, `"name,-createdAt"` or a list. */
  sort?: string | readonly string[] | null;
  limit?: number | null;
  offset?: number | null;
  /** Documents that contain this text, ignoring case, in one of `searchFields`. */
  search?: string;
  searchFields?: string | readonly string[];
}

type Draft = Record<string, unknown>;

/**
 * A collection as an adapter of moleculer-db, so that a stock service runs on either engine: `adapter: new
 * MoleculerDbAdapter(store)`. The collection is the service's `collection`, or has its name, after `prefix`. A new
 * document without an id gets a UUIDv7. Moleculer deep-clones a service's schema with the adapter in it: private fields
 * would not survive that, and the store must not be cloned, so a function returns it.
 */
export class MoleculerDbAdapter {
  private readonly documents: () => Documents;
  private readonly options: CollectionOptions;
  private readonly prefix: string;
  private name = "";
  private collection: (() => Collection) | undefined;

  constructor(documents: Documents, options: CollectionOptions = {}, prefix = "") {
    this.documents = () => documents;
    this.options = options;
    this.prefix = prefix;
  }

  init(_broker: unknown, service: { name: string; schema: { collection?: string } }): void {
    this.name = this.prefix + (service.schema.collection ?? service.name);
  }

  async connect(): Promise<void> {
    const collection = await this.documents().collection(this.name, this.options);
    this.collection = () => collection;
  }

  /** The store is shared: its opener closes it. */
  async disconnect(): Promise<void> {
    this.collection = undefined;
  }

  find(filters: Filters = {}): Promise<Doc[]> {
    return this.connected.find(asFind(filters));
  }

  findOne(query: Query): Promise<Doc | null> {
    return this.connected.findOne(query);
  }

  findById(id: Key): Promise<Doc | null> {
    return this.connected.findById(id);
  }

  findByIds(ids: readonly Key[]): Promise<Doc[]> {
    return this.connected.findByIds(ids);
  }

  count(filters: Filters = {}): Promise<number> {
    const { query } = asFind(filters);
    return this.connected.count({ query });
  }

  insert(entity: Draft): Promise<Doc> {
    return this.connected.insert(identified(entity));
  }

  insertMany(entities: readonly Draft[]): Promise<Doc[]> {
    return this.connected.insertMany(entities.map(identified));
  }

  updateById(id: Key, update: Update): Promise<Doc | null> {
    return this.connected.updateById(id, update);
  }

  updateMany(query: Query, update: Update): Promise<number> {
    return this.connected.updateMany(query, update);
  }

  removeById(id: Key): Promise<Doc | null> {
    return this.connected.removeById(id);
  }

  removeMany(query: Query): Promise<number> {
    return this.connected.removeMany(query);
  }

  clear(): Promise<number> {
    return this.connected.clear();
  }

  /** Documents are plain objects already; the copy may be changed by the service. */
  entityToObject(entity: Doc): Draft {
    return isObject(entity) ? { ...entity } : entity;
  }

  /** The service's `idField` becomes `_id`. */
  beforeSaveTransformID(entity: Draft, idField: string): Draft {
    const { [idField]: id, ...rest } = entity;
    return id === undefined ? rest : { ...rest, _id: id };
  }

  /** `_id` becomes the service's `idField`. */
  afterRetrieveTransformID(entity: Draft, idField: string): Draft {
    if (idField === "_id") return entity;
    const { _id, ...rest } = entity;
    return { ...rest, [idField]: _id };
  }

  private get connected(): Collection {
    if (!this.collection) throw new Error(`The adapter of ${this.name || "a service"} is not connected.`);
    return this.collection();
  }
}

const identified = (entity: Draft): Doc => ({ ...entity, _id: (entity["_id"] as Key | undefined) ?? uuid() });

const words = (list: string | readonly string[]): string[] =>
  typeof list === "string" ? list.split(/[,\s]+/).filter(Boolean) : [...list];

function asFind({ query = {}, sort, limit, offset, search, searchFields }: Filters): Find {
  return {
    query: search ? { $and: [query, containing(search, searchFields)] } : query,
    sort: words(sort ?? []),
    limit: limit ?? undefined,
    offset: offset ?? undefined,
  };
}

function containing(search: string, searchFields: string | readonly string[] | undefined): Query {
  const fields = words(searchFields ?? []);
  if (fields.length === 0) throw new TypeError("search needs searchFields.");
  const $regex = search.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return { $or: fields.map((field) => ({ [field]: { $regex, $options: "i" } })) };
}
