/** An address, and what is written beside it. */
export interface PastedAccount {
  email: string;
  name?: string;
}

/** What stands between blanks and marks; an address where there is an @ inside. */
const WORD = /[^\s<>,;:"'()[\]]+/g;
const isAddress = ([word]: RegExpExecArray): boolean => /.@./.test(word);
/** Mail programs and spreadsheets part entries by lines and semicolons; quoted ones belong to a name. */
const ENTRY = /(?:"[^"\n]*"|[^;\n"]|")+/g;

/** "Lovelace, Ada" in quotes is Ada Lovelace. */
function turned(name: string): string {
  const inside = name.slice(1, name.endsWith('"') ? -1 : undefined);
  const [family = "", given = "", ...more] = inside.split(",").map((one) => one.trim());
  return name.startsWith('"') && !inside.includes('"') && family && given && !more.length ? `${given} ${family}` : name;
}

/** What else stands around an address is taken away. */
function nameIn(text: string): string | undefined {
  const bare = text
    .replace(/mailto:/gi, "")
    .replace(/[<>()[\]]/g, "")
    .trim();
  const name = turned(bare)
    .replace(/[",\t]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return name || undefined;
}

/** The accounts of one entry: mostly one; several where addresses are parted by commas or blanks. */
function accountsIn(entry: string): PastedAccount[] {
  const found = [...entry.matchAll(WORD)].filter(isAddress);
  let end = 0;
  return found.map((match) => {
    const before = nameIn(entry.slice(end, match.index));
    end = match.index + match[0].length;
    // A table may have the name after the address.
    const name = before ?? (found.length === 1 ? nameIn(entry.slice(end)) : undefined);
    return { email: match[0], ...(name && { name }) };
  });
}

/** What was pasted, as accounts, each address once; and the lines in which there is none. */
export function readPasted(text: string): { accounts: PastedAccount[]; left: string[] } {
  const accounts = new Map<string, PastedAccount>();
  const left: string[] = [];
  for (const [entry] of text.matchAll(ENTRY)) {
    const found = accountsIn(entry);
    if (!found.length && entry.trim()) left.push(entry.trim());
    for (const one of found) {
      const key = one.email.toLowerCase();
      if (!accounts.has(key)) accounts.set(key, one);
    }
  }
  return { accounts: [...accounts.values()], left };
}
