/** Logarithms of odds for each unit of evidence; written by `bench/judgement/news/regrouping.ts --write`. */
export const PAIR_WEIGHTS = {
  inOne: [
    -5.659, // constant
    -20.649, // fewTerms
    4.272, // heads
    1.233, // noHeadline
    -0.687, // strange
    0.749, // numbers
    -4.698, // fewWords
    -7.231, // otherKind
    -16.363, // sameForm
    -3.387, // nextDay
    -0.412, // names
    6.143, // alone
    -13.862, // aloneFewTerms
    2.207, // leading
    1.11, // ownWords
    3.587, // ownNumber
  ],
  inTwo: [
    -6.136, // constant
    2.999, // anchors
    2.042, // share
    -0.83, // days
    13.432, // terms
    -3.507, // noRareWord
    -6.499, // otherKind
    1.429, // names
    2.997, // leading
    2.714, // ownWords
    2.335, // ownHeaded
    1.413, // ownNumber
  ],
} as const;
