/** What none of these answers claims. */
export const composedOnly: readonly string[] = [
  'counts of what the data is made of; no policy was trained and no result of training is claimed',
];
