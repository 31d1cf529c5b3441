const COLLECTION = /^[A-Za-z][A-Za-z0-9_.-]{0,79}$/;

export const isCollectionName = (name: string): boolean => COLLECTION.test(name);

/**
 * @throws TypeError unless the name begins with a letter, has only letters, digits and `_.-`, and at most 80 characters
 */
export function assertCollectionName(name: string): void {
  if (!isCollectionName(name)) throw new TypeError(`${JSON.stringify(name)} is no name for a collection.`);
}
