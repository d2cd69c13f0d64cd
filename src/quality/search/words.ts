/** Letters and digits that stand together, in lower case: no stemming, no stop words, any language. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
