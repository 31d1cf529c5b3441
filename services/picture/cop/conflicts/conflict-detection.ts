import Flatbush from "flatbush";
import { areaOf, areIntricate, common, squareMetres, type SheetArea } from "../../../../core/geo/areas/areas.ts";
import { boxOf, polygonsOf, positionsOf, type Box, type Geometry } from "../../../../core/geo/positions.ts";
import { atOnce, type Steps } from "../../../../core/work/turns.ts";
import { stalenessOf } from "../layers/staleness.ts";
import { FindingIndex, type FeatureFindings } from "../generation/finding-index.ts";
import {
  contradictions,
  doublyCommitted,
  entityOf,
  found,
  meetInTime,
  featureName,
  recordOf,
  type ComparedFeature,
} from "./comparing.ts";
import type { ConflictFinding } from "./conflicts.ts";

export type { ComparedFeature };

/** The share of the smaller area that two must have in common before they are said to overlap. */
const LEAST_SHARE = 0.01;
/** Areas that came since the index was made are looked through one by one; of more it is made anew. */
const MOST_LATE = 250;

/** The records that features show since a person approved it: by layer and feature, as `recordOf` names them. */
export type ApprovedLinks = ReadonlyMap<string, readonly string[]>;
export const linkedFeature = ({ layerId, featureId }: Pick<ComparedFeature, "layerId" | "featureId">): string =>
  JSON.stringify([layerId, featureId]);

const meet = ([w, s, e, n]: Box, [west, south, east, north]: Box): boolean =>
  w <= east && west <= e && s <= north && south <= n;

/**
 * The features of a picture, arranged for finding contradictions: by entity, and exclusive areas in an index of boxes,
 * whose exact shares are worked out for candidates alone. It moves with the picture, change by change.
 */
export class Contradictions {
  readonly #given: readonly ComparedFeature[];
  #now: number;
  readonly #goneAfter: number;
  readonly #links: ApprovedLinks;
  readonly #linked: ReadonlySet<string>;
  #isFilled = false;
  readonly #features = new Map<string, ComparedFeature>();
  readonly #byEntity = new Map<string, Map<string, ComparedFeature>>();
  readonly #boxes = new Map<string, Box>();
  #index: { boxes: Flatbush; ids: string[] } | null = null;
  readonly #late = new Set<string>();
  readonly #sheetAreas = new Map<string, { area: SheetArea; size: number }>();
  readonly #held = new FindingIndex();
  /** When what a feature says ceases to be fresh, or to be shown. */
  readonly #due = new Map<string, number>();
  #nextDue = Infinity;

  /** `goneAfter`: milliseconds after which what is stale is shown no more. */
  constructor(
    features: readonly ComparedFeature[],
    now: number,
    goneAfter = 300_000,
    links: ApprovedLinks = new Map(),
  ) {
    this.#links = links;
    this.#linked = new Set([...links.values()].flat());
    this.#given = features;
    this.#now = now;
    this.#goneAfter = goneAfter;
  }

  /** Every contradiction, in steps. */
  *all(): Steps<ConflictFinding[]> {
    yield* this.#fill();
    if (this.#late.size) this.#arrange();
    // Two may be one by several of their names.
    const between = new Map<string, ConflictFinding>();
    for (const reports of this.#byEntity.values()) {
      const list = [...reports.values()];
      for (let one = 0; one < list.length; one++)
        for (let other = one + 1; other < list.length; other++)
          if (list[one]!.layerId !== list[other]!.layerId)
            for (const finding of contradictions(list[one]!, list[other]!, this.#now)) between.set(finding.id, finding);
      yield;
    }
    const findings = [...between.values()];
    for (const [at, id] of (this.#index?.ids ?? []).entries()) {
      const shown = this.#features.get(id);
      if (!shown || !this.#boxes.has(id)) continue;
      for (const other of this.#index!.boxes.search(...this.#boxes.get(id)!)) {
        const second = other > at && this.#features.get(this.#index!.ids[other]!);
        const finding = second && this.#overlap(shown, second);
        if (finding) findings.push(finding);
        yield;
      }
    }
    for (const one of this.#features.values()) {
      findings.push(...this.#alone(one));
      yield;
    }
    for (const { id, between } of findings) {
      this.#held.add(id, between);
      yield;
    }
    return findings;
  }

  /** The contradictions of one feature with the others, whether it is among them or is to be. */
  of(one: ComparedFeature): ConflictFinding[] {
    atOnce(this.#fill());
    const findings = [...this.#alone(one)];
    const others = new Set(this.#namesOf(one).flatMap((name) => [...(this.#byEntity.get(name)?.values() ?? [])]));
    for (const other of others)
      if (other.id !== one.id && other.layerId !== one.layerId) findings.push(...contradictions(one, other, this.#now));
    const box = exclusiveBox(one);
    if (!box) return findings;
    if (this.#features.get(one.id) !== one) this.#sheetAreas.delete(one.id);
    for (const other of this.#areasIn(box)) {
      const finding = other.id === one.id ? null : this.#overlap(one, other);
      if (finding) findings.push(finding);
    }
    return findings;
  }

  /** Moves on to a moment, with features that are new or differ, and null for those that are there no more. */
  change(changed: ReadonlyMap<string, ComparedFeature | null>, now: number): FeatureFindings<ConflictFinding> {
    atOnce(this.#fill());
    this.#now = now;
    const all = new Map([...this.#dueBy(now).map((id) => [id, this.#features.get(id)!] as const), ...changed]);
    for (const [id, one] of all) {
      this.#drop(id);
      if (one) this.#put(one);
    }
    if (this.#late.size > MOST_LATE) this.#arrange();
    const concerned = this.#held.take(all.keys());
    const findings = new Map<string, ConflictFinding>();
    for (const id of all.keys()) {
      const one = this.#features.get(id);
      if (one) for (const finding of this.of(one)) findings.set(finding.id, finding);
    }
    for (const { id, between } of findings.values()) {
      concerned.add(id);
      this.#held.add(id, between);
    }
    return { findings: [...findings.values()], concerned };
  }

  /** Whether something became stale, or is gone, by itself. */
  isDue(now: number): boolean {
    return now >= this.#nextDue;
  }

  get size(): number {
    return this.#features.size;
  }

  *#fill(): Steps<void> {
    if (this.#isFilled) return;
    this.#isFilled = true;
    for (const one of this.#given) {
      this.#put(one);
      yield;
    }
    this.#arrange();
  }

  #put(one: ComparedFeature): void {
    const staleness = stalenessOf(one, this.#now, this.#goneAfter);
    // What is gone is shown no more: it contradicts nothing.
    if (!staleness) return;
    this.#features.set(one.id, one);
    for (const name of this.#namesOf(one)) {
      const known = this.#byEntity.get(name);
      if (known) known.set(one.id, one);
      else this.#byEntity.set(name, new Map([[one.id, one]]));
    }
    const box = exclusiveBox(one);
    if (box) {
      this.#boxes.set(one.id, box);
      this.#late.add(one.id);
    }
    if (staleness.staleAt === undefined) return;
    const staleAt = Date.parse(staleness.staleAt);
    const due =
      staleness.state === "fresh" ? staleAt : one.properties.keep === true ? Infinity : staleAt + this.#goneAfter;
    if (due === Infinity) return;
    this.#due.set(one.id, due);
    this.#nextDue = Math.min(this.#nextDue, due);
  }

  #drop(id: string): void {
    const before = this.#features.get(id);
    if (!before) return;
    this.#features.delete(id);
    for (const name of this.#namesOf(before)) {
      const reports = this.#byEntity.get(name);
      if (reports?.delete(id) && !reports.size) this.#byEntity.delete(name);
    }
    this.#boxes.delete(id);
    this.#late.delete(id);
    this.#sheetAreas.delete(id);
    this.#due.delete(id);
  }

  /** Under which names a feature is held: its entity, the record it shows, and those it was linked to. */
  #namesOf(one: ComparedFeature): string[] {
    const [entity, record] = [entityOf(one), recordOf(one)];
    const names = new Set(this.#links.get(linkedFeature(one)));
    if (entity !== undefined) names.add(entity);
    if (record !== undefined && this.#linked.has(record)) names.add(record);
    return [...names];
  }

  #dueBy(now: number): string[] {
    if (!this.isDue(now)) return [];
    const due: string[] = [];
    this.#nextDue = Infinity;
    for (const [id, at] of this.#due)
      if (at <= now) due.push(id);
      else this.#nextDue = Math.min(this.#nextDue, at);
    return due;
  }

  /** Makes the index of areas anew. */
  #arrange(): void {
    this.#late.clear();
    const ids = [...this.#boxes.keys()];
    if (!ids.length) return void (this.#index = null);
    const boxes = new Flatbush(ids.length);
    for (const [west, south, east, north] of this.#boxes.values()) boxes.add(west, south, east, north);
    boxes.finish();
    this.#index = { boxes, ids };
  }

  *#areasIn(box: Box): Generator<ComparedFeature, void, void> {
    for (const at of this.#index?.boxes.search(...box) ?? []) {
      const id = this.#index!.ids[at]!;
      // A feature that moved since still lies in the index where it was.
      if (this.#boxes.has(id) && !this.#late.has(id)) yield this.#features.get(id)!;
    }
    for (const id of this.#late) if (meet(box, this.#boxes.get(id)!)) yield this.#features.get(id)!;
  }

  /** What is wrong with a feature by itself. */
  *#alone(one: ComparedFeature): Generator<ConflictFinding, void, void> {
    yield* this.#stale(one);
    const committed = doublyCommitted(one, this.#now);
    if (committed) yield committed;
  }

  *#stale(one: ComparedFeature): Generator<ConflictFinding, void, void> {
    const staleness = stalenessOf(one, this.#now, this.#goneAfter);
    if (staleness?.state !== "stale" || one.properties.keep === true) return;
    yield found("stale-on-cop", "low", [one], `${featureName(one)} is stale, and on the COP.`, {
      staleAt: staleness.staleAt,
    });
  }

  #areaOf(shown: ComparedFeature): { area: SheetArea; size: number } {
    let known = this.#sheetAreas.get(shown.id);
    if (!known) {
      const area = areaOf(polygonsOf(shown.geometry as Geometry));
      this.#sheetAreas.set(shown.id, (known = { area, size: squareMetres(area) }));
    }
    return known;
  }

  #overlap(one: ComparedFeature, other: ComparedFeature): ConflictFinding | null {
    if (!meetInTime(one, other)) return null;
    const [first, second] = [this.#areaOf(one), this.#areaOf(other)];
    const excluding = `${featureName(one)} and ${featureName(other)} exclude one another and overlap`;
    if (areIntricate(first.area, second.area))
      return found(
        "areas-overlap",
        "medium",
        [one, other],
        `${excluding}; their borders cross too often to say how far.`,
        {},
      );
    const shared = squareMetres(common(first.area, second.area));
    const share = shared / Math.min(first.size, second.size);
    if (!(share > LEAST_SHARE)) return null;
    return found(
      "areas-overlap",
      share > 0.5 ? "high" : share > 0.1 ? "medium" : "low",
      [one, other],
      `${excluding} by ${Math.round(100 * share)} %.`,
      { squareMetres: Math.round(shared), share: Math.round(share * 1e4) / 1e4 },
    );
  }
}

function exclusiveBox({ properties, geometry }: ComparedFeature): Box | undefined {
  if (properties.exclusive !== true || !polygonsOf(geometry as Geometry | null).length) return undefined;
  return boxOf(positionsOf(geometry as Geometry)) ?? undefined;
}
