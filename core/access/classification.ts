/** Markings of classification, the lowest first. */
export const LEVELS = ["unclassified", "restricted", "confidential", "secret", "top-secret"] as const;
