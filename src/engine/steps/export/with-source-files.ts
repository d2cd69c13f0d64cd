import type { RecordingsRef, RecordingsSource } from '#io/sources';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';

interface Wanted {
  /** The dataset's folder below the recordings; '' for all of them. */
  readonly dataset: string;
  /** Relative to the dataset: what its episodes were read from. */
  readonly files: ReadonlySet<string>;
}

/**
 * Works while what an export copies lies on this machine: of recordings in a bucket the files that its episodes were
 * read from, and what the dataset says of itself. `work` is given the recordings as they are found there.
 */
export async function withSourceFiles<T>(
  recordings: RecordingsRef,
  { dataset, files }: Wanted,
  work: (there: RecordingsRef) => Promise<T>,
): Promise<T> {
  const opened: RecordingsSource = await openRecordings(recordings);
  if (typeof opened === 'string') return work(recordings);
  try {
    const below = dataset === '' ? '' : `${dataset}/`;
    const listed = await opened.list();
    const paths = listed.files
      .map(({ path }) => path)
      .filter((path) => path.startsWith(below))
      .filter((path) => files.has(path.slice(below.length)) || path.startsWith(`${below}meta/`));
    const held = await opened.hold(paths);
    try {
      return await work({ kind: 'folder', path: opened.root });
    } finally {
      await held.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}
