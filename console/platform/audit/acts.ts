const spaced = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();

/** The name of an act as it reads: `auth.users.create` is "create users (auth)". */
export function actInWords(action: string): string {
  const parts = action.split(".");
  const verb = spaced(parts.at(-1)!);
  if (parts.length < 2) return verb;
  const [domain, noun] = [spaced(parts[0]!), parts.length > 2 ? spaced(parts[1]!) : undefined];
  return noun ? `${verb} ${noun} (${domain})` : `${verb} (${domain})`;
}
