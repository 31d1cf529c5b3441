/** Where people reach the gateway, and what follows from it for cookies and passkeys. */

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** Whether a host name or address is this machine itself. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

/**
 * The gateway's own origin: the one of `PUBLIC_URL`, else of the address it listens on. Never taken from a request: a
 * Host header is the client's word. Browsers know no passkeys for bare addresses, so loopback ones go by the name
 * `localhost`.
 */
export function originOf(settings: { PUBLIC_URL?: string; HOST: string }, port: number): string {
  if (settings.PUBLIC_URL) return new URL(settings.PUBLIC_URL).origin;
  const host = settings.HOST.includes(":") ? `[${settings.HOST}]` : settings.HOST;
  return `http://${LOOPBACK.has(host) ? "localhost" : host}:${port}`;
}

/** The name of the session cookie: `__Host-sid` wherever cookies can be Secure, `sid` on http on loopback alone. */
export function cookieName(origin: string): "__Host-sid" | "sid" {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && LOOPBACK.has(hostname) ? "sid" : "__Host-sid";
}

/**
 * A Set-Cookie value; without a value it takes the cookie away. `maxAge` in seconds. The `__Host-` prefix (RFC 6265bis
 * §4.1.3.2) wants Secure, Path=/ and no Domain.
 */
export function setCookie(origin: string, value: string | null, maxAge = 0): string {
  const name = cookieName(origin);
  return (
    `${name}=${value ?? ""}; Path=/; HttpOnly; SameSite=Lax; ` +
    `Max-Age=${value === null ? 0 : maxAge}${name === "sid" ? "" : "; Secure"}`
  );
}
