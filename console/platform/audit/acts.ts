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
  "problem-sets.create": "open a problem set",
  "problem-sets.archive": "archive a problem set",
  "problem-sets.restore": "take a problem set out of the archive",
  "problem-sets.invitations.issue": "invite into a problem set",
  "problem-sets.invitations.acceptByCode": "accept an invitation by its code",
  "problem-sets.members.setRole": "give a member a role",
  "problem-sets.members.remove": "remove a member, or leave",
  "problem-sets.compartments.readIn": "read somebody into a compartment",
  "problem-sets.compartments.readOut": "read somebody out of a compartment",
  "problem-sets.compartments.dissolve": "dissolve a compartment",
  "keys.create": "make an API key",
  "keys.revoke": "revoke an API key",
  "user-mode.set": "switch between training and operations",
};

/**
 * What an act is called, and the part of the platform that it is of, where the act does not say so: `command.units.create`
 * is "create units", "command".
 */
export function actInWords(action: string): { act: string; part: string } {
  const parts = action.split(".");
  const domain = spaced(parts[0]!);
  const noun = parts.length > 2 ? spaced(parts[1]!) : domain;
  const words = WORDS[action];
  return { act: words ?? `${spaced(parts.at(-1)!)} ${noun}`, part: words || noun === domain ? "" : domain };
}
