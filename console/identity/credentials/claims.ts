type Held = Readonly<Record<string, unknown>>;

/** What a credential says of its subject; some have the subject in a list of one. */
function subjectOf(credential: Held): Held {
  const given = credential["credentialSubject"];
  return ((Array.isArray(given) ? given[0] : given) ?? {}) as Held;
}

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(", ")
    : value !== null && typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const PROVES: Readonly<Record<string, (of: Held) => string>> = {
  "security-clearance": ({ level }) => `Cleared to ${text(level)}`,
  "role-assignment": ({ role, position }) => `Is ${text(role)}${position ? `, as ${text(position)}` : ""}`,
  "coalition-membership": ({ coalition, participation }) => `Is ${text(participation)} of ${text(coalition)}`,
  "entity-attribute": ({ attribute, value, unit }) =>
    `${text(attribute)}: ${text(value)}${unit ? ` ${text(unit)}` : ""}`,
  "derivative-data": ({ method }) => `Data derived: ${text(method)}`,
  "user-profile": ({ displayName }) => `Is called ${text(displayName)}`,
};

/** What a credential proves, in one line. */
export const proves = (kind: string, credential: Held): string =>
  PROVES[kind]?.(subjectOf(credential)) ?? kind.replaceAll("-", " ");

const inWords = (name: string): string => name.replace(/([A-Z])/g, (sign) => ` ${sign.toLowerCase()}`);

/** Every claim that it makes of its subject, as pairs of name and value. */
export const claimsOf = (credential: Held): [name: string, value: string][] =>
  Object.entries(subjectOf(credential)).map(([name, value]) => [name === "id" ? "about" : inWords(name), text(value)]);

/** What one long line (JWT) carries between its first two dots; nothing where that is no JSON. */
function carried(line: string): Held {
  try {
    const part = (line.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(part), (sign) => sign.codePointAt(0)!);
    return JSON.parse(new TextDecoder().decode(bytes)) as Held;
  } catch {
    return {};
  }
}

/** The claims of a credential as somebody was given it: what is withheld of them is not among them. */
export function claimsIn(given: string | Held): [name: string, value: string][] {
  const credential = typeof given === "string" ? carried(given) : given;
  return claimsOf(credential).filter(([name]) => !name.startsWith("_"));
}

/** A DID that can be told from others by its beginning and its end. */
export const short = (did: string): string => (did.length > 40 ? `${did.slice(0, 22)}…${did.slice(-8)}` : did);
