import { commonsOf } from "../../mixins/domain.mixin.ts";
import { eventually, type TestWorld } from "../mesh.ts";

/** Lets the letters that wait be written now: they go out a second after the answer. */
export function post(at: TestWorld): void {
  at.clock.advance(1_000);
  commonsOf(at.mesh.broker).jobs.poke();
}

/** Everything in the outbox for an address, newest first. */
export const lettersTo = (at: TestWorld, email: string) => at.mesh.world.mail.outbox().filter(({ to }) => to.includes(email));

/** Asks for a link (unless it was asked for already), waits for the letter, and answers the token in it. */
export async function linkIn(at: TestWorld, kind: "magic-link" | "recovery" | "confirm", email: string, { asked = false } = {}): Promise<string> {
  if (!asked) {
    const reply = await at.http("POST", `/api/auth/${kind}`, { as: null, body: { email } });
    if (reply.status !== 202) throw new Error(`no link: ${reply.text}`);
  }
  post(at);
  const find = (): string | undefined => lettersTo(at, email).map(({ text }) => new RegExp(`/link#${kind}=([\\w-]{43})`).exec(text)?.[1]).find(Boolean);
  return (await eventually(find, (token) => token !== undefined))!;
}
