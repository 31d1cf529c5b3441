import type { Entity } from "../../../../core/records/entity.ts";
import { assessEach, type Content, type Finding } from "../../articles/client.ts";
import { Claim } from "../claims/claim.ts";
import type { Verifier } from "../host.ts";
import { ClaimReference } from "../references/reference.ts";
import { StagedSources } from "../reliability/staged-sources.ts";
import { Verification } from "../verification.ts";
import { Staged } from "./staged.ts";

/**
 * A few articles of a batch, worked on one after the other as by themselves and kept in one step: each sees what was
 * found out about those before it, and nothing is told before it is stored.
 */
export class Piece {
  /** The service, as the work on these articles sees it. */
  readonly host: Verifier;
  readonly #service: Verifier;
  readonly #findings = new Map<number, Finding>();
  readonly #staged: readonly { size: number }[];
  readonly #keep: () => Promise<Set<number>>;

  private constructor(
    service: Verifier,
    host: Verifier,
    staged: readonly { size: number }[],
    keep: () => Promise<Set<number>>,
  ) {
    this.#service = service;
    this.host = host;
    this.#staged = staged;
    this.#keep = keep;
    host.tell = async (finding) => void this.#findings.set(finding.id, finding);
  }

  static async open(service: Verifier, contents: readonly Content[]): Promise<Piece> {
    const articles = new Set(contents.map(({ id }) => id));
    const [records, claims, references] = await Promise.all([
      Staged.open({ store: service.store(Verification), of: "_id", articles, byRevision: true }),
      Staged.open({ store: service.store(Claim), of: "articleId", articles }),
      Staged.open({ store: service.store(ClaimReference), of: "contentId", articles }),
    ]);
    const sources = new StagedSources(service.sources, service, claims);
    const stores = new Map<Entity, unknown>([
      [Verification, records],
      [Claim, claims],
      [ClaimReference, references],
    ]);
    const host = Object.create(service, {
      sources: { value: sources },
      store: { value: (entity: Entity) => stores.get(entity) ?? service.store(entity) },
    }) as Verifier;
    return new Piece(service, host, [records, claims, references], async () => {
      // In one step where the store keeps the order of what is asked for; elsewhere one after the other.
      const steps = [() => references.keep(), () => claims.keep(), () => sources.keep()];
      if (service.world.documents.together) {
        const asked = steps.map((step) => step());
        const [overtaken] = await Promise.all([records.keep(), ...asked]);
        return new Set(overtaken as number[]);
      }
      for (const step of steps) await step();
      return new Set((await records.keep()) as number[]);
    });
  }

  /** How many records are to be written. */
  get size(): number {
    return this.#staged.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Stores what was found out, then tells the articles. Answers those that somebody else verified meanwhile: they are to
   * be worked on again.
   */
  async keep(): Promise<ReadonlySet<number>> {
    const overtaken = await this.#keep();
    const findings = [...this.#findings.values()].filter(({ id }) => !overtaken.has(id));
    if (findings.length) await assessEach(this.#service, findings);
    return overtaken;
  }
}
