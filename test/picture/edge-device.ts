import { randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { multibaseOf } from "../../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, sign } from "../../core/did/signatures.ts";
import { hlcAt } from "../../core/sync/hlc.ts";
import type { Change, RecordState } from "../../core/sync/merge.ts";
import type { Reply, TestWorld } from "../mesh.ts";
import { as, type Person } from "../workspace/people.ts";

type Said = Omit<Change, "seq" | "hlc"> & { hlc?: string };
interface Told {
  reset: boolean;
  records: {
    entity: string;
    id: string;
    place: number;
    problemSetId?: string;
    compartments: string[];
    state: RecordState;
  }[];
  tombstones: { entity: string; id: string; place: number }[];
  purge: number[];
  cursor: string;
  upToDate: boolean;
}

/** An edge node as a test plays it: a key, numbers, and what it was told. */
export class Device {
  readonly #at: TestWorld;
  readonly who: Person;
  readonly #key = newSigningKey("Ed25519");
  readonly did = `did:key:${multibaseOf(publicKeyOf(this.#key))}`;
  id = "";
  seq = 0;
  batches = 0;
  cursor: string | undefined;
  readonly held = new Map<string, Told["records"][number]>();

  constructor(at: TestWorld, who: Person) {
    this.#at = at;
    this.who = who;
  }

  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply> {
    return as(this.#at, this.who)(method, path, body, headers);
  }

  /** Binds the device's DID to the account. */
  async bind(): Promise<void> {
    const asked = { purpose: "register", subject: this.did };
    const { challenge, message } = (await this.call("POST", "/api/identity/challenges", asked)).body.data;
    const signature = Buffer.from(sign(this.#key, Buffer.from(message))).toString("base64url");
    const body = { did: this.did, entityType: "device", challenge, signature };
    const reply = await this.call("POST", "/api/identity/register", body);
    if (reply.status !== 201) throw new Error(reply.text);
  }

  async enrol(fields: object = {}): Promise<this> {
    await this.bind();
    const reply = await this.call("POST", "/api/edge-sync/nodes", { name: "Tablet", did: this.did, ...fields });
    if (reply.status !== 201) throw new Error(reply.text);
    this.id = reply.body.data.id;
    return this;
  }

  numbered(said: readonly Said[]): Change[] {
    return said.map((one) => ({ hlc: hlcAt(this.#at.clock.now()), ...one, seq: ++this.seq }));
  }

  signed(changes: readonly Change[], batchId = `batch ${++this.batches}`): object {
    const body = { node: this.id, batchId, changes };
    const signature = Buffer.from(sign(this.#key, Buffer.from(canonicalize(body)!))).toString("base64url");
    return { ...body, signature };
  }

  send(body: object): Promise<Reply> {
    return this.call("POST", "/api/edge-sync/sync", body);
  }

  /** Sends changes; answers what was said to each. */
  async push(...said: Said[]): Promise<{ seq: number; status: string; code?: string }[]> {
    const reply = await this.send(this.signed(this.numbered(said)));
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.data.answers;
  }

  ask(query = ""): Promise<Reply> {
    const cursor = this.cursor === undefined ? "" : `&cursor=${encodeURIComponent(this.cursor)}`;
    return this.call("GET", `/api/edge-sync/sync/delta?node=${this.id}${cursor}${query}`);
  }

  /** Fetches until it is up to date, and keeps what it was told; answers the pages. */
  async pull(query = ""): Promise<Told[]> {
    const pages: Told[] = [];
    for (;;) {
      const reply = await this.ask(query);
      if (reply.status !== 200) throw new Error(reply.text);
      const page = reply.body.data as Told;
      pages.push(page);
      if (page.reset) this.held.clear();
      for (const [key, { place }] of this.held) if (page.purge.includes(place)) this.held.delete(key);
      for (const record of page.records) this.held.set(record.id, record);
      for (const { id } of page.tombstones) this.held.delete(id);
      this.cursor = page.cursor;
      if (page.upToDate) return pages;
    }
  }

  state(id: string): RecordState {
    return this.held.get(id)!.state;
  }
}

export const uuid = (): string => randomUUID();
