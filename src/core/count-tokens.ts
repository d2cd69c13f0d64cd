const bytesPerToken = 3;

/**
 * Estimates how many tokens a model counts for a text: one per three bytes of UTF-8, rounded up. Common vocabularies need
 * fewer for English (about four bytes a token) and about as many for Chinese.
 */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);
