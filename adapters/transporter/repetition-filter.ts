import { Metas } from "./packets.ts";
import { Seen } from "./dedup.ts";

/** Keys are kept for at least this long, twice it at most; a packet is offered again for five seconds only. */
const KEEP_MS = 30_000;

interface Packet {
  payload:
    | { id?: string; sender: string; seq?: number; groups?: readonly string[]; meta?: Record<string, unknown> }
    | undefined;
}
type MessageHandler = (cmd: string, packet: Packet) => Promise<unknown>;

/**
 * What comes in from other nodes, each packet once: requests and events are known by their sender and the id of their
 * call, so that one which was sent again after a cut, or came by two connections, is handled once. So are the pieces of
 * a streamed answer, which Moleculer would write a second time. Also knows how many requests are in hand.
 */
export class Incoming {
  /** Requests, whose ids are numbered. */
  readonly #requests = new Seen();
  /** Keys of this half minute and of the one before, of everything else. */
  #seen = new Set<string>();
  #seenBefore = new Set<string>();
  #turnAt = performance.now() + KEEP_MS;
  #inHand = 0;
  readonly metas = new Metas();
  /** Packets that were not handled because they had been. */
  repeated = 0;

  /** For Moleculer: wraps what handles packets. */
  readonly middleware = {
    name: "Incoming",
    transitMessageHandler:
      (next: MessageHandler): MessageHandler =>
      (cmd, packet) => {
        // Among answers, only pieces of a stream: nobody waits any more for a repeated whole answer.
        if (
          !packet.payload ||
          (cmd !== "REQ" && cmd !== "EVENT" && (cmd !== "RES" || packet.payload.seq === undefined))
        )
          return next(cmd, packet);
        if (!this.#isNew(cmd, packet.payload)) {
          this.repeated++;
          return Promise.resolve(false);
        }
        if (cmd !== "REQ") return next(cmd, packet);
        this.#inHand++;
        this.metas.came(packet.payload);
        return next(cmd, packet).finally(() => {
          this.#inHand--;
        });
      },
  };

  #isNew(cmd: string, { id, sender, seq, groups }: NonNullable<Packet["payload"]>): boolean {
    if (id === undefined) return true;
    const now = performance.now();
    if (now > this.#turnAt) {
      this.#seenBefore = this.#seen;
      this.#seen = new Set();
      this.#turnAt = now + KEEP_MS;
      this.#requests.turn();
    }
    if (cmd === "REQ" && seq === undefined) {
      const isNew = this.#requests.isNew(sender, id);
      if (isNew !== undefined) return isNew;
    }
    const key = `${cmd} ${sender} ${id} ${seq ?? ""} ${groups ?? ""}`;
    if (this.#seen.has(key) || this.#seenBefore.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /**
   * Resolves when requests of other nodes have been answered, after `leastMs` at the earliest and `mostMs` at the
   * latest.
   */
  async idle(leastMs: number, mostMs: number): Promise<void> {
    const start = performance.now();
    const goesOn = (): boolean => {
      const passed = performance.now() - start;
      return passed < leastMs || (this.#inHand > 0 && passed < mostMs);
    };
    while (goesOn())
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
  }
}
