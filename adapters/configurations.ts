import {
  CONFIGURATION_NAMES,
  defaultsOf,
  holding,
  SECRETS,
  type ConfigurationName,
  type Configured,
} from "../config/configurations.ts";
import type { Env } from "../config/env.ts";
import { Sealer, type Roots } from "../core/access/sealed.ts";
import { opener, type Documents } from "../core/records/documents.ts";

declare module "../core/world.ts" {
  interface World {
    configurations: Configurations;
  }
}

export const CONFIGURATIONS_COLLECTION = "configurations";

/** A stored secret, with what may be shown of it. */
export interface Kept {
  sealed: string;
  last4?: string | undefined;
  updatedAt: string;
}
/** The fields of a stored configuration that affect its values. */
export interface StoredConfiguration {
  rev: number;
  value: Readonly<Record<string, unknown>>;
  secrets?: Readonly<Record<string, Kept>> | undefined;
}
/** A configuration in force: its values, and those secrets that belong to the addresses they would be sent to. */
export interface ActiveConfiguration<N extends ConfigurationName = ConfigurationName> {
  version: number;
  value: Configured<N>;
  stored: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
}

/** Addresses are the same in whatever form they are written. */
function placeOf(address: unknown): string {
  if (typeof address !== "string" || !URL.canParse(address)) return "";
  const { href } = new URL(address);
  return href.endsWith("/") ? href : `${href}/`;
}

/**
 * The administrators' configurations as they are in force on this node. The stored records decide: they are read again
 * and again, and at once on a hint, so this shows what was stored at the last read.
 */
export class Configurations {
  readonly #env: Env;
  readonly #sealer: Sealer;
  readonly #documents: ReturnType<typeof opener>;
  readonly #followers: ((name: ConfigurationName) => void)[] = [];
  readonly #standing = new Map<ConfigurationName, ActiveConfiguration>();
  #looking: Promise<void> | undefined;
  #again: Promise<void> | undefined;

  constructor(documents: Documents, env: Env, roots: Roots) {
    this.#documents = opener(documents, CONFIGURATIONS_COLLECTION);
    this.#env = env;
    this.#sealer = new Sealer(roots, "configuration secrets");
    for (const name of CONFIGURATION_NAMES) this.#standing.set(name, this.standing(name, null));
  }

  get llm(): Configured<"llm"> {
    return this.of("llm").value;
  }
  get agents(): Configured<"agents"> {
    return this.of("agents").value;
  }
  get workflow(): Configured<"workflow"> {
    return this.of("workflow").value;
  }
  /** The configuration in force here, with its version; 0 where nobody has set one. */
  of<N extends ConfigurationName>(name: N): ActiveConfiguration<N> {
    return this.#standing.get(name) as unknown as ActiveConfiguration<N>;
  }
  get versions(): Record<ConfigurationName, number> {
    return Object.fromEntries(CONFIGURATION_NAMES.map((name) => [name, this.of(name).version])) as never;
  }

  /** Calls back for each configuration that has changed. */
  follow(told: (name: ConfigurationName) => void): void {
    this.#followers.push(told);
  }

  /** How a record would take effect. */
  standing<N extends ConfigurationName>(name: N, record: StoredConfiguration | null): ActiveConfiguration<N> {
    const stored = holding(name, record?.value ?? {});
    const value = { ...defaultsOf(name, this.#env), ...stored } as unknown as Configured<N>;
    const secrets = Object.entries(SECRETS[name]).flatMap(([key, { setting, sentTo }]) => {
      const place = (value as Record<string, unknown>)[sentTo];
      const found = this.#opened(name, key, record?.secrets?.[key], place) ?? this.#given(name, setting, sentTo, place);
      return found === undefined ? [] : [[key, found] as const];
    });
    return { version: record?.rev ?? 0, value, stored, secrets: Object.fromEntries(secrets) };
  }

  /** Seals a secret for one address: it cannot be opened for another. */
  seal(name: ConfigurationName, key: string, secret: string, place: unknown): string {
    return this.#sealer.seal(Buffer.from(secret), this.#owner(name, key, place));
  }

  /** Whether a kept secret belongs to this address. */
  isFor(name: ConfigurationName, key: string, kept: Kept, place: unknown): boolean {
    return this.#opened(name, key, kept, place) !== undefined;
  }

  /** Whether an address is the environment's own, wherever it is named: the operator's word, not an administrator's. */
  isEnvironments(name: ConfigurationName, key: string, address: unknown): boolean {
    const own = placeOf(defaultsOf(name, this.#env)[key]);
    return own !== "" && placeOf(address) === own;
  }

  #owner(name: ConfigurationName, key: string, place: unknown): string {
    return `${name}.${key} for ${placeOf(place)}`;
  }

  #opened(name: ConfigurationName, key: string, kept: Kept | undefined, place: unknown): string | undefined {
    if (!kept) return undefined;
    try {
      return this.#sealer.open(kept.sealed, this.#owner(name, key, place)).toString("utf8");
    } catch {
      return undefined;
    }
  }

  /** The environment's secret belongs to the environment's address. */
  #given(name: ConfigurationName, setting: keyof Env, sentTo: string, place: unknown): string | undefined {
    const secret = this.#env[setting] as string | undefined;
    return placeOf(place) === placeOf(defaultsOf(name, this.#env)[sentTo]) ? secret || undefined : undefined;
  }

  /**
   * Reads the records; everything stored before the call is in force when it resolves. Rejects while the store is away.
   */
  look(): Promise<void> {
    if (!this.#looking)
      return (this.#looking = this.#read().finally(() => {
        this.#looking = undefined;
      }));
    // The read under way may predate this call: one more read serves all calls made meanwhile.
    return (this.#again ??= this.#looking
      .catch(() => {})
      .then(() => {
        this.#again = undefined;
        return this.look();
      }));
  }

  async #read(): Promise<void> {
    const found = await (await this.#documents()).findByIds(CONFIGURATION_NAMES);
    const records = new Map(found.map((record) => [record._id, record as unknown as StoredConfiguration]));
    for (const name of CONFIGURATION_NAMES) {
      const record = records.get(name) ?? null;
      if (this.of(name).version === (record?.rev ?? 0)) continue;
      this.#standing.set(name, this.standing(name, record));
      for (const told of this.#followers) told(name);
    }
  }
}
