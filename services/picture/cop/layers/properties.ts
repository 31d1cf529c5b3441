/**
 * What a property of a feature says, in words. Its author put there what they liked: an object whose `toString` is a
 * number cannot be made a text otherwise.
 */
export const saidBy = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
