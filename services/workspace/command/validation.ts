import { cycles } from "./cycles.ts";
import { COMMANDS, grouped, holdsAt, type Relationship } from "./relationships.ts";
import type { Unit } from "./units.ts";

export const FINDINGS = ["CYCLE", "TWO_SUPERIORS", "ORPHAN", "MISSING_UNIT", "EMPTY_PERIOD"] as const;
export interface CommandFinding {
  code: (typeof FINDINGS)[number];
  message: string;
  units: string[];
  relationships: string[];
}

/**
 * Says in words what is wrong with a mission's chain of command: nothing when it holds together. Cost: about linear in
 * units and relationships.
 */
export function validate(units: readonly Unit[], relationships: readonly Relationship[], at: string): CommandFinding[] {
  const named = new Map(units.map(({ id, name }) => [id, name]));
  const whole = relationships.filter((one) => named.has(one.superiorId) && named.has(one.subordinateId));
  const commands = whole.filter(({ kind }) => COMMANDS.has(kind));
  return [
    ...missing(relationships, named),
    ...empty(whole, named),
    ...cycles(commands, named),
    ...twoSuperiors(whole, named),
    ...orphans(units, commands, at),
  ];
}

export type UnitNames = ReadonlyMap<string, string>;

const missing = (relationships: readonly Relationship[], names: UnitNames): CommandFinding[] =>
  relationships.flatMap((one) => {
    const gone = [one.superiorId, one.subordinateId].filter((id) => !names.has(id));
    if (!gone.length) return [];
    const stays = names.get(gone.includes(one.superiorId) ? one.subordinateId : one.superiorId);
    return [
      {
        code: "MISSING_UNIT" as const,
        message: `A relationship (${one.kind}) ${stays ? `of ${stays} ` : ""}leads to a unit that was removed.`,
        units: gone,
        relationships: [one.id],
      },
    ];
  });

const empty = (relationships: readonly Relationship[], names: UnitNames): CommandFinding[] =>
  relationships
    .filter(({ from, until }) => from && until && until <= from)
    .map((one) => ({
      code: "EMPTY_PERIOD" as const,
      message:
        `${names.get(one.subordinateId)} would be ${one.kind} to ${names.get(one.superiorId)} for no time: it ` +
        `ends at ${one.until}, before it begins.`,
      units: [one.subordinateId, one.superiorId],
      relationships: [one.id],
    }));

/** Relationships that give operational control: a unit has one such superior at a time. */
export const CONTROL = ["opcon", "attached"] as const satisfies Relationship["kind"][];
export const isControl = (kind: Relationship["kind"]): boolean => (CONTROL as readonly string[]).includes(kind);
const controls = ({ kind }: Relationship): boolean => isControl(kind);

/** Operational control in another mission, within the time of that mission. */
export type ControlElsewhere = Relationship & { mission: string };

const told = (one: Relationship | ControlElsewhere, names: UnitNames): string =>
  `${names.get(one.superiorId)} (${one.kind}${"mission" in one ? `, in the mission "${one.mission}"` : ""})`;

function bothAtOnce(one: Relationship, next: Relationship | ControlElsewhere, names: UnitNames): CommandFinding {
  const from = [one.from ?? "", next.from ?? ""].sort()[1];
  return {
    code: "TWO_SUPERIORS",
    units: [one.subordinateId, one.superiorId, next.superiorId],
    relationships: [one.id, next.id],
    message:
      `${names.get(one.subordinateId)} is under the operational control of ${told(one, names)} and of ` +
      `${told(next, names)} at one time${from ? `, from ${from}` : ""}.`,
  };
}

function twoSuperiors(relationships: readonly Relationship[], names: UnitNames): CommandFinding[] {
  const findings: CommandFinding[] = [];
  for (const mine of grouped(relationships.filter(controls), (one) => one.subordinateId).values()) {
    const inOrder = mine.sort((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1));
    for (let n = 1, widest = inOrder[0]!; n < inOrder.length; n++) {
      const next = inOrder[n]!;
      if (next.superiorId !== widest.superiorId && (!widest.until || (next.from ?? "") < widest.until))
        findings.push(bothAtOnce(widest, next, names));
      if (widest.until && (!next.until || next.until > widest.until)) widest = next;
    }
  }
  return findings;
}

/** For each control by a mission, the first by another that gives it to somebody else meanwhile. */
export function controlledElsewhere(
  units: readonly Unit[],
  here: readonly Relationship[],
  elsewhere: readonly ControlElsewhere[],
): CommandFinding[] {
  const names = new Map(units.map(({ id, name }) => [id, name]));
  const known = (one: Relationship): boolean => names.has(one.superiorId) && names.has(one.subordinateId);
  const others = grouped(elsewhere.filter(known), (one) => one.subordinateId);
  return here.filter(known).flatMap((one) => {
    const other = others
      .get(one.subordinateId)
      ?.find((next) => next.superiorId !== one.superiorId && overlap(one, next));
    return other ? [bothAtOnce(one, other, names)] : [];
  });
}

type Period = Pick<Relationship, "from" | "until">;
const overlap = (a: Period, b: Period): boolean =>
  (!a.until || (b.from ?? "") < a.until) && (!b.until || (a.from ?? "") < b.until);

function orphans(units: readonly Unit[], commands: readonly Relationship[], at: string): CommandFinding[] {
  const now = commands.filter((one) => holdsAt(one, at));
  const below = new Set(now.map((one) => one.subordinateId));
  const above = new Set(now.map((one) => one.superiorId));
  const tops = units.filter(({ id }) => !below.has(id) && above.has(id));
  // One unit that commands others and is commanded by none is the top of the chain.
  const alone = units
    .filter(({ id }) => !below.has(id) && !above.has(id))
    .map((unit): CommandFinding => ({
      code: "ORPHAN",
      message: `${unit.name} has no superior and commands nobody.`,
      units: [unit.id],
      relationships: [],
    }));
  if (units.length === 1) return [];
  return [
    ...(tops.length > 1
      ? tops.map((unit): CommandFinding => ({
          code: "ORPHAN",
          message:
            `${unit.name} has no superior, and it is not the only one: ${tops.length} chains of command stand ` +
            "side by side.",
          units: [unit.id],
          relationships: [],
        }))
      : []),
    ...alone,
  ];
}
