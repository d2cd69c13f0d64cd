import type { JsonObject } from '#core';
import { type JobLayerId, jobLayerIdSchema } from '#core/api';
import { laneQueue, type Places, type Store } from '#store';
import type { JobRef } from './job.ts';

/** Queued work on some positions in the list of episodes of one job, or of several jobs of a run with the same episodes. */
export interface JobRange extends JobsOfRange {
  readonly places: Places;
}

interface JobsOfRange {
  readonly tenant_id: string;
  /** Run of the jobs; `null` for a single job. */
  readonly run_id: string | null;
  readonly job_ids: readonly string[];
  /** Layer of each job; empty for items that an older version queued. */
  readonly layers: readonly JobLayerId[];
}

/** Number of ranges to aim for: enough to share a job between workers, few enough to cost nothing. */
const minRanges = 32;
const minRangeEpisodes = 8;

/**
 * Queues the positions from 0 to `count` (exclusive) in about 32 ranges, each of at least 8 and at most `max_episodes`
 * episodes; the jobs share each range.
 */
export async function queueRanges(
  { queue }: Pick<Store, 'queue'>,
  { tenant_id, run_id, job_ids, layers }: JobsOfRange,
  { count, max_episodes }: { readonly count: number; readonly max_episodes: number },
): Promise<void> {
  const size = Math.min(max_episodes, Math.max(minRangeEpisodes, Math.ceil(count / minRanges)));
  const items: JsonObject[] = [];
  for (let from = 0; from < count; from += size) {
    const to = Math.min(count, from + size) - 1;
    items.push({ tenant_id, run_id, job_ids: [...job_ids], layers: [...layers], from, to });
  }
  await queue.send(layers.length > 1 ? 'lanes_shared' : laneQueue(layers[0]), items, { shares: true });
}

/** Queues a range once for each of its jobs, so that each layer is run alone. */
export async function queueSeparately(
  { queue }: Pick<Store, 'queue'>,
  { tenant_id, run_id, job_ids, layers, places }: JobRange,
): Promise<void> {
  const range = 'places' in places ? { places: [...places.places] } : places;
  for (const [at, layer] of layers.entries()) {
    const item = { tenant_id, run_id, job_ids: [job_ids[at]], layers: [layer], ...range };
    await queue.send(laneQueue(layer), [item]);
  }
}

/** Queues episodes of a job, by their positions in its list, for a retry after `after_s` seconds. */
export function queueRetry(
  { queue }: Pick<Store, 'queue'>,
  { layer, ...ref }: JobRef & { readonly layer: JobLayerId },
  places: readonly number[],
  after_s: number,
): Promise<void> {
  const item = { ...ref, layers: [layer], places: [...places] };
  return queue.send(laneQueue(layer), [item], { after_s });
}

/** Parses a queued range, also of older versions (one `job_id`, no layers). */
export function parseRange(data: JsonObject): JobRange {
  const { tenant_id, run_id, job_id, job_ids, layers, places, from, to } = data;
  return {
    layers: Array.isArray(layers) ? layers.map((layer) => jobLayerIdSchema.parse(layer)) : [],
    tenant_id: String(tenant_id),
    run_id: typeof run_id === 'string' ? run_id : null,
    job_ids: Array.isArray(job_ids) ? job_ids.map(String) : [String(job_id)],
    places: Array.isArray(places) ? { places: places.map(Number) } : { from: Number(from), to: Number(to) },
  };
}
