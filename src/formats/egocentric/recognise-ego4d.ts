import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';

const headBytes = 256 * 1024;

/** Optional folders above the files: `v2/` and `annotations/`. */
const pathPrefix = '^(?:v\\d[^/]*/)?(?:annotations/)?';
const narrationFile = new RegExp(`${pathPrefix}(?:all_)?narrations?[^/]*\\.json$`, 'i');
const manifestFile = new RegExp(`${pathPrefix}ego4d\\.json$`, 'i');

/**
 * Returns the paths of narration files, found by name and by `narration_pass_` in their first bytes; empty if there are
 * none.
 */
export async function findNarrationFiles(tree: SourceTree): Promise<string[]> {
  const found: string[] = [];
  for (const { path } of tree.files)
    if (narrationFile.test(path) && (await readHead(tree, path)).includes('"narration_pass_'))
      found.push(path);
  return found;
}

/** Returns the path of ego4d.json, the list of all videos; `null` if it is absent. */
export function findManifest(tree: SourceTree): string | null {
  return tree.files.find(({ path }) => manifestFile.test(path))?.path ?? null;
}

/** Recognises Ego4D by files with narration_pass_1 or narration_pass_2; `null` if there are none. */
export async function recogniseEgo4d(tree: SourceTree): Promise<Recognition | null> {
  const files = await findNarrationFiles(tree);
  if (files.length === 0) return null;
  const evidence = files.map((path) => `${path} contains narration_pass_1 or narration_pass_2 of videos`);
  return { format: 'ego4d', evidence, files: null };
}

async function readHead(tree: SourceTree, path: string): Promise<string> {
  return new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
}
