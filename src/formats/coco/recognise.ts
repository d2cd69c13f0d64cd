import { detectUtf16 } from '#core';
import type { SourceTree } from '#io/sources';
import { isPictureName } from '../shared/file-names.ts';
import type { Recognition } from '../shared/reader.ts';
import { isSplitName } from '../shared/splits.ts';

/** Recognises pictures with JSON files that list images, annotations and categories; `null` if there are none. */
export async function recogniseCoco(tree: SourceTree): Promise<Recognition | null> {
  if (!tree.files.some((file) => /\.json$/i.test(file.path))) return null;
  if (!tree.files.some((file) => isPictureName(file.path))) return null;
  const found = await findAnnotationFiles(tree);
  if (found.length === 0) return null;
  return {
    format: 'coco',
    evidence: describeEvidence(found),
    files: null,
  };
}

const maxNamedFiles = 4;

function describeEvidence(found: readonly string[]): string[] {
  const evidence = found
    .slice(0, maxNamedFiles)
    .map((path) => `${path} contains lists of images, annotations and categories`);
  if (found.length > maxNamedFiles) evidence.push(`${found.length - maxNamedFiles} more COCO files`);
  return evidence;
}

const headBytes = 65_536;
/** Maximum number of JSON files whose content is checked. */
const maxJsonFiles = 64;
const recordListPattern = /"(images|annotations|categories)"\s*:\s*\[/g;

/**
 * Returns the annotation files of a COCO set with this root: JSON files directly in it, in `annotations/` or in split
 * folders, that hold at least two of the lists images, annotations and categories, or images with file names. Checks
 * the first and last 64 KiB of up to 64 files.
 */
export async function findAnnotationFiles(tree: SourceTree): Promise<string[]> {
  const candidates = tree.files
    .filter((file) => file.bytes > 0 && mayBeAnnotations(file.path))
    .slice(0, maxJsonFiles);
  const found: string[] = [];
  for (const { path, bytes } of candidates) if (await looksLikeCoco(tree, path, bytes)) found.push(path);
  return found;
}

function mayBeAnnotations(path: string): boolean {
  if (!/\.json$/i.test(path)) return false;
  const folders = path.split('/').slice(0, -1);
  if (folders.length === 0) return true;
  return folders.length === 1 && (/^annotations?$/i.test(folders[0]) || isSplitName(folders[0]));
}

async function looksLikeCoco(tree: SourceTree, path: string, bytes: number): Promise<boolean> {
  await using file = await tree.openFile(path);
  let decoder = new TextDecoder();
  const read = async (from: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    if (from === 0) decoder = new TextDecoder(detectUtf16(buffer) ?? 'utf-8');
    return decoder.decode(buffer.subarray(0, bytesRead));
  };
  const head = await read(0, headBytes);
  if (!/^\ufeff?\s*\{/.test(head)) return false;
  const tail = bytes > headBytes ? await read(Math.max(headBytes, bytes - headBytes), headBytes) : '';
  const lists = new Set([...(head + tail).matchAll(recordListPattern)].map((match) => match[1]));
  return lists.size >= 2 || (lists.has('images') && head.includes('"file_name"'));
}
