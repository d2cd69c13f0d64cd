import type { SourceTree } from '#io/sources';
import type { Recognition } from '../../shared/reader.ts';

const headBytes = 256 * 1024;

/** Below the folder, `v2/` and `annotations/` may come between. */
const between = '^(?:v\\d[^/]*/)?(?:annotations/)?';
const narrationFile = new RegExp(`${between}(?:all_)?narrations?[^/]*\\.json$`, 'i');
const manifestFile = new RegExp(`${between}ego4d\\.json$`, 'i');

/** Files that hold narrations by video, by their first bytes. */
export async function narrationFiles(tree: SourceTree): Promise<string[]> {
  const found: string[] = [];
  for (const { path } of tree.files)
    if (narrationFile.test(path) && (await headOf(tree, path)).includes('"narration_pass_')) found.push(path);
  return found;
}

/** The list of all videos; null where it is not there. */
export function manifestOf(tree: SourceTree): string | null {
  return tree.files.find(({ path }) => manifestFile.test(path))?.path ?? null;
}

/** A folder is Ego4D's when a file of narrations has narration_pass_1 or 2 of a video. */
export async function recogniseEgo4d(tree: SourceTree): Promise<Recognition | null> {
  const files = await narrationFiles(tree);
  if (files.length === 0) return null;
  const evidence = files.map((path) => `${path} holds narration_pass_1 or narration_pass_2 of videos`);
  return { format: 'ego4d', evidence, files: null };
}

async function headOf(tree: SourceTree, path: string): Promise<string> {
  return new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
}
