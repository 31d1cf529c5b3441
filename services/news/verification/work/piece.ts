import type { Entity } from "../../../../core/records/entity.ts";
import { assessEach, type Content, type Finding } from "../../articles/client.ts";
import { Claim } from "../claims/claim.ts";
import type { Verifier } from "../host.ts";
import { ClaimReference } from "../references/reference.ts";
import { StagedSources } from "../reliability/staged-sources.ts";
import { Verification } from "../verification.ts";
import { Staged } from "./staged.ts";

/**
 * A few articles of a batch, processed one after the other and stored in one step: each sees the results of those
 * before it, and nothing is announced before it is stored.
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

  /** The number of records to write. */
  get size(): number {
    return this.#staged.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Stores the results, then updates the articles. Answers those that another process verified meanwhile: they must be
   * processed again.
   */
  async keep(): Promise<ReadonlySet<number>> {
    const overtaken = await this.#keep();
    const findings = [...this.#findings.values()].filter(({ id }) => !overtaken.has(id));
    if (findings.length) await assessEach(this.#service, findings);
    return overtaken;
  }
}
