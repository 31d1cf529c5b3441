import { randomBytes } from "node:crypto";
import type { OperatorCommand } from "./commands.ts";
import type { Session } from "./session.ts";
import { harmless } from "./text.ts";

interface Account {
  id: string;
  email?: string;
  role: string;
  active: boolean;
}

/** Throws where no account has this address. */
async function accountOf(session: Session, email: string): Promise<Account> {
  const [found] = (await session.call<{ data: Account[] }>("auth.users.list", { email })).data;
  if (!found) throw new Error(`No account has the address ${harmless(email)}.`);
  return found;
}

/** For people who can no longer sign in, above all the last administrator where no mail server is set. */
export const ACCOUNT_COMMANDS: readonly OperatorCommand[] = [
  {
    command: "password <email>",
    description: "Give an account a new password, shown once; it ends the account's sessions and tokens",
    async confirm(session, { email }) {
      const { role, active } = await accountOf(session, email!);
      const state = active ? "" : ", which is suspended and stays so";
      return `Give the ${role} ${harmless(email!)}${state} a new password, and sign them out everywhere?`;
    },
    async run(session, { email }) {
      const { id } = await accountOf(session, email!);
      const password = randomBytes(15).toString("base64url");
      await session.call("auth.users.update", { id, password });
      return `${password}\nTell it to nobody else. They change it under Account, Signing in.`;
    },
  },
];
