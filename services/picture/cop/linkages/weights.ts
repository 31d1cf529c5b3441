/**
 * What each kind of evidence adds, in natural log-odds. Tuned on bench/judgement/linkages; the sum of all parts is
 * turned into a probability by the logistic function.
 */
export const WEIGHTS = {
  /** The share of pairs that are the same, among those near enough to be compared. */
  prior: -3.5,
  /** The same DID or uid. */
  sameIdentity: 9,
  /** Both say one, and not the same. */
  otherIdentity: -7,
  /** The feature says the record's registration or serial number: enough against another name, far off. */
  mark: 9.5,
  /** The name, by how much of it is alike: 1, at least 0.85, at least 0.6, less. */
  name: [
    { least: 1, logOdds: 4.5 },
    { least: 0.85, logOdds: 2.5 },
    { least: 0.6, logOdds: 0.5 },
    { least: 0, logOdds: -2.5 },
  ],
  /** The distance, in multiples of what both places are accurate to. */
  distance: [
    { most: 1, logOdds: 2.5 },
    { most: 3, logOdds: 1 },
    { most: 20, logOdds: -0.5 },
    { most: Infinity, logOdds: -3 },
  ],
  /** Minutes between the two reports. */
  time: [
    { most: 10, logOdds: 0.5 },
    { most: 120, logOdds: 0 },
    { most: Infinity, logOdds: -0.5 },
  ],
} as const;

/** From here on a pair is put before a person. */
export const LEAST_PROBABILITY = 0.5;
