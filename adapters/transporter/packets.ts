/** What requests and answers carry between nodes (Moleculer's protocol 5). */
export interface Payload {
  id?: string;
  action?: string;
  params?: unknown;
  meta?: Record<string, unknown>;
  headers?: object;
  timeout?: number;
  level?: number;
  tracing?: unknown;
  parentID?: string | null;
  requestID?: string | null;
  caller?: string | null;
  stream?: boolean;
  seq?: number;
  success?: boolean;
  data?: unknown;
  error?: unknown;
}

/**
 * The meta of requests under way, as received: an answer carries only the fields that the action changed, since the
 * caller has the rest.
 */
export class Metas {
  readonly #came = new Map<string, Readonly<Record<string, unknown>>>();

  came({ id, meta }: Payload): void {
    if (id !== undefined && meta) this.#came.set(id, { ...meta });
  }

  /** Once for each request. */
  changed(id: string | undefined, meta: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
    const came = id === undefined ? undefined : this.#came.get(id);
    if (!came || !meta) return meta;
    this.#came.delete(id!);
    let news: Record<string, unknown> | undefined;
    for (const name in meta) if (meta[name] !== came[name]) (news ??= {})[name] = meta[name];
    return news;
  }
}

function packedMeta(meta: Record<string, unknown>, packing: Packing): Record<string, unknown> {
  const actor = packing.pack(meta["actor"]);
  return actor === meta["actor"] ? meta : { ...meta, actor };
}

const isEmpty = (object: object): boolean => {
  for (const _ in object) return false;
  return true;
};

/** Replaces the caller, or an answer about somebody's rights, by something shorter. */
export interface Packing {
  pack<T>(carrier: T): unknown;
}

/**
 * A request or an answer without the fields whose absence means the same: each costs both ends its name and its value.
 */
export function lean(
  type: string,
  payload: Payload,
  metas: Metas,
  sender: string,
  ver: string,
  packing?: Packing,
): object {
  const { id, headers, stream, seq } = payload;
  const packet: Payload & { ver: string; sender: string } = { ver, sender, id };
  if (type === "REQ") {
    const { action, params, meta, timeout, level, tracing, parentID, requestID, caller } = payload;
    packet.action = action;
    packet.params = params;
    packet.meta = meta && packing ? packedMeta(meta, packing) : meta;
    packet.level = level;
    if (timeout != null) packet.timeout = timeout;
    if (tracing != null) packet.tracing = tracing;
    if (parentID != null) packet.parentID = parentID;
    if (requestID != null) packet.requestID = requestID;
    if (caller != null) packet.caller = caller;
  } else {
    const { success, data, meta, error } = payload;
    packet.success = success;
    packet.data = packing ? packing.pack(data) : data;
    const news = metas.changed(id, meta);
    if (news) packet.meta = news;
    if (error !== undefined) packet.error = error;
  }
  if (headers && !isEmpty(headers)) packet.headers = headers;
  if (stream || seq !== undefined) {
    packet.stream = stream;
    packet.seq = seq;
  }
  return packet;
}
