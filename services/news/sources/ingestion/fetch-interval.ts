/** When a source is fetched next. */
export const DAY_MS = 86_400_000;
/**
 * After so many failures in a row a source is tried once a day only, until somebody refreshes it or it answers again.
 */
export const GIVE_UP_AFTER = 10;
/** Sources that came in together drift apart by up to this part of their wait. */
export const SPREAD = 0.1;

export interface FetchHistory {
  /** The operator's setting, milliseconds. */
  intervalMs: number;
  /** In a row, the present one included; 0 after a success. */
  failures: number;
  /** The feed's address leads nowhere (404, 410). */
  gone?: boolean;
  /** The feed's own `ttl`, milliseconds. */
  ttlMs?: number;
  /** What the server asked for in words of HTTP: Retry-After, and how long its answer stays fresh. Milliseconds. */
  retryAfterMs?: number;
  freshMs?: number;
}

const backOff = ({ intervalMs, failures, gone }: FetchHistory): number =>
  gone || failures >= GIVE_UP_AFTER ? DAY_MS : intervalMs * 2 ** (failures - 1);

/**
 * Milliseconds until the next fetch: the longest of the interval and of what publisher and server ask for; after
 * failures the interval doubled for each one after the first. Never more than a day (a misconfigured feed must not
 * vanish for a year), or the interval where the operator set a longer one. `spread` in 0..1 is chance.
 */
export function waitMs(pace: FetchHistory, spread: number): number {
  const { intervalMs, failures, ttlMs = 0, retryAfterMs = 0, freshMs = 0 } = pace;
  const most = Math.max(DAY_MS, intervalMs);
  const asked = failures > 0 ? Math.max(backOff(pace), retryAfterMs) : Math.max(ttlMs, retryAfterMs, freshMs);
  const wait = Math.min(Math.max(intervalMs, asked), most);
  return Math.round(Math.min(wait * (1 + SPREAD * spread), most));
}

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : undefined;

/**
 * How long an answer stays fresh (RFC 9111, 4.2.1), milliseconds: max-age less Age, else Expires less Date; undefined
 * where the server says nothing that can be read. `now` is milliseconds since the epoch.
 */
export function freshMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const directives = headers["cache-control"] ?? "";
  if (/(^|[\s,])no-(cache|store)\b/i.test(directives)) return 0;
  const age = seconds(/(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(directives)?.[1]);
  if (age !== undefined) return Math.max(0, age - (seconds(headers["age"]?.trim()) ?? 0));
  const expires = Date.parse(headers["expires"] ?? "");
  if (Number.isNaN(expires)) return undefined;
  const sent = Date.parse(headers["date"] ?? "");
  return Math.max(0, expires - (Number.isNaN(sent) ? now : sent));
}
