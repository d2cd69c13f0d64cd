import type { Finding } from '#episode';
import type { FileEntry, SourceTree } from './bytes/source-tree.ts';

const namedAtMost = 50;

/** Extensions that promise a recording; a file that carries one and was not claimed is not what its name says. */
const promised = /\.(mcap|mp4|mkv|mov|webm|avi|m4v|jpe?g|png|bmp|webp|tiff?|gif)$/i;
/** Recordings of formats that have no reader. */
const unread = /\.(bag|db3|hdf5|h5|ulg|ulog|bin|tfrecord.*|zarr|svo2?|rrd|npz|npy|parquet)$/i;
const harmless =
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|txt|json|jsonl|ya?ml|csv|tsv|toml|xml|html?|pdf|py|sh|ipynb|log|sha256|md5)$/i;

/** What to say of files that no reader claimed. */
export async function leftoverFindings(tree: SourceTree, left: readonly FileEntry[]): Promise<Finding[]> {
  const named: Finding[] = [];
  let more = 0;
  const spare: string[] = [];
  const unknown: string[] = [];
  for (const file of left) {
    if (promised.test(file.path) || unread.test(file.path)) {
      if (named.length < namedAtMost) named.push(await pretender(tree, file));
      else more += 1;
    } else if (harmless.test(file.path)) spare.push(file.path);
    else unknown.push(file.path);
  }
  if (more > 0) {
    named.push({
      code: 'files_unread',
      severity: 'error',
      path: null,
      message: `${more} more files look like recordings and could not be recognised`,
      advice: 'repair those named first; the rest is likely the same',
    });
  }
  return [...named, ...summary('files_beside', spare, 'lie beside the recordings and were not read')].concat(
    summary('files_unknown', unknown, 'are of no known kind and were not read'),
  );
}

async function pretender(tree: SourceTree, file: FileEntry): Promise<Finding> {
  const base = { path: file.path };
  if (file.bytes === 0) {
    return {
      ...base,
      code: 'file_empty',
      severity: 'error',
      message: `${file.path} is empty (0 bytes)`,
      advice: 'record or copy the file again',
    };
  }
  const head = await tree.head(file.path, 64).catch(() => new Uint8Array());
  if (new TextDecoder().decode(head).startsWith('version https://git-lfs')) {
    return {
      ...base,
      code: 'lfs_pointer',
      severity: 'error',
      message: `${file.path} is a Git LFS pointer, not the file`,
      advice: 'run git lfs pull',
    };
  }
  if (unread.test(file.path)) {
    return {
      ...base,
      code: 'format_not_read',
      severity: 'warning',
      message: `${file.path} belongs to no dataset that was recognised, and no reader takes it alone`,
      advice: 'pass the folder of the whole dataset, or convert the file',
    };
  }
  const what = isText(head) ? 'text' : 'other bytes';
  return {
    ...base,
    code: 'file_misnamed',
    severity: 'error',
    message: `${file.path} is not what its name says: it holds ${what}`,
    advice: 'restore the file, or give it its right name',
  };
}

function isText(head: Uint8Array): boolean {
  return (
    head.length > 0 &&
    head.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte !== 127))
  );
}

function summary(code: string, paths: readonly string[], what: string): Finding[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 5).join(', ');
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return [
    {
      code,
      severity: 'info',
      path: null,
      message: `${paths.length} files ${what}: ${named}${more}`,
      advice: 'nothing to do',
    },
  ];
}
