import { z } from "zod";
import { asSystem, onBehalfOf } from "../../../core/access/caller.ts";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { Blocked, blockableBy, DomainPattern, normalised } from "../../../core/mail-address.ts";
import { conflict, notFound, unprocessable } from "../../../core/problem.ts";
import { PageMeta } from "../../../core/records/entity.ts";
import { commonsOf } from "../../../mixins/domain.mixin.ts";
import { accountOf } from "../auth/client.ts";
import { AdmissionRule, admissionRules, ruleId, type RuleKind } from "./admission.ts";

/** One list at a time is set whole, over all nodes: of two who set it at once the later finds the earlier's. */
const LEASE = "user-profile.admission-lists";
const TERM_MS = 15_000;
const WAIT_MS = 5_000;
const LOOK_MS = 25;
const MOST_LINES = 10_000;

const us = asSystem("user-profile");
const Kind = AdmissionRule.record.shape.kind;
const WHAT: Record<RuleKind, string> = { allow: "allowed domain", block: "blocked address" };

const Line = z.object({ value: z.string(), fromEnvironment: z.boolean(), createdAt: z.string().optional() });
const Changed = z.object({ added: z.array(z.string()), removed: z.array(z.string()), kept: z.array(z.string()) });

const given = ({ world: { env } }: Host, kind: RuleKind): readonly string[] =>
  kind === "allow" ? env.EMAIL_DOMAINS : env.BLOCKED_EMAILS;

const turns = new WeakMap<Host, Promise<unknown>>();

/** Does this while nobody else changes a list, here or on another node. Throws 409 where others take too long. */
function alone<T>(host: Host, work: () => Promise<T>): Promise<T> {
  const { leases } = commonsOf(host.broker);
  const turn = async (): Promise<T> => {
    for (let waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
      const done = await leases.under(LEASE, TERM_MS, work);
      if (done) return done.done;
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS);
      });
    }
    throw conflict("Somebody else is changing this list; try again.");
  };
  const before = turns.get(host) ?? Promise.resolve();
  const mine = before.then(turn).finally(() => leases.release(LEASE));
  turns.set(
    host,
    mine.catch(() => {}),
  );
  return mine;
}

async function storedOf(host: Host, kind: RuleKind): Promise<AdmissionRule[]> {
  return host.store(AdmissionRule).find(us, { kind }, { sort: ["value"], limit: MOST_LINES });
}

/** Throws 422 where whoever changes the list would be shut out by it, who was not before. */
async function refuseOwn(host: Host, by: string, kind: RuleKind, next: readonly string[]): Promise<void> {
  const email = normalised((await accountOf(host, by))?.email ?? "");
  if (!email) return;
  const other: RuleKind = kind === "allow" ? "block" : "allow";
  const [mine, others] = await Promise.all([storedOf(host, kind), storedOf(host, other)]);
  const valuesOf = (rules: readonly AdmissionRule[]) => rules.map(({ value }) => value);
  const isLetIn = (values: readonly string[]): boolean => {
    const lines = { [kind]: values, [other]: [...given(host, other), ...valuesOf(others)] } as Record<
      RuleKind,
      readonly string[]
    >;
    return admissionRules(email, {
      allows: new Set(lines.allow),
      blocks: new Set(lines.block),
      restricted: lines.allow.length > 0,
    }).allowed;
  };
  if (isLetIn(next) || !isLetIn([...given(host, kind), ...valuesOf(mine)])) return;
  throw unprocessable("OWN_ADDRESS", "This would shut your own address out; `force` does it all the same.", {
    by: blockableBy(email).filter((one) => next.includes(one)),
  });
}

/** Throws 409 where lines of the settings would have to go. */
function refuseGiven(lines: readonly string[]): void {
  if (lines.length)
    throw conflict(`Lines of the settings go with the settings alone: ${lines.slice(0, 10).join(", ")}.`, { lines });
}

interface Replacing {
  kind: RuleKind;
  values: readonly string[];
  by: string;
  force: boolean;
}

async function replace(host: Host, { kind, values, by, force }: Replacing): Promise<z.output<typeof Changed>> {
  const fixed = given(host, kind);
  const wanted = new Set(values);
  refuseGiven(fixed.filter((value) => !wanted.has(value)));
  if (!force) await refuseOwn(host, by, kind, [...wanted]);
  const store = host.store(AdmissionRule);
  const before = await storedOf(host, kind);
  const known = new Set([...fixed, ...before.map(({ value }) => value)]);
  const added = [...wanted].filter((value) => !known.has(value)).sort();
  const removed = before.filter(({ value }) => !wanted.has(value));
  if (added.length)
    await store.createMany(
      onBehalfOf("user-profile", by),
      added.map((value) => ({ id: ruleId(kind, value), kind, value })),
    );
  for (const rule of removed) await store.remove(onBehalfOf("user-profile", by), rule);
  return {
    added,
    removed: removed.map(({ value }) => value),
    kept: [...wanted].filter((value) => known.has(value)).sort(),
  };
}

/** For the admin domain: the lists whole, in the order of their lines, those of the settings first. */
export const admissionListActions = {
  "admission.lines": endpoint({
    summary: "A page of a list, the settings' lines first",
    permit: "internal",
    body: { kind: Kind, page: z.int(), limit: z.int() },
    returns: bare(z.object({ data: z.array(Line), meta: PageMeta })),
    async handler(ctx) {
      const { kind, page, limit } = ctx.params;
      const fixed = given(this, kind);
      const from = (page - 1) * limit;
      const first = fixed.slice(from, from + limit).map((value) => ({ value, fromEnvironment: true }));
      const store = this.store(AdmissionRule);
      const room = limit - first.length;
      const [stored, { total, more }] = await Promise.all([
        room
          ? store.find(us, { kind }, { sort: ["value"], limit: room, offset: Math.max(0, from - fixed.length) })
          : [],
        store.total(us, { kind }),
      ]);
      return {
        data: [...first, ...stored.map(({ value, createdAt }) => ({ value, createdAt, fromEnvironment: false }))],
        meta: { total: total + fixed.length, ...(more && { more }), page, limit },
      };
    },
  }),

  "admission.replace": endpoint({
    summary: "Set a list whole",
    permit: "internal",
    body: {
      kind: Kind,
      values: z.array(z.union([DomainPattern, Blocked])).max(MOST_LINES),
      by: z.string(),
      force: z.boolean(),
    },
    returns: bare(Changed),
    handler(ctx) {
      return alone(this, () => replace(this, ctx.params));
    },
  }),

  "admission.drop": endpoint({
    summary: "Take one line off a list",
    permit: "internal",
    body: { kind: Kind, value: z.string(), by: z.string(), force: z.boolean() },
    returns: bare(z.null()),
    handler(ctx) {
      const { kind, value, by, force } = ctx.params;
      return alone(this, async () => {
        const fixed = given(this, kind);
        refuseGiven(fixed.filter((line) => line === value));
        const rules = await storedOf(this, kind);
        const rule = rules.find((one) => one.value === value);
        if (!rule) throw notFound(WHAT[kind], value);
        const next = [...fixed, ...rules.filter((one) => one !== rule).map((one) => one.value)];
        if (!force) await refuseOwn(this, by, kind, next);
        await this.store(AdmissionRule).remove(onBehalfOf("user-profile", by), rule);
        return null;
      });
    },
  }),
};
