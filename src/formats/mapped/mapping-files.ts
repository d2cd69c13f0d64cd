/** What a mapping file is called, the first that is there wins. */
export const mappingFiles = ['assay.map.yaml', 'assay.map.yml', 'assay.map.json'] as const;

/** The key that every mapping carries: what such a file is told by, beside its name. */
export const mappingKey = /^\s*\{?\s*["']?assay_map["']?\s*:/m;
