import {
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
} from "mongodb";
import { WRITES, type Collection } from "../../../core/records/documents.ts";
import { storeAway } from "../../../core/problem.ts";

const CLASSES = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoOperationTimeoutError];
/** Socket errors, which the driver passes on unchanged when a write breaks. */
const SOCKET = new Set(["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);
/** Names of errors that the driver does not export, all about a pool whose server is gone. */
const POOL = /^Mongo(PoolCleared|PoolClosed|WaitQueueTimeout|TopologyClosed|PoolClearedOnNetwork)/;
/**
 * The server steps down, or shuts down: https://github.com/mongodb/specifications, "Server Discovery and Monitoring",
 * not writable primary.
 */
const LEAVING = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** Whether an error means that the server cannot be reached now, rather than that it refuses the request. */
export function isAway(error: unknown): boolean {
  if (CLASSES.some((one) => error instanceof one)) return true;
  const {
    name = "",
    code,
    cause,
    errorResponse,
  } = (error ?? {}) as { name?: string; code?: unknown; cause?: unknown; errorResponse?: unknown };
  // A bulk write's own error has the cause in its `errorResponse`.
  for (const inner of [cause, errorResponse])
    if (inner instanceof Error && inner !== error && isAway(inner)) return true;
  return POOL.test(name) || SOCKET.has(code as string) || (error instanceof MongoError && LEAVING.has(code as number));
}

/** Runs a call; throws 503 with `Retry-After` where the server is away. */
export async function orAway<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw isAway(error) ? storeAway(error) : error;
  }
}

const METHODS = ["find", "findOne", "findById", "findByIds", "count", "groups", ...WRITES] as const;

/** The same collection with calls that end in 503 with `Retry-After` while the server is away. */
export function sayingWhenAway<C extends Collection>(collection: C): C {
  const own = collection as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const method of METHODS) {
    const run = own[method]!.bind(collection);
    own[method] = (...given) => orAway(() => run(...given));
  }
  return collection;
}
