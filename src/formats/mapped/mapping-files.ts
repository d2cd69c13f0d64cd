import type { SourceTree } from '#io/sources';

/** Names of mapping files; the first that exists is used. */
export const mappingFiles = ['assay.map.yaml', 'assay.map.yml', 'assay.map.json'] as const;

/** Matches the key that every mapping file contains. */
export const mappingKey = /^\s*\{?\s*["']?assay_map["']?\s*:/m;

/** Returns true for a mapping that takes streams from topics: it names topics and no tables. */
const isTopicMapping = (text: string): boolean =>
  /["']?\btopic["']?\s*:/.test(text) && !/["']?\bepisodes["']?\s*:/.test(text);

const maxHeadBytes = 64 * 1024;

/** Returns the mapping file of a folder for its tables; `null` if there is none, or if it declares a rate or topics only. */
export async function findMappingFile(tree: SourceTree): Promise<string | null> {
  const found = await readMarkedFile(tree);
  return found === null || isTopicMapping(found.text) ? null : found.path;
}

/** Returns the mapping file of a folder that takes streams from topics; `null` if there is none. */
export async function findTopicMappingFile(tree: SourceTree): Promise<string | null> {
  const found = await readMarkedFile(tree);
  return found !== null && isTopicMapping(found.text) ? found.path : null;
}

/** Returns the beginning of the mapping file of a folder, if it is marked as one. */
async function readMarkedFile(
  tree: SourceTree,
): Promise<{ readonly path: string; readonly text: string } | null> {
  const path = mappingFiles.find((name) => tree.has(name));
  if (path === undefined) return null;
  const text = new TextDecoder().decode(await tree.head(path, maxHeadBytes));
  return mappingKey.test(text) ? { path, text } : null;
}
