/**
 * Reads a Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date measured against `now` (milliseconds since
 * the epoch). Answers milliseconds to wait, 0 where the moment has passed, undefined where the header is missing or
 * unreadable.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  // Fractions are not allowed by the standard, but are sent: rounded up.
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse would read a bare or negative number as a year.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
