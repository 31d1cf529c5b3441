import { isDeepStrictEqual } from "node:util";
import type { Actor, Membership } from "../../core/access/access.ts";
import { systemActor } from "../../core/access/access.ts";
import type { Caller } from "../../core/access/caller.ts";
import { conflict, isProblem } from "../../core/problem.ts";
import type { Collection, Documents } from "../../core/records/documents.ts";
import type { Entity } from "../../core/records/entity.ts";
import { Store } from "../../core/records/store.ts";
import { LeaseLost } from "../../core/work/hold.ts";
import { Leases } from "../../core/work/schedule.ts";
import { tick } from "../../core/sync/hlc.ts";
import { kindsOf } from "../../core/sync/kinds.ts";
import {
  basesOf,
  dotsOf,
  isDeleted,
  merge,
  shownOf,
  withUnsent,
  type Change,
  type RecordState,
} from "../../core/sync/merge.ts";
import { EdgeNode } from "../../services/picture/edge-sync/nodes/nodes.ts";
import { noteGone } from "../../services/picture/edge-sync/records/following.ts";
import { PlaceEntry, Scope, SyncPlace } from "../../services/picture/edge-sync/records/places.ts";
import { SyncRecord } from "../../services/picture/edge-sync/records/records.ts";
import { Batch, takeBatch } from "../../services/picture/edge-sync/syncing/batches.ts";
import { delta } from "../../services/picture/edge-sync/syncing/delta.ts";
import { syncedConsumables, syncedResources } from "../../services/picture/resources/client.ts";
import { Consumable } from "../../services/picture/resources/consumables/consumables.ts";
import { Resource } from "../../services/picture/resources/registry/resources.ts";
import { syncedSensors } from "../../services/picture/sensors/client.ts";
import { Sensor } from "../../services/picture/sensors/sensors.ts";
import { syncedActions } from "../../services/picture/synced-nouns.ts";
import { Away, type Simulation } from "../simulation.ts";

/** What the hub's part of edge sync is broken by, to see that a story would be told. */
export type Fault = "no vector" | "latest wins" | "delete forgotten";

const KEPT = [EdgeNode, SyncRecord, Scope, SyncPlace, PlaceEntry, Batch, Resource, Consumable, Sensor];
export const COLLECTIONS = [...KEPT.map(({ collection }) => collection), "leases"];
export const SET = "set";
const RED = "red";
const PEOPLE = ["p1", "p2"] as const;
const MESH: Caller = { meta: { actor: systemActor("simulation") }, locals: {} };
const NODE_IDS = ["n1", "n2", "n3"] as const;

const leaving = async (host: any, _of: Entity, ids: readonly string[]): Promise<Leaving> =>
  host.left.filter(({ id }: { id: string }) => ids.includes(id));
const actions = {
  ...Object.fromEntries(
    Object.entries(syncedActions(Resource, syncedResources, leaving)).map(([name, one]) => [`resources.${name}`, one]),
  ),
  ...Object.fromEntries(
    Object.entries(syncedActions(Consumable, syncedConsumables, leaving)).map(([name, one]) => [
      `resources.${name}`,
      one,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(syncedActions(Sensor, syncedSensors, leaving)).map(([name, one]) => [`sensors.${name}`, one]),
  ),
} as Record<string, any>;

/** The store with a fault of the hub's in it. */
function broken(documents: Documents, fault: Fault | undefined): Documents {
  if (!fault) return documents;
  const spoil = (state: RecordState): RecordState => {
    if (fault === "no vector") return { ...state, vector: {} };
    if (fault === "delete forgotten") return { ...state, deletes: [] };
    if (fault !== "latest wins") return state;
    const fields = Object.entries(state.fields).map(([field, heads]) => {
      const best = [...heads].sort((one, other) => (one.hlc + one.dot < other.hlc + other.dot ? 1 : -1));
      return [field, best.slice(0, 1)] as const;
    });
    return { ...state, fields: Object.fromEntries(fields) };
  };
  return {
    ...documents,
    kind: documents.kind,
    ping: () => documents.ping(),
    close: async () => {},
    collection: async (name, options) => {
      const real = await documents.collection(name, options);
      if (name !== SyncRecord.collection) return real;
      return new Proxy(real, {
        get: (_real, method: string) => {
          const own = real[method as keyof Collection] as ((...all: unknown[]) => unknown) | undefined;
          if (typeof own !== "function") return undefined;
          return (...args: any[]) => {
            const $set = method === "claim" ? args[1]?.$set : undefined;
            if ($set?.state) args[1] = { ...args[1], $set: { ...$set, state: spoil($set.state) } };
            return own.apply(real, args);
          };
        },
      });
    },
  };
}

/** The two people, and where each may look at this moment. */
export class Access {
  readonly held = new Map<string, Set<string>>(PEOPLE.map((name) => [name, new Set([RED])]));
  member = new Map<string, boolean>(PEOPLE.map((name) => [name, true]));

  standing(userId: string): Omit<Actor, "via"> {
    const compartments = [...(this.held.get(userId) ?? [])];
    const membership: Membership = { role: "planner", permits: ["*"], compartments };
    const memberships: Record<string, Membership> = this.member.get(userId) ? { [SET]: membership } : {};
    return { userId, roles: ["analyst"], permits: ["*"], memberships };
  }
}

/** One node of the hub's mesh: edge sync over a store that fails, and domains as plain as they can be. */
export class Hub {
  readonly host: any;
  readonly leases: Leases;
  /** What was last said of a person's standing, by the caller that asked. */
  last = new Map<string, Omit<Actor, "via">>();

  private constructor(host: any, leases: Leases) {
    this.host = host;
    this.leases = leases;
  }

  static async open(
    documents: Documents,
    {
      clock,
      access,
      name,
      counter,
      left,
    }: {
      clock: Simulation["clock"];
      access: Access;
      name: string;
      counter: () => number;
      left: { id: string; since: string }[];
    },
  ): Promise<Hub> {
    const mine = documents;
    const stores = new Map<Entity, Store<any>>();
    for (const entity of KEPT as readonly Entity[])
      stores.set(
        entity,
        new Store(entity, {
          collection: await mine.collection(entity.collection, { indexes: entity.indexes }),
          clock,
          number: async () => counter(),
          stored: () => {},
          announceRemoval: async () => {},
          removed: () => {},
        }),
      );
    const world = { clock, secret: Buffer.alloc(32, 7), formerSecrets: [], documents: mine };
    const host: any = {
      world,
      name: "edge-sync",
      store: (entity: Entity) => stores.get(entity),
      logger: console,
      left,
    };
    const hub = new Hub(host, new Leases(mine, clock, name));
    host.ask = async (action: string, params: any) => {
      if (action === "auth.actor") {
        const standing = access.standing(params.userId);
        hub.last.set(params.userId, standing);
        return standing;
      }
      if (action === "identity.holderOf") return { userId: host.holders.get(params.did) };
      if (action === "discovery.cutOffOf") return { everywhere: false, problemSetIds: [] };
      const ctx = { params, meta: { actor: systemActor("x") }, locals: {}, level: 2 };
      return actions[action].handler.call(host, ctx);
    };
    host.holders = new Map(NODE_IDS.map((id, at) => [`did:${id}`, PEOPLE[at % PEOPLE.length]]));
    host.broker = {
      broadcast: async () => {},
      call: (action: string, params: any, { meta }: any) => act(host, action, params, meta),
    };
    return hub;
  }
}

/** The domains: what edge sync calls of them, over the real store. */
async function act(
  host: any,
  action: string,
  { at: _seen, ...params }: any,
  { actor, carries }: any,
): Promise<unknown> {
  const ctx: Caller = { meta: { actor }, locals: { carries } };
  const at = new Date().toISOString();
  const store = host.store(action.startsWith("resources.consumables") ? Consumable : Resource);
  const verb = action.split(".").at(-1);
  if (verb === "create" || verb === "createSeen") {
    const beside =
      store.entity === Consumable
        ? { leveledAt: at, used: 0, days: 0, isTold: false }
        : { abilities: [], words: [], readinessAt: at };
    return store.create(ctx, { ...params, ...beside });
  }
  const { id, ...change } = params;
  const before = await store.get(ctx, id);
  if (verb === "remove") {
    host.left.push({ id, since: at });
    return store.remove(ctx, before);
  }
  if (verb !== "setLevel") return store.revise(ctx, before, change);
  if (before.level + change.delta < 0) throw conflict("There is not so much of it.");
  return store.revise(ctx, before, { level: before.level + change.delta });
}

/** Values are written once: what became of each can be told. */
interface Edit {
  value: string;
  key: string;
  saw: readonly unknown[];
}

/** Removals that were announced and not told yet. */
type Leaving = { id: string; since: string }[];

export class World {
  readonly simulation: Simulation;
  readonly hubs: () => Promise<Hub>[];
  readonly access: Access;
  readonly plain: Hub;
  readonly edits: Edit[] = [];
  readonly removed = new Map<string, string>();
  readonly levels = new Map<string, number>();
  readonly leaks: string[] = [];
  #values = 0;
  /** Removals that edge sync was not told of: facts come late, and at least once. */
  get #facts(): Leaving {
    return this.plain.host.left;
  }

  constructor(simulation: Simulation, hubs: () => Promise<Hub>[], access: Access, plain: Hub) {
    this.simulation = simulation;
    this.hubs = hubs;
    this.access = access;
    this.plain = plain;
  }
  hub(): Promise<Hub> {
    return this.simulation.pick(this.hubs());
  }
  value(): string {
    return `v${++this.#values}`;
  }

  /** Somebody at headquarters, by other ways than a sync: what they do is done at once. */
  async edit(): Promise<void> {
    const { host } = this.plain;
    const [store, dice] = [host.store(Resource), this.simulation];
    const all = await store.find(MESH, {}, { limit: 20 });
    const stock = await host.store(Consumable).find(MESH, {}, { limit: 20 });
    if (stock.length && dice.chance(25)) {
      const one = dice.pick(stock) as any;
      await host.store(Consumable).revise(MESH, one, { level: one.level + 7 });
      this.levels.set(one.id, (this.levels.get(one.id) ?? 0) + 7);
      return;
    }
    if (all.length < 2 || dice.chance(10)) {
      const compartments = dice.chance(40) ? [RED] : [];
      const place = { problemSetId: SET, compartments };
      const [name, description] = [this.value(), this.value()];
      const { id } = (await act(host, "resources.create", { ...place, name, description }, MESH.meta)) as any;
      this.edits.push(
        { value: name, key: `${id} name`, saw: [] },
        { value: description, key: `${id} description`, saw: [] },
      );
      if (stock.length < 2) {
        const made = (await act(
          host,
          "resources.consumables.create",
          { ...place, name: "x", unit: "l", level: 1_000 },
          MESH.meta,
        )) as any;
        this.levels.set(made.id, 1_000);
      }
      return;
    }
    const one = dice.pick(all) as any;
    if (dice.chance(8)) {
      this.#facts.push({ id: one.id, since: new Date().toISOString() });
      await store.remove(MESH, one);
      this.removed.set(one.id, "hub");
      for (const field of ["name", "description"])
        this.edits.push({ value: `gone ${one.id} ${field}`, key: `${one.id} ${field}`, saw: [one[field]] });
      return;
    }
    const field = dice.pick(["name", "description"] as const);
    const value = this.value();
    await store.revise(MESH, one, { [field]: value });
    this.edits.push({ value, key: `${one.id} ${field}`, saw: [one[field]] });
  }

  /** Tells of a removal; it is told again where that failed. */
  async hear(): Promise<void> {
    const { id } = this.#facts[0] ?? {};
    if (id === undefined) return;
    const heard = await noteGone((await this.hub()).host, "resource", id).then(
      () => true,
      (error: unknown) => void ofNetwork(error),
    );
    if (heard && !this.simulation.chance(20))
      this.#facts.splice(0, Infinity, ...this.#facts.filter((one) => one.id !== id));
  }
  get isQuiet(): boolean {
    return !this.#facts.length;
  }

  /** What is wrong at the end, where all that is there is known to everybody; nothing, if nothing is. */
  async faults(nodes: readonly Player[]): Promise<string[]> {
    const { host } = this.plain;
    const records = (await host.store(SyncRecord).find(MESH, {}, { limit: 1_000 })) as SyncRecord[];
    const wrong: string[] = [...this.leaks];
    const shown = new Map<string, any>();
    for (const entity of [Resource, Consumable])
      for (const one of await host.store(entity).find(MESH, {}, { limit: 1_000 })) shown.set(one.id, one);
    for (const { recordId: id, state: known } of records) {
      const state = known as RecordState;
      const there = shown.get(id);
      if (isDeleted(state) !== !there) wrong.push(`diverged: ${id} is ${there ? "there" : "gone"}`);
      const { name, description = null, level } = shownOf(state) as any;
      if (there && (there.name !== name || (there.description ?? description) !== description))
        wrong.push(`diverged: ${id} shows ${there.name} for ${name}`);
      if (there && level !== undefined && there.level !== level)
        wrong.push(`diverged: level of ${id} is ${there.level}, not ${level}`);
      for (const node of nodes) {
        const mine = node.held.get(id);
        const isTheirs = node.sees(known === undefined ? [] : records.find((one) => one.recordId === id)!.compartments);
        if (isTheirs && !mine && !isDeleted(state)) wrong.push(`diverged: ${node.id} lacks ${id}`);
        if (isTheirs && mine && !isDeleted(state) && !isDeepStrictEqual(mine.state, state))
          wrong.push(`diverged: ${node.id} holds another ${id}`);
        if (!isTheirs && mine) wrong.push(`leaked: ${node.id} keeps ${id}`);
        if (mine && isDeleted(state) && !isDeleted(mine.state)) wrong.push(`revived: ${id} at ${node.id}`);
      }
    }
    for (const [id, by] of this.removed) if (shown.has(id)) wrong.push(`revived: ${id}, deleted by ${by}`);
    for (const [id, level] of this.levels)
      if (shown.has(id) && shown.get(id).level !== level)
        wrong.push(`lost: level of ${id} is ${shown.get(id).level}, not ${level}`);
    const left = new Set<unknown>();
    for (const { state } of records)
      for (const heads of Object.values((state as RecordState).fields)) for (const { value } of heads) left.add(value);
    const decidedOn = new Set(this.edits.flatMap(({ saw }) => saw));
    for (const { value, key } of this.edits)
      if (!value.startsWith("gone") && !left.has(value) && !decidedOn.has(value))
        wrong.push(`lost: ${value} of ${key}`);
    return wrong;
  }
}

/** An edge node and its person, as far as the protocol goes. */
export class Player {
  readonly id: string;
  readonly #world: World;
  readonly #userId: string;
  readonly held = new Map<string, { entity: "resource" | "consumable"; place: number; state: RecordState }>();
  #unsent: Change[] = [];
  #pending = new Map<number, () => void>();
  #batch: { id: string; changes: Change[] } | undefined;
  #seq = 0;
  #batches = 0;
  #cursor: string | undefined;
  #hlc: string | undefined;
  readonly skew: number;

  constructor(world: World, id: string, userId: string) {
    this.#world = world;
    this.id = id;
    this.#userId = userId;
    this.skew = world.simulation.below(7_200_000) - 3_600_000;
  }

  sees(compartments: readonly string[]): boolean {
    const { access } = this.#world;
    return access.member.get(this.#userId)! && compartments.every((id) => access.held.get(this.#userId)!.has(id));
  }

  #caller(): Caller {
    return { meta: { actor: { ...this.#world.access.standing(this.#userId), via: "jwt" } }, locals: {} };
  }

  #shown(id: string): RecordState | undefined {
    const { entity, state } = this.held.get(id)!;
    return withUnsent(
      state,
      kindsOf(entity),
      this.id,
      this.#unsent.filter((one) => one.id === id),
    );
  }

  /** The person edits what they see, without a line to anybody. */
  edit(): void {
    const dice = this.#world.simulation;
    const ids = [...this.held.keys()].filter((id) => !isDeleted(this.#shown(id)!));
    this.#hlc = tick(this.#hlc, Date.now() + this.skew);
    if (!ids.length || dice.chance(12)) return this.#make();
    const id = dice.pick(ids);
    const { entity } = this.held.get(id)!;
    const state = this.#shown(id)!;
    if (entity === "consumable") {
      const value = dice.below(9) - 4;
      return this.#say({ entity, id, op: "delta", field: "level", value }, () =>
        this.#world.levels.set(id, this.#world.levels.get(id)! + value),
      );
    }
    if (dice.chance(8)) {
      const saw = Object.values(state.fields).flatMap((heads) => heads.map(({ value }) => value));
      return this.#say({ entity, id, op: "delete", bases: dotsOf(state) }, () => {
        this.#world.removed.set(id, this.id);
        this.#world.edits.push({ value: `gone ${id}`, key: id, saw });
      });
    }
    const field = dice.pick(["name", "description"] as const);
    const value = this.#world.value();
    const saw = (state.fields[field] ?? []).map((head) => head.value);
    this.#say({ entity, id, op: "set", field, value, bases: basesOf(state, field) }, () =>
      this.#world.edits.push({ value, key: `${id} ${field}`, saw }),
    );
  }

  #make(): void {
    const value = this.#world.value();
    const id = `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
    const compartments = this.#world.simulation.chance(30) ? [RED] : [];
    const change = {
      entity: "resource",
      id,
      op: "set" as const,
      value: { problemSetId: SET, compartments, name: value },
    };
    this.#say(change, () => this.#world.edits.push({ value, key: `${id} name`, saw: [] }));
  }

  #say(change: Omit<Change, "seq" | "hlc">, accepted: () => void): void {
    const seq = ++this.#seq;
    this.#unsent.push({ ...change, seq, hlc: this.#hlc! });
    this.#pending.set(seq, accepted);
  }

  /** Sends what is unsent, or again what was not answered; at times twice at once, at times in another batch. */
  async push(): Promise<void> {
    const dice = this.#world.simulation;
    if (!this.#unsent.length) return;
    if (!this.#batch || dice.chance(20))
      this.#batch = { id: `b${++this.#batches}`, changes: this.#unsent.slice(0, 1 + dice.below(6)) };
    const { id: batchId, changes } = this.#batch;
    const sent = { node: this.id, batchId, changes: changes as never, signature: "" };
    const once = async () => {
      const hub = await this.#world.hub();
      return takeBatch(hub.host, hub.leases, this.#caller(), sent);
    };
    const all = dice.chance(15) ? [once(), once()] : [once()];
    const answered = await Promise.any(all).catch((error: AggregateError) => error.errors.forEach(ofNetwork));
    await Promise.allSettled(all);
    // The answer may be lost on its way.
    if (!answered || dice.chance(15 * Number(dice.faults.unanswered > 0))) return;
    for (const { seq, status, code } of answered.answers) {
      const accepted = this.#pending.get(seq);
      this.#pending.delete(seq);
      if (status !== "rejected") accepted?.();
      void code;
    }
    const last = changes.at(-1)!.seq;
    const rejected = new Set(answered.answers.filter(({ status }) => status === "rejected").map(({ seq }) => seq));
    // What was taken stays on top of what the hub told before, until it tells of it.
    for (const change of this.#unsent)
      if (change.seq <= last && !rejected.has(change.seq)) {
        const held = this.held.get(change.id);
        if (held) held.state = merge(held.state, kindsOf(held.entity), this.id, change).state;
      }
    this.#unsent = this.#unsent.filter(({ seq }) => seq > last);
    this.#batch = undefined;
  }

  /** Fetches a page; answers whether there is no more. */
  async pull(): Promise<boolean> {
    const hub = await this.#world.hub();
    const limit = 1 + this.#world.simulation.below(5);
    const asked = { node: this.id, cursor: this.#cursor, limit };
    const page = await delta(hub.host, this.#caller(), asked).catch((error: unknown) => ofNetwork(error));
    if (!page) return false;
    const standing = hub.last.get(this.#userId)!;
    for (const { id, compartments } of page.records) {
      const membership = standing.memberships![SET];
      if (!membership || !compartments.every((one) => membership.compartments.includes(one)))
        this.#world.leaks.push(`leaked: ${id} to ${this.id}`);
    }
    if (page.reset) this.held.clear();
    for (const [id, { place }] of this.held) if (page.purge.includes(place)) this.held.delete(id);
    for (const { id, entity, place, state } of page.records)
      this.held.set(id, { entity: entity as "resource", place, state: structuredClone(state) as RecordState });
    for (const { id } of page.tombstones) this.held.delete(id);
    this.#cursor = page.cursor;
    return page.upToDate;
  }

  get isIdle(): boolean {
    return !this.#unsent.length;
  }
}
let made = 0;

function ofNetwork(error: unknown): undefined {
  if (error instanceof Away || error instanceof LeaseLost || isProblem(error)) return undefined;
  throw error;
}

/** One schedule: three nodes of two people, and headquarters, over a hub of three nodes of a mesh. Answers what is wrong. */
export async function story(
  simulation: Simulation,
  documents: Documents,
  open: <T>(make: (node: string) => T) => Map<string, T>,
  fault?: Fault,
): Promise<string[]> {
  simulation.pace = 60;
  const access = new Access();
  let numbers = 0;
  const counter = () => ++numbers;
  const left: Leaving = [];
  const { clock } = simulation;
  const spoilt = broken(documents, fault);
  const plain = await Hub.open(documents, { clock, access, name: "plain", counter, left });
  const hubs = open((name) => Hub.open(simulation.store(spoilt, name), { clock, access, name, counter, left }));
  const world = new World(simulation, () => [...hubs.values()], access, plain);
  const players = NODE_IDS.map((id, at) => new Player(world, id, PEOPLE[at % PEOPLE.length]!));
  for (const [at, id] of NODE_IDS.entries())
    await plain.host.store(EdgeNode).create(MESH, {
      ...{ id, name: id, did: `did:${id}`, userId: PEOPLE[at % PEOPLE.length], mode: "operational" },
      ...{ status: "active", lastSeq: 0, problemSetIds: [SET] },
    });
  await world.edit();
  await world.edit();
  const busy = new Map<Player, Promise<unknown>>();
  const errors: unknown[] = [];
  const begin = (player: Player, work: () => Promise<unknown>): void => {
    if (busy.has(player)) return;
    const done = work()
      .catch((error: unknown) => void errors.push(error))
      .finally(() => busy.delete(player));
    busy.set(player, done);
  };
  await Promise.all(hubs.values());
  for (let round = 0; round < 14; round++) {
    const player = simulation.pick(players);
    const what = simulation.below(10);
    if (what < 3) for (let n = simulation.below(4); n >= 0; n--) player.edit();
    else if (what < 5) begin(player, () => player.push());
    else if (what < 7) begin(player, () => player.pull());
    else if (what < 9) {
      await world.edit();
      if (simulation.chance(50)) void world.hear().catch((error: unknown) => void errors.push(error));
    } else {
      const held = access.held.get(simulation.pick(PEOPLE))!;
      if (held.has(RED)) held.delete(RED);
      else held.add(RED);
    }
    await Promise.all(hubs.values());
    await simulation.run(simulation.below(50));
  }
  await simulation.run();
  simulation.calm();
  // A node that died took the answer with it: its players begin anew.
  busy.clear();
  await Promise.all(hubs.values());
  simulation.wait(30_000);
  for (let round = 0; round < 60; round++) {
    const left = players.filter((player) => !player.isIdle);
    if (!left.length) break;
    for (const player of left) begin(player, () => player.push());
    await simulation.run();
    simulation.wait(20_000);
  }
  for (let round = 0; round < 60 && !world.isQuiet; round++) {
    void world.hear().catch((error: unknown) => void errors.push(error));
    await simulation.run();
  }
  for (const player of players) {
    const state = { isDone: false };
    for (let pages = 0; pages < 60 && !state.isDone; pages++) {
      begin(player, async () => void (state.isDone = await player.pull()));
      await simulation.run();
      simulation.wait(6_000);
    }
  }
  if (errors.length) throw errors[0];
  if (players.some((player) => !player.isIdle)) return ["lost: something was never taken"];
  return world.faults(players);
}
