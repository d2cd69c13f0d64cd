/** First evidence of a kind that `--kind` set. */
export const kindSetByHand = 'set by hand';
