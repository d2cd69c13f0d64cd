import type { SourceTree } from '#io/sources';
import { isSplit } from '../../shared/pictures/class-labels.ts';

const headBytes = 65_536;
/** JSON files looked into in one folder. */
const looked = 64;
const listOfRecords = /"(images|annotations|categories)"\s*:\s*\[/g;

/**
 * Annotation files of a COCO set whose root is this folder: JSON directly in it, in `annotations/`, or in folders of
 * its splits, that holds at least two of the lists images, annotations, categories.
 */
export async function annotationFiles(tree: SourceTree): Promise<string[]> {
  const candidates = tree.files.filter((file) => file.bytes > 0 && mayAnnotate(file.path)).slice(0, looked);
  const found: string[] = [];
  for (const { path, bytes } of candidates) if (await looksLikeCoco(tree, path, bytes)) found.push(path);
  return found;
}

function mayAnnotate(path: string): boolean {
  if (!/\.json$/i.test(path)) return false;
  const folders = path.split('/').slice(0, -1);
  if (folders.length === 0) return true;
  return folders.length === 1 && (/^annotations?$/i.test(folders[0]) || isSplit(folders[0]));
}

async function looksLikeCoco(tree: SourceTree, path: string, bytes: number): Promise<boolean> {
  await using file = await tree.openFile(path);
  const decoder = new TextDecoder();
  const read = async (from: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return decoder.decode(buffer.subarray(0, bytesRead));
  };
  const head = await read(0, headBytes);
  if (!/^\ufeff?\s*\{/.test(head)) return false;
  const tail = bytes > headBytes ? await read(Math.max(headBytes, bytes - headBytes), headBytes) : '';
  const lists = new Set([...(head + tail).matchAll(listOfRecords)].map((match) => match[1]));
  return lists.size >= 2 || (lists.has('images') && head.includes('"file_name"'));
}
