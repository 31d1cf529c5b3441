import type { Actor } from "../../../core/access/access.ts";
import { mayReceive, receivingScope, type LiveMessage } from "../../../core/contract/live.ts";

/** A subscriber: who they are now, and what they subscribed to. */
export interface Listener {
  actor: Actor;
  readonly sets: ReadonlySet<string>;
  readonly topics: ReadonlySet<string>;
}

/** Subscribers of one channel with the same access: a message is judged once for all of them. */
interface Room<L> {
  actor: Actor;
  members: Set<L>;
}
type Channel<L> = Map<string, Room<L>>;

const ofSet = (id: string): string => `set ${id}`;
const ofTopic = (name: string): string => `topic ${name}`;

/**
 * Subscribers grouped by channel and access: a message is judged once a room, so that thousands of subscribers cost one
 * judgement for each different set of compartments. A subscriber whose access changes is taken out before and put back
 * after.
 */
export class Rooms<L extends Listener> {
  readonly #channels = new Map<string, Channel<L>>();
  readonly #persons = new Map<string, Set<L>>();
  /** Which rooms a listener is in, by channel. */
  readonly #places = new Map<L, Map<string, string>>();

  /** Puts a listener into the rooms of their access. */
  enter(listener: L): void {
    this.#places.set(listener, new Map());
    const { userId } = listener.actor;
    let person = this.#persons.get(userId);
    if (!person) this.#persons.set(userId, (person = new Set()));
    person.add(listener);
    for (const id of listener.sets) this.#put(listener, ofSet(id), receivingScope(listener.actor, id));
    for (const name of listener.topics) this.#put(listener, ofTopic(name), receivingScope(listener.actor));
  }

  leave(listener: L): void {
    const places = this.#places.get(listener);
    if (!places) return;
    this.#places.delete(listener);
    for (const [channel, standing] of places) this.#take(listener, channel, standing);
    const person = this.#persons.get(listener.actor.userId)!;
    person.delete(listener);
    if (!person.size) this.#persons.delete(listener.actor.userId);
  }

  /** The receivers of a message, each once. */
  *receivers(message: LiveMessage): Generator<L> {
    const { userId, problemSetId, topic } = message.to;
    if (userId !== undefined) {
      for (const listener of this.#persons.get(userId) ?? []) if (mayReceive(listener.actor, message)) yield listener;
      return;
    }
    const rooms = this.#channels.get(problemSetId === undefined ? ofTopic(topic!) : ofSet(problemSetId));
    for (const room of rooms?.values() ?? []) if (mayReceive(room.actor, message)) yield* room.members;
  }

  listenersOf(userId: string): readonly L[] {
    return [...(this.#persons.get(userId) ?? [])];
  }
  get size(): number {
    return this.#places.size;
  }

  #put(listener: L, channel: string, standing: string): void {
    let rooms = this.#channels.get(channel);
    if (!rooms) this.#channels.set(channel, (rooms = new Map()));
    let room = rooms.get(standing);
    if (!room) rooms.set(standing, (room = { actor: listener.actor, members: new Set() }));
    room.members.add(listener);
    this.#places.get(listener)!.set(channel, standing);
  }

  #take(listener: L, channel: string, standing: string): void {
    const rooms = this.#channels.get(channel)!;
    const { members } = rooms.get(standing)!;
    members.delete(listener);
    if (members.size) return;
    rooms.delete(standing);
    if (!rooms.size) this.#channels.delete(channel);
  }
}

/** Whether a message could concern a listener whose access is being looked up. */
export const couldConcern = (
  { actor, sets, topics }: Listener,
  { to: { userId, problemSetId, topic } }: LiveMessage,
): boolean =>
  userId !== undefined
    ? actor.userId === userId
    : problemSetId !== undefined
      ? sets.has(problemSetId)
      : topics.has(topic!);
