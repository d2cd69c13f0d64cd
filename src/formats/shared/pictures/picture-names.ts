import { pictureFormat } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';

const extensions =
  /\.(jpe?g|jpe|jfif|png|bmp|dib|webp|tiff?|gif|p[gpbna]m|pfm|avif|hei[cf]|jp2|j2k|jxl|tga|ico|icns|psd|sgi|pcx|dds|blp|exr|hdr|msp|fli|flc)$/i;
const noExtension = /(^|\/)[^./]+$/;
/** Files without an extension that are looked into. */
const looked = 256;
/** Heads read to make sure that what is called a picture is one. */
const sampled = 32;
const headBytes = 16;

/**
 * The pictures among the files of a tree: all that are called so, once some of them prove to be pictures, and those
 * without an extension that are. One that is called a picture and is none stays in, to be reported as broken.
 */
export async function pictureFiles(
  tree: SourceTree,
): Promise<{ files: FileEntry[]; formats: string[] } | null> {
  const called = tree.files.filter((file) => extensions.test(file.path));
  const step = Math.max(1, Math.ceil(called.length / sampled));
  const formats = new Set<string>();
  for (let i = 0; i < called.length; i += step) {
    const format = await formatOf(tree, called[i]);
    if (format !== null) formats.add(format);
  }
  const unnamed: FileEntry[] = [];
  for (const file of tree.files.filter((one) => noExtension.test(one.path)).slice(0, looked)) {
    const format = await formatOf(tree, file);
    if (format === null) continue;
    formats.add(format);
    unnamed.push(file);
  }
  if (formats.size === 0) return null;
  const files = [...called, ...unnamed].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, formats: [...formats].sort() };
}

export function isCalledPicture(path: string): boolean {
  return extensions.test(path);
}

async function formatOf(tree: SourceTree, file: FileEntry): Promise<string | null> {
  if (file.bytes === 0) return null;
  return pictureFormat(await tree.head(file.path, headBytes).catch(() => new Uint8Array()));
}
