import type { Decision, ExportFormatId } from '#core/api';
import { type AssessedStreams, requireStorable, toEditRequest } from '#engine';
import { type EpisodeDataset, exportRows, readShardEpisode, type Store, type TenantScope } from '#store';
import { readReceipt, withShard } from '../episodes/load-episode.ts';
import { inApiWords } from './export-checks.ts';

/** Episodes whose receipts are read to know the streams of a dataset. */
const maxSampled = 16;

interface RequestedSet {
  readonly format: ExportFormatId;
  readonly rate_hz?: number | undefined;
  readonly edits?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** Time range that a curation plan keeps, by episode. */
  readonly trims: Readonly<Record<string, { readonly from_s: number; readonly to_s: number }>>;
}

interface DatasetChoice {
  readonly dataset: EpisodeDataset;
  readonly decisions: readonly Decision[];
  /** Ids of episodes; null: selected by decisions. */
  readonly named: readonly string[] | null;
}

/**
 * Throws `invalid_request` if the stored receipts show that the export cannot be made: edits that name missing
 * features (all are named), a format that can store none of the streams, a missing rate, or cameras without files.
 */
export async function requireStorableDataset(
  store: Store,
  { tenant_id }: TenantScope,
  { format, rate_hz, edits, trims }: RequestedSet,
  { dataset, decisions, named }: DatasetChoice,
): Promise<void> {
  const judged = await exportRows.getJudgedDataset(store.database, tenant_id, dataset);
  if (judged === null) return;
  const choice = { decisions, named, maxRows: maxSampled };
  const sample = await exportRows.sampleReceipts(store.database, tenant_id, dataset, choice);
  const names = await readDimensionNames(store, edits?.convert === undefined ? [] : sample);
  const read = await Promise.allSettled(
    sample.map(async (one) => ({ id: one.name, names, streams: (await readReceipt(store, one)).streams })),
  );
  // The worker checks again: a receipt that cannot be read now prevents nothing.
  const episodes = read.flatMap((one): AssessedStreams[] => (one.status === 'fulfilled' ? [one.value] : []));
  const settings = {
    format,
    edits: toEditRequest(edits),
    trims,
    ...(rate_hz === undefined ? {} : { rate_hz }),
  };
  inApiWords(() => requireStorable(settings, { ...judged, format: dataset.format, episodes }));
}

/** Returns the names of the dimensions by stream id, from the first episode whose numbers are stored. */
async function readDimensionNames(
  store: Store,
  sample: readonly exportRows.SampledReceipt[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const stored = sample.find(({ shard_blob, shard_place }) => shard_blob !== null && shard_place !== null);
  if (stored === undefined) return new Map();
  const { streams } = await withShard(store, stored, ({ path, place }) => readShardEpisode(path, place));
  return new Map(streams.flatMap(({ id, names }) => (names === null ? [] : [[id, names] as const])));
}
