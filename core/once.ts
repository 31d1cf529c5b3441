/** Reads something in an object once, and remembers it for as long as the object lives. */
export function once<K extends object, T>(read: (from: K) => T): (from: K) => T {
  const known = new WeakMap<K, { read: T }>();
  return (from) => {
    let found = known.get(from);
    if (!found) known.set(from, (found = { read: read(from) }));
    return found.read;
  };
}
