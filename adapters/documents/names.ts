const COLLECTION = /^[A-Za-z][A-Za-z0-9_.-]{0,79}$/;

export const isCollectionName = (name: string): boolean => COLLECTION.test(name);

/**
 * @throws TypeError for a name that is not letters, digits and `_.-` beginning with a letter, of at most 80 characters
 */
export function assertCollectionName(name: string): void {
  if (!isCollectionName(name)) throw new TypeError(`${JSON.stringify(name)} is no name for a collection.`);
}
