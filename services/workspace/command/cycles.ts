import { grouped, holdsAt, type Relationship } from "./relationships.ts";
import type { CommandFinding, UnitNames } from "./validation.ts";

/**
 * Only units that lie in a strongly connected component of all relationships can be in a cycle; there, each instant at
 * which a relationship begins is looked at.
 */
export function cycles(commands: readonly Relationship[], names: UnitNames): CommandFinding[] {
  const findings: CommandFinding[] = [];
  for (const inside of insideComponents(commands)) {
    const told = new Set<string>();
    for (const at of [...new Set(inside.map(({ from }) => from ?? ""))].sort()) {
      const loop = loopIn(inside.filter((one) => holdsAt(one, at)));
      if (!loop) continue;
      const key = loop
        .map(({ id }) => id)
        .sort()
        .join();
      if (told.has(key)) continue;
      told.add(key);
      const units = loop.map(({ subordinateId }) => subordinateId);
      findings.push({
        code: "CYCLE",
        units,
        relationships: loop.map(({ id }) => id),
        message:
          `${[...units, units[0]!].map((id) => names.get(id)).join(" is under ")}: a ` +
          `circle${at ? ` from ${at}` : ""}.`,
      });
    }
  }
  return findings;
}

/** The relationships within each strongly connected component. */
function insideComponents(commands: readonly Relationship[]): Relationship[][] {
  const componentOf = new Map<string, number>();
  for (const [number, component] of stronglyConnected(commands).entries())
    for (const unit of component) componentOf.set(unit, number);
  const inside = commands.filter(
    ({ superiorId, subordinateId }) =>
      componentOf.has(superiorId) && componentOf.get(superiorId) === componentOf.get(subordinateId),
  );
  return [...grouped(inside, ({ superiorId }) => String(componentOf.get(superiorId))).values()];
}

/**
 * One cycle, as relationships in order from subordinate to superior; undefined when there is none. Iterative
 * depth-first search.
 */
function loopIn(relationships: readonly Relationship[]): Relationship[] | undefined {
  const above = grouped(relationships, (one) => one.subordinateId);
  const done = new Set<string>();
  for (const start of above.keys()) {
    const path: Relationship[] = [];
    const onPath = new Map<string, number>([[start, 0]]);
    const stack: Iterator<Relationship>[] = [(above.get(start) ?? []).values()];
    if (done.has(start)) continue;
    while (stack.length) {
      const { value, done: finished } = stack.at(-1)!.next();
      if (finished) {
        stack.pop();
        const left = path.pop();
        const unit = left?.superiorId ?? start;
        onPath.delete(unit);
        done.add(unit);
      } else if (onPath.has(value.superiorId)) return [...path.slice(onPath.get(value.superiorId)!), value];
      else if (!done.has(value.superiorId)) {
        path.push(value);
        onPath.set(value.superiorId, path.length);
        stack.push((above.get(value.superiorId) ?? []).values());
      }
    }
  }
  return undefined;
}

/** Components of more than one unit, or of one in a relationship with itself (Tarjan 1972, iterative). */
function stronglyConnected(relationships: readonly Relationship[]): Set<string>[] {
  const above = grouped(relationships, (one) => one.subordinateId);
  const order = new Map<string, number>(),
    low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const components: Set<string>[] = [];
  for (const start of above.keys()) {
    if (order.has(start)) continue;
    const stack: { unit: string; next: number }[] = [];
    const enter = (unit: string): void => {
      order.set(unit, order.size);
      low.set(unit, order.get(unit)!);
      open.push(unit);
      isOpen.add(unit);
      stack.push({ unit, next: 0 });
    };
    enter(start);
    while (stack.length) {
      const frame = stack.at(-1)!;
      const edge = above.get(frame.unit)?.[frame.next++];
      if (edge && !order.has(edge.superiorId)) enter(edge.superiorId);
      else if (edge) {
        if (isOpen.has(edge.superiorId))
          low.set(frame.unit, Math.min(low.get(frame.unit)!, order.get(edge.superiorId)!));
      } else {
        stack.pop();
        const below = stack.at(-1)?.unit;
        if (below !== undefined) low.set(below, Math.min(low.get(below)!, low.get(frame.unit)!));
        if (low.get(frame.unit) === order.get(frame.unit)) closeComponent(frame.unit);
      }
    }
  }
  function closeComponent(head: string): void {
    const component = new Set<string>();
    for (let unit = open.pop()!; ; unit = open.pop()!) {
      isOpen.delete(unit);
      component.add(unit);
      if (unit === head) break;
    }
    const selfish = above.get(head)?.some((one) => one.superiorId === head);
    if (component.size > 1 || selfish) components.push(component);
  }
  return components;
}
