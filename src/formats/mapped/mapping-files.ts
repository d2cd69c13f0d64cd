/** Names of mapping files; the first that exists is used. */
export const mappingFiles = ['assay.map.yaml', 'assay.map.yml', 'assay.map.json'] as const;

/** Matches the key that every mapping file contains. */
export const mappingKey = /^\s*\{?\s*["']?assay_map["']?\s*:/m;
