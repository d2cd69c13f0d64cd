import type { JsonObject } from '#core';
import { type JobLayerId, jobLayerIdSchema } from '#core/api';
import { laneQueue, type Places, type Store } from '#store';
import type { JobRef } from './job-ref.ts';

/** Work on some places of a job, or of several jobs of a run whose places are of the same episodes. */
export interface JobRange extends JobsOfRange {
  readonly places: Places;
}

interface JobsOfRange {
  readonly tenant_id: string;
  /** Null: the job was queued by itself. */
  readonly run_id: string | null;
  readonly job_ids: readonly string[];
  /** Of each job; empty for what a version before this one queued. */
  readonly layers: readonly JobLayerId[];
}

/** A job has enough ranges to be shared, and few enough that handing them out costs nothing beside the work. */
const shares = 32;
const leastEpisodes = 8;

/** Queues the places from 0 to `count` in ranges of at most `most` episodes. */
export async function queueRanges(
  { queue }: Pick<Store, 'queue'>,
  { tenant_id, run_id, job_ids, layers }: JobsOfRange,
  { count, most }: { readonly count: number; readonly most: number },
): Promise<void> {
  const size = Math.min(most, Math.max(leastEpisodes, Math.ceil(count / shares)));
  const items: JsonObject[] = [];
  for (let from = 0; from < count; from += size) {
    const to = Math.min(count, from + size) - 1;
    items.push({ tenant_id, run_id, job_ids: [...job_ids], layers: [...layers], from, to });
  }
  await queue.send(layers.length > 1 ? 'lanes_shared' : laneQueue(layers[0]), items, { shares: true });
}

/** Queues what a range holds, each of its jobs by itself. */
export async function queueApart(
  { queue }: Pick<Store, 'queue'>,
  { tenant_id, run_id, job_ids, layers, places }: JobRange,
): Promise<void> {
  const range = 'places' in places ? { places: [...places.places] } : places;
  for (const [at, layer] of layers.entries()) {
    const item = { tenant_id, run_id, job_ids: [job_ids[at]], layers: [layer], ...range };
    await queue.send(laneQueue(layer), [item]);
  }
}

/** Queues places of a job to be tried again after a while. */
export function queueAgain(
  { queue }: Pick<Store, 'queue'>,
  { layer, ...ref }: JobRef & { readonly layer: JobLayerId },
  places: readonly number[],
  after_s: number,
): Promise<void> {
  const item = { ...ref, layers: [layer], places: [...places] };
  return queue.send(laneQueue(layer), [item], { after_s });
}

/** A range as it was queued. */
export function queuedRange(data: JsonObject): JobRange {
  const { tenant_id, run_id, job_id, job_ids, layers, places, from, to } = data;
  return {
    layers: Array.isArray(layers) ? layers.map((layer) => jobLayerIdSchema.parse(layer)) : [],
    tenant_id: String(tenant_id),
    run_id: typeof run_id === 'string' ? run_id : null,
    job_ids: Array.isArray(job_ids) ? job_ids.map(String) : [String(job_id)],
    places: Array.isArray(places) ? { places: places.map(Number) } : { from: Number(from), to: Number(to) },
  };
}
