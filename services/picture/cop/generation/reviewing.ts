import { asSystem } from "../../../../core/access/caller.ts";
import type { PlacesAsked } from "../../../../core/geo/placed.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { Contradictions, linkedFeature } from "../conflicts/conflict-detection.ts";
import { knownConflicts, settleConflicts } from "../conflicts/reconciling.ts";
import { Linking, type Entity } from "../linkages/linking.ts";
import { knownLinkages, settleLinkages } from "../linkages/reconciling.ts";
import { LayerFeature } from "./features.ts";
import type { Difference } from "./features.ts";
import { goneAfterMs } from "../layers/staleness.ts";
import { inPicture } from "../pictures.ts";
import { recordsOf } from "./sources.ts";

const mesh = asSystem("cop");
/** Features of a picture that are compared at most. */
const MOST_COMPARED = 50_000;
/** Features of all pictures together that are kept in memory. */
const MOST_KEPT = 200_000;

/** What features may show: whose changes concern linkages. */
const LINKED = { units: "unit", resources: "resource", actors: "actor" } as const;
type Linkable = keyof typeof LINKED;
export const LINKABLE = Object.keys(LINKED) as Linkable[];
export const isLinkable = (source: string | undefined): source is Linkable => LINKABLE.includes(source as Linkable);

/** What a picture's layers show, compared with one another and with the platform's records. */
interface Picture {
  contradictions: Contradictions;
  linking: Linking;
}

async function entitiesOf(host: Host, source: Linkable, asked: PlacesAsked) {
  const records = (await recordsOf(host, source, asked)) ?? [];
  return records.map((one): Entity => ({ ...one, type: LINKED[source] }));
}

/** Compares the whole of what a picture's layers show. */
export async function review(host: Host, name: string): Promise<Picture> {
  const features = await host.store(LayerFeature).find(mesh, inPicture(name), { sort: ["_id"], limit: MOST_COMPARED });
  const records = await Promise.all(LINKABLE.map((source) => entitiesOf(host, source, inPicture(name))));
  const approved = (await knownLinkages(host, name)).filter(({ status }) => status === "approved");
  const links = Map.groupBy(approved, linkedFeature);
  const contradictions = new Contradictions(
    features.filter(({ onCop }) => onCop),
    host.world.clock.now(),
    goneAfterMs(host.world),
    new Map([...links].map(([one, all]) => [one, all.map(({ entityType, entityId }) => `${entityType} ${entityId}`)])),
  );
  const findings = await inTurns(contradictions.all());
  await settleConflicts(host, name, findings, await knownConflicts(host, name));
  const linking = new Linking(features, records.flat());
  const proposals = await inTurns(linking.all());
  await settleLinkages(host, proposals, await knownLinkages(host, name));
  return { contradictions, linking };
}

type Changed = LayerFeature | Difference["added"][number];
interface Changes {
  features: Map<string, Changed | null>;
  records: Set<string>;
}

/**
 * Pictures in the memory of the node that watches, so that a change is compared with what it may concern, and not all
 * with all. What was not read yet, or failed on its way, is compared as a whole.
 */
export class Pictures {
  readonly #host: Host;
  readonly #pictures = new Map<string, Picture>();
  readonly #changes = new Map<string, Changes>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Compared as a whole next time: one, or all. */
  forget(name?: string): void {
    if (name === undefined) this.#pictures.clear();
    else this.#pictures.delete(name);
  }

  /** Notes what became of a layer's features, once it is stored. */
  noteFeatures(name: string, { added, updated, removed }: Difference): void {
    const { features } = this.#changesOf(name);
    for (const { id } of removed) features.set(id, null);
    for (const one of [...added, ...updated]) features.set(one.id, one);
  }

  noteRecords(name: string, source: Linkable, ids: readonly string[]): void {
    const { records } = this.#changesOf(name);
    for (const id of ids) records.add(`${source} ${id}`);
  }

  /** Whether something of it became stale, or is gone, by itself; of one that was never compared, yes. */
  isDue(name: string): boolean {
    const picture = this.#pictures.get(name);
    return !picture || picture.contradictions.isDue(this.#host.world.clock.now());
  }

  async compare(name: string): Promise<void> {
    const changes = this.#changesOf(name);
    this.#changes.delete(name);
    const picture = this.#pictures.get(name);
    this.#pictures.delete(name);
    // Kept again only once all went well; the one compared last is the last to go.
    if (picture) await this.#move(name, picture, changes);
    this.#keep(name, picture ?? (await review(this.#host, name)));
  }

  async #move(name: string, { contradictions, linking }: Picture, { features, records }: Changes) {
    const shown = new Map([...features].map(([id, one]) => [id, one?.onCop ? one : null]));
    const conflicts = contradictions.change(shown, this.#host.world.clock.now());
    const known = await knownConflicts(this.#host, name, conflicts.concerned);
    await settleConflicts(this.#host, name, conflicts.findings, known);
    const linkages = linking.change(features, await this.#recordsOf(name, records));
    await settleLinkages(this.#host, linkages.findings, await knownLinkages(this.#host, name, linkages.concerned));
  }

  async #recordsOf(name: string, changed: ReadonlySet<string>): Promise<Map<string, Entity | null>> {
    const records = new Map<string, Entity | null>();
    for (const source of LINKABLE) {
      const ids = [...changed].filter((one) => one.startsWith(`${source} `)).map((one) => one.slice(source.length + 1));
      if (!ids.length) continue;
      for (const id of ids) records.set(id, null);
      for (const one of await entitiesOf(this.#host, source, { ...inPicture(name), ids })) records.set(one.id, one);
    }
    return records;
  }

  #changesOf(name: string): Changes {
    let changes = this.#changes.get(name);
    if (!changes) this.#changes.set(name, (changes = { features: new Map(), records: new Set() }));
    return changes;
  }

  #keep(name: string, picture: Picture): void {
    this.#pictures.set(name, picture);
    let kept = [...this.#pictures.values()].reduce((sum, { contradictions }) => sum + contradictions.size, 0);
    for (const [id, { contradictions }] of this.#pictures) {
      if (kept <= MOST_KEPT || id === name) break;
      this.#pictures.delete(id);
      kept -= contradictions.size;
    }
  }
}
