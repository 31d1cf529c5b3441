import { eventually, type TestWorld } from "../mesh.ts";
import type { Browser } from "./browser.ts";

/** Lets the letters that wait be written now: they go out a second after the answer. */
export function post(at: TestWorld): void {
  at.clock.advance(1_000);
  at.poke();
}

/** Everything in the outbox for an address, newest first. */
export const lettersTo = (at: TestWorld, email: string) => at.letters().filter(({ to }) => to.includes(email));

type Kind = "magic-link" | "recovery" | "confirm" | "welcome";

const tokensTo = (at: TestWorld, kind: Kind, email: string): string[] =>
  lettersTo(at, email).flatMap(({ text }) => new RegExp(`/link#${kind}=([\\w-]{43})`).exec(text)?.[1] ?? []);

/**
 * Asks for a link (unless it was asked for already), waits for a letter with another token than those known, and
 * answers the token.
 */
export async function linkIn(
  at: TestWorld,
  kind: Kind,
  email: string,
  { asked = false, known = [] as string[] } = {},
): Promise<string> {
  const before = asked ? known : tokensTo(at, kind, email);
  if (!asked) {
    const reply = await at.http("POST", `/api/auth/${kind}`, { as: null, body: { email } });
    if (reply.status !== 202) throw new Error(`no link: ${reply.text}`);
  }
  post(at);
  return (await eventually(
    () => tokensTo(at, kind, email).find((token) => !before.includes(token)),
    (token) => token !== undefined,
  ))!;
}

/** Confirms the address that a browser's account was registered with, by the letter that was sent there. */
export async function confirm(browser: Browser, email: string): Promise<void> {
  const reply = await browser.http("POST", "/api/auth/email/confirm", {
    body: { token: await linkIn(browser.at, "confirm", email, { asked: true }) },
  });
  if (reply.status !== 200) throw new Error(`not confirmed: ${reply.text}`);
}
