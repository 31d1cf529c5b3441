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

/** A secret at rest, with what may be told of it. */
export interface Kept {
  sealed: string;
  last4?: string | undefined;
  updatedAt: string;
}
/** What is stored of a configuration, as far as it bears on what holds. */
export interface StoredConfiguration {
  rev: number;
  value: Readonly<Record<string, unknown>>;
  secrets?: Readonly<Record<string, Kept>> | undefined;
}
/** A stored configuration as it takes hold: its values, and the secrets that are for where they would be sent. */
export interface ActiveConfiguration<N extends ConfigurationName = ConfigurationName> {
  version: number;
  value: Configured<N>;
  stored: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
}

/** Places are the same whatever the way they are written in. */
function placeOf(address: unknown): string {
  if (typeof address !== "string" || !URL.canParse(address)) return "";
  const { href } = new URL(address);
  return href.endsWith("/") ? href : `${href}/`;
}

/**
 * What holds on this node of what administrators set. The records are the truth: they are looked at again and again, by
 * a hint at once, and what is read here is what was stored when they were last looked at.
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
  /** What holds here, with the version it is of; 0 where nobody set anything. */
  of<N extends ConfigurationName>(name: N): ActiveConfiguration<N> {
    return this.#standing.get(name) as unknown as ActiveConfiguration<N>;
  }
  get versions(): Record<ConfigurationName, number> {
    return Object.fromEntries(CONFIGURATION_NAMES.map((name) => [name, this.of(name).version])) as never;
  }

  /** Told of each configuration that has become another. */
  follow(told: (name: ConfigurationName) => void): void {
    this.#followers.push(told);
  }

  /** How a record would take hold. */
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

  /** Seals a secret for the one place that it is sent to: another address than that does not open it. */
  seal(name: ConfigurationName, key: string, secret: string, place: unknown): string {
    return this.#sealer.seal(Buffer.from(secret), this.#owner(name, key, place));
  }

  /** Whether a kept secret is for this place. */
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

  /** The environment's secret is for the environment's address. */
  #given(name: ConfigurationName, setting: keyof Env, sentTo: string, place: unknown): string | undefined {
    const secret = this.#env[setting] as string | undefined;
    return placeOf(place) === placeOf(defaultsOf(name, this.#env)[sentTo]) ? secret || undefined : undefined;
  }

  /**
   * Looks at the records; what was stored before it was called holds when it resolves. Rejects when the store is away.
   */
  look(): Promise<void> {
    if (!this.#looking)
      return (this.#looking = this.#read().finally(() => {
        this.#looking = undefined;
      }));
    // What is being read may have been read before: once more, for all who asked meanwhile.
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
