/** Logarithms of odds for each unit of evidence; written by `bench/judgement/news/regrouping.ts --write`. */
export const PAIR_WEIGHTS = {
  inOne: [
    -5.658, // constant
    -19.55, // fewTerms
    4.255, // heads
    1.263, // noHeadline
    -0.603, // strange
    0.075, // numbers
    -3.873, // fewWords
    -7.824, // otherKind
    -15.922, // sameForm
    -3.385, // nextDay
    -0.625, // names
    5.908, // alone
    -12.872, // aloneFewTerms
    2.466, // leading
    1.035, // ownWords
    3.987, // ownNumber
  ],
  inTwo: [
    -5.901, // constant
    2.84, // anchors
    2.023, // share
    -0.796, // days
    11.602, // terms
    -3.316, // noRareWord
    -6.725, // otherKind
    1.364, // names
    2.896, // leading
    2.609, // ownWords
    2.521, // ownHeaded
    1.4, // ownNumber
  ],
} as const;
