import type { FileEntry, SourceTree } from '#io/sources';
import { patternOf } from '../../shared/file-names.ts';
import type { Candidate } from './evidence.ts';
import { isText } from './file-roles.ts';
import { readTextFacts, type TextFacts } from './text-facts.ts';

/** Maximum number of texts that are read: with the same name pattern, and in all. */
const maxAlike = 40;
const maxTexts = 1000;
/** Maximum bytes that are read of a text, of a remote text (one request), and of all texts. */
const maxText_bytes = 8 * 1024 * 1024;
const maxRemoteText_bytes = 256 * 1024;
const maxAll_bytes = 256 * 1024 * 1024;
const batchSize = 16;

/**
 * Returns one candidate per unread file, with the facts of texts that were read; texts beyond the limits have `is_read`
 * false, and empty and unreadable files are left out. Limits: 40 texts with the same name pattern, 1000 and 256 MB in
 * all.
 */
export async function readTexts(tree: SourceTree, unread: readonly FileEntry[]): Promise<Candidate[]> {
  const files = unread.filter(({ bytes, closed }) => bytes > 0 && closed !== true);
  const alike = new Map<string, number>();
  for (const { path } of files) alike.set(patternOf(path), (alike.get(patternOf(path)) ?? 0) + 1);
  const max_bytes = tree.store === null ? maxText_bytes : maxRemoteText_bytes;
  const chosen = chooseTexts(files, max_bytes);
  const read = new Map<string, TextFacts | null>();
  for (let from = 0; from < chosen.length; from += batchSize) {
    const batch = chosen.slice(from, from + batchSize);
    const facts = await Promise.all(batch.map((file) => readTextFacts(tree, file, max_bytes)));
    for (const [i, { path }] of batch.entries()) read.set(path, facts[i]);
  }
  return files.flatMap((file) => {
    const facts = read.get(file.path);
    if (facts === null) return [];
    const is_read = facts !== undefined || !isText(file.path);
    return [{ file, facts: facts ?? null, is_read, alike: alike.get(patternOf(file.path)) ?? 1 }];
  });
}

function chooseTexts(files: readonly FileEntry[], max_bytes: number): FileEntry[] {
  const alike = new Map<string, number>();
  const chosen: FileEntry[] = [];
  let left_bytes = maxAll_bytes;
  for (const file of files) {
    if (!isText(file.path)) continue;
    const pattern = patternOf(file.path);
    const count = alike.get(pattern) ?? 0;
    const bytes = Math.min(file.bytes, max_bytes);
    if (count >= maxAlike || bytes > left_bytes) continue;
    alike.set(pattern, count + 1);
    left_bytes -= bytes;
    chosen.push(file);
    if (chosen.length === maxTexts) break;
  }
  return chosen;
}
