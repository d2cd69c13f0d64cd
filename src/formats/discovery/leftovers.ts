import { isSqlite } from '@assay/sqlite-reader';
import { enumerate, isLfsPointer, lfsPointerHead_bytes } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { awayFindings, isDocument } from '../shared/files-away.ts';
import type { FormatReader } from '../shared/reader.ts';
import { closedFiles } from './demand-open.ts';
import type { RecognisedFiles } from './recognise-datasets.ts';
import { unmappedSignals } from './unmapped-signals.ts';

const namedAtMost = 50;

/** Extensions that promise a recording; a file that carries one and was not taken is not what its name says. */
const promised =
  /\.(mcap|bag|h5|hdf5|ulg|ulog|mp4|mkv|mov|webm|avi|m4v|jpe?g|png|bmp|webp|tiff?|gif|tfrecords?(-\d+-of-\d+)?(\.gz)?|db3(\.zstd?)?)$/i;
/** Recordings of formats that have no reader. */
const unread = /\.(bin|svo2?|rrd|npz|npy|parquet)$/i;
const besides = /\.(txt|json|jsonl|ya?ml|csv|tsv|toml|xml)$/i;
const isHarmless = (path: string): boolean => isDocument(path) || besides.test(path);

/** What to say of files that no reader took: each that pretends is named, the harmless are counted. */
export async function leftoverFindings(
  tree: SourceTree,
  { left, misnamed, closed }: Omit<RecognisedFiles, 'datasets'>,
): Promise<Finding[]> {
  const named: Finding[] = [];
  const shut = new Set([...closed, ...closedFiles({ files: left })]);
  const pointers: string[] = [];
  const empty: string[] = [];
  let more = 0;
  let looked = 0;
  const foreign: string[] = [];
  const spare: string[] = [];
  const unknown: string[] = [];
  const signals = await unmappedSignals(tree, left);
  for (const file of left) {
    if (signals.paths.has(file.path) || shut.has(file.path)) continue;
    if (mayPoint(file) && looked++ < mostLooked && (await isPointer(tree, file))) {
      pointers.push(file.path);
      continue;
    }
    const pretending = promised.test(file.path) || (unread.test(file.path) && file.bytes === 0);
    if (!pretending) {
      const isEmpty = file.bytes === 0 && !isHarmless(file.path);
      const list = isEmpty
        ? empty
        : unread.test(file.path)
          ? foreign
          : isHarmless(file.path)
            ? spare
            : unknown;
      list.push(file.path);
    } else if (named.length < namedAtMost) named.push(await pretender(tree, file));
    else more += 1;
  }
  if (more > 0) named.push(uncounted(more));
  return [
    ...named,
    ...awayFindings({ pointers, empty, closed: [...shut] }),
    ...[...misnamed].slice(0, namedAtMost).map(([path, reader]) => calledOtherwise(path, reader)),
    ...signals.findings,
    ...summary(
      {
        code: 'format_not_read',
        severity: 'warning',
        advice: 'pass the folder of the whole dataset, or convert them',
      },
      foreign,
      'of no dataset that was recognised; no reader takes such files alone',
    ),
    ...summary(
      { code: 'files_beside', severity: 'info', advice: 'nothing to do' },
      spare,
      'beside the recordings, not read',
    ),
    ...summary(
      { code: 'files_unknown', severity: 'info', advice: 'nothing to do, unless they are recordings' },
      unknown,
      'of no known kind, not read',
    ),
  ];
}

function uncounted(more: number): Finding {
  return {
    code: 'files_unread',
    severity: 'error',
    path: null,
    message: `${more} more files look like recordings and are none`,
    advice: 'repair those named first; the rest is likely the same',
  };
}

/** Small files that are looked into. */
const mostLooked = 2000;

/** Pointers are about 130 bytes. */
const mayPoint = ({ path, bytes }: FileEntry): boolean => bytes > 0 && bytes < 1024 && !isHarmless(path);

async function isPointer(tree: SourceTree, file: FileEntry): Promise<boolean> {
  return isLfsPointer(await tree.head(file.path, lfsPointerHead_bytes).catch(() => new Uint8Array()));
}

function calledOtherwise(path: string, reader: FormatReader): Finding {
  return {
    code: 'name_misleads',
    severity: 'info',
    path,
    message: `${path} is read for what it holds, which its name does not say: ${reader.title}`,
    advice: 'give it a name that says so, for programs that go by names',
  };
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
  const what = isText(head)
    ? 'text'
    : isSqlite(head)
      ? 'an SQLite database that is no ROS 2 bag'
      : 'other bytes';
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

function summary(
  kind: Pick<Finding, 'code' | 'severity' | 'advice'>,
  paths: readonly string[],
  what: string,
): Finding[] {
  if (paths.length === 0) return [];
  const files = paths.length === 1 ? '1 file' : `${paths.length} files`;
  return [{ ...kind, path: null, message: `${files} ${what}: ${enumerate(paths, 5)}` }];
}
