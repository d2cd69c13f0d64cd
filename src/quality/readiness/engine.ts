/** What judged: written into every receipt. The version is package.json's; a test holds them equal. */
export const engine = { name: 'assay', version: '0.1.0' } as const;
