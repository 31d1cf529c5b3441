import { MOST_AT_ONCE, MOST_RUN_STEPS } from "../workflows/definitions.ts";
import { Advance } from "./advancing.ts";
import type { FullStep } from "./executions.ts";
import {
  attemptsOf,
  dealtWith,
  draftOf,
  endedChange,
  failedChange,
  isNoted,
  jsonText,
  type StepDraft,
} from "./step-drafts.ts";
import { storeSteps } from "./records.ts";
import { beforeOf, pathOf, setOutput, type WorkflowScope } from "./scopes.ts";
import { reckon } from "./stepping.ts";

/** Steps per slice: then the job ends, and another continues. */
const MOST_A_SLICE = 500;
/** Steps per write: the node does nothing else meanwhile. */
const MOST_A_WRITE = 50;

/** A step that begins. A step that ends at once is not stored before; a condition carries its result. */
interface Begun {
  scope: WorkflowScope;
  id: string;
  draft?: StepDraft;
  /** It has ended already; with the reason, where it failed without being handled. */
  ended?: { failed?: { code: string; why: string } };
}

/** How steps of a run begin: all that may, in one write, and none of them before it is durable. */
export abstract class Beginning extends Advance {
  protected abstract fly(scope: WorkflowScope, id: string, record?: FullStep): void;

  /** The slice has used its turn. */
  get isFull(): boolean {
    return this.ended >= MOST_A_SLICE;
  }

  /** Begins all steps that may begin. Answers false where there are none. */
  protected async begin(): Promise<boolean> {
    const begun = this.#take();
    if (!begun.length) return false;
    const drafts = begun.flatMap(({ draft }) => draft ?? []);
    const storing = drafts.length ? storeSteps(this.host, this.execution.by, drafts) : Promise.resolve([]);
    this.storing = storing.catch(() => undefined);
    for (const record of await storing) this.records.set(record.path, record);
    const scopes = new Set(begun.map(({ scope }) => scope));
    for (const scope of scopes) this.leaveAll(scope);
    for (const { scope, id, ended } of begun)
      if (ended?.failed && this.#isHere(scope))
        this.fail(scope, `${pathOf(scope, id)}: ${ended.failed.why}`, ended.failed.code);
    for (const scope of scopes) if (this.#isHere(scope) && scope.joins.isOver) this.over(scope);
    for (const { scope, id } of begun)
      if (!this.ending && this.#isHere(scope) && scope.joins.fate(id) === "begun")
        this.fly(scope, id, this.records.get(pathOf(scope, id)));
    return true;
  }

  /** Whether a scope is still needed: a step that ended meanwhile may have ended it. */
  #isHere(scope: WorkflowScope): boolean {
    return this.scopes.get(scope.prefix) === scope;
  }

  /** In memory: the result of a condition is known at once, and with it what may begin after it. */
  #take(): Begun[] {
    const begun: Begun[] = [];
    let underWay = this.flights.size;
    for (const scope of this.open) {
      for (const id of scope.joins.ready) {
        if (underWay >= MOST_AT_ONCE || begun.length >= MOST_A_WRITE || this.isFull || this.ending) return begun;
        if (this.count >= MOST_RUN_STEPS) {
          this.ending = { status: "stopped", code: "LIMIT", reason: `A run has ${MOST_RUN_STEPS} steps at the most.` };
          return begun;
        }
        this.count += 1;
        scope.joins.begin(id);
        const one = this.#begun(scope, id);
        begun.push(one);
        if (!one.ended) underWay += 1;
      }
      if (!scope.joins.ready.size) this.open.delete(scope);
    }
    return begun;
  }

  #begun(scope: WorkflowScope, id: string): Begun {
    const definition = scope.graph.steps.get(id)!;
    const standing = beforeOf(scope, id);
    const now = this.host.world.clock.now();
    const draft = draftOf(this.execution, scope, definition, standing, now);
    if (definition.kind !== "condition") return { scope, id, ...(isNoted(definition) && { draft }) };
    const became = reckon(definition, scope.values);
    const attempts = attemptsOf(draft, became, 0, now);
    const change = endedChange(draft, { standing, attempts, isStored: false, now });
    const { fields, fate, output } =
      "failed" in became
        ? dealtWith(definition, became)
        : {
            fields: { status: "completed", outcome: became.ended, text: jsonText(became.output) } as const,
            fate: became.ended,
            output: became.output,
          };
    // A join that this result started may no longer need the step itself.
    if (!scope.joins.end(id, fate)) return { scope, id, ended: {} };
    this.ended += 1;
    scope.standings.set(id, standing);
    if (output !== undefined) setOutput(scope, id, output);
    const failed = "failed" in became && fate === "failed" && { failed: failedChange(became) };
    return { scope, id, draft: { ...draft, ...change, ...fields } as StepDraft, ended: { ...failed } };
  }
}
