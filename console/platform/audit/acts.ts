const spaced = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();

/** Those that are in every log, as people say them. */
const WORDS: Readonly<Record<string, string>> = {
  "auth.logins.begin": "sign in, or begin to",
  "auth.logins.verify": "sign in by passkey",
  "auth.logOut": "sign out",
  "auth.registrations.begin": "begin a passkey",
  "auth.registrations.verify": "add a passkey",
  "auth.stepUps.begin": "begin a proof of who it is",
  "auth.stepUps.verify": "prove who it is",
  "auth.users.create": "make an account",
  "auth.users.update": "change an account",
  "auth.magicLinks.verify": "sign in by a mailed link",
  "auth.passwords.change": "change their password",
  "auth.sessions.end": "end a session",
  "auth.sessions.endOthers": "end their other sessions",
  "keys.create": "make an API key",
  "keys.revoke": "revoke an API key",
  "user-mode.set": "switch between training and operations",
};

/** What an act is called, and the part of the platform that it is of: `command.units.create` is "create units", "command". */
export function actInWords(action: string): { act: string; part: string } {
  const parts = action.split(".");
  const part = spaced(parts[0]!);
  const noun = parts.length > 2 ? spaced(parts[1]!) : part;
  return { act: WORDS[action] ?? `${spaced(parts.at(-1)!)} ${noun}`, part };
}
