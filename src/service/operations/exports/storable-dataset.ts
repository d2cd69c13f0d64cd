import { AssayError } from '#core';
import {
  type AssessedStreams,
  isLeRobotCopy,
  requireCopyable,
  requireNoAbsentCamera,
  requireRows,
  requireStorable,
  resolveRecordings,
  type StorableSettings,
  withFiles,
} from '#engine';
import { exportRows, readShardEpisode, type Store, type sourceRows } from '#store';
import { readReceipt, withShard } from '../episodes/load-episode.ts';
import { inApiWords, toApiRefusal } from './export-checks.ts';

/** Receipts that are read to know the streams of the chosen episodes. */
const maxSampled = 16;
/** Receipts that are read at most to confirm a refusal. With more chosen episodes, the worker decides. */
const maxReceipts = 1000;

interface StorableExport {
  readonly source: sourceRows.SourceRow;
  readonly dataset: exportRows.ExportDataset;
  readonly choice: exportRows.EpisodeChoice;
  readonly settings: StorableSettings;
}

/**
 * Throws `invalid_request` if readable files show that the chosen episodes cannot be exported with these settings.
 * Reasons are edits that leave no row or name missing features (all are named), a format that can store none of the streams, a
 * missing rate, or cameras without files. They are found by the length of the episodes, the metadata of a copied LeRobot
 * dataset or the receipts of the chosen episodes. What cannot be read prevents no export: the worker checks again. Reads
 * files, so call it outside of transactions.
 */
export async function requireStorableDataset(store: Store, one: StorableExport): Promise<void> {
  const { dataset, settings } = one;
  const judged = await exportRows.getJudgedDataset(store.database, dataset);
  if (judged !== null) inApiWords(() => requireNoAbsentCamera(judged.absent_cameras, settings.edits));
  await requireRemainingRows(store, one, judged?.declared_rate_hz ?? null);
  if (isLeRobotCopy(settings.format, dataset.dataset_format)) await requireCopyableFeatures(store, one);
  else if (judged !== null) await requireStorableStreams(store, one, judged);
}

/**
 * Throws `invalid_request` if edits of a fixed length leave no row of the longest chosen episode; without a known rate it
 * checks nothing.
 */
async function requireRemainingRows(
  { database }: Pick<Store, 'database'>,
  { dataset, choice, settings }: StorableExport,
  declared_rate_hz: number | null,
): Promise<void> {
  const rate_hz = Math.max(settings.rate_hz ?? 0, declared_rate_hz ?? 0);
  const { edits = {} } = settings;
  if (rate_hz === 0 || Object.keys(edits).length === 0) return;
  const duration_s = await exportRows.longestChosen_s(database, dataset, choice);
  if (duration_s > 0) inApiWords(() => requireRows(edits, { duration_s, rate_hz }));
}

/**
 * Throws `invalid_request` if edits of a copied LeRobot dataset do not fit its `meta/info.json`, which declares more than the
 * streams; a file that cannot be read is not an error.
 */
async function requireCopyableFeatures(
  store: Store,
  { source, dataset: { dataset_path }, settings }: StorableExport,
): Promise<void> {
  if (Object.keys(settings.edits ?? {}).length === 0) return;
  try {
    const files = { dataset_path, files: [{ path: 'meta/info.json' }] };
    const recordings = await resolveRecordings(store, source);
    await withFiles(recordings, files, async (root) => requireCopyable(root, settings));
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code === 'usage') throw toApiRefusal(thrown);
  }
}

/**
 * Throws `invalid_request` if the receipts of the chosen episodes do not fit. Reads a few first; if these do not fit, reads
 * all, since others may, and does not throw if there are more than `maxReceipts` or any cannot be read.
 */
async function requireStorableStreams(
  store: Store,
  { dataset, choice, settings }: StorableExport,
  judged: exportRows.JudgedDataset,
): Promise<void> {
  for (const maxRows of [maxSampled, maxReceipts]) {
    const rows = await exportRows.listChosenReceipts(store.database, dataset, choice, maxRows + 1);
    const { convert, ...edits } = settings.edits ?? {};
    const names = convert === undefined ? noNames : await readDimensionNames(store, rows);
    const checked = convert === undefined || names === null ? edits : { ...edits, convert };
    const episodes = await readStreams(store, rows.slice(0, maxRows), names ?? noNames);
    try {
      inApiWords(() => requireStorable({ ...settings, edits: checked }, { ...judged, episodes }));
      return;
    } catch (thrown) {
      if (!(thrown instanceof AssayError) || episodes.length === rows.length) throw thrown;
    }
  }
}

type DimensionNames = AssessedStreams['names'];
const noNames: DimensionNames = new Map();

/** Returns the streams of those episodes whose receipts can be read. */
async function readStreams(
  store: Store,
  rows: readonly exportRows.ChosenReceipt[],
  names: DimensionNames,
): Promise<AssessedStreams[]> {
  const episodes: AssessedStreams[] = [];
  for (let from = 0; from < rows.length; from += maxSampled) {
    const reads = rows
      .slice(from, from + maxSampled)
      .map(async (row) => ({ id: row.name, names, streams: (await readReceipt(store, row)).streams }));
    for (const one of await Promise.allSettled(reads))
      if (one.status === 'fulfilled') episodes.push(one.value);
  }
  return episodes;
}

/** Returns the names of the dimensions by stream id, from the first episode whose numbers are stored; null if unknown. */
async function readDimensionNames(
  store: Store,
  rows: readonly exportRows.ChosenReceipt[],
): Promise<DimensionNames | null> {
  const stored = rows.find(({ shard_blob, shard_place }) => shard_blob !== null && shard_place !== null);
  if (stored === undefined) return null;
  try {
    const { streams } = await withShard(store, stored, ({ path, place }) => readShardEpisode(path, place));
    return new Map(streams.flatMap(({ id, names }) => (names === null ? [] : [[id, names] as const])));
  } catch {
    return null;
  }
}
