import type { JobRow, RunLayer } from '#store';
import { usd } from '../../../budget/money.ts';
import { hasEnded } from '../../jobs/job-ref.ts';
import { measuredUsd } from '../../jobs/settle-job.ts';

/** Layers as their jobs left them: how the newest of each ended, and what all of them took. */
export function layersAfter(layers: readonly RunLayer[], jobs: readonly JobRow[]): RunLayer[] {
  return layers.map((layer) => {
    const own = jobs.filter((job) => job.layer === layer.layer);
    const newest = own.find(({ id }) => id === layer.jobs.at(-1));
    const ended = layer.status === 'running' && newest !== undefined && hasEnded(newest.status);
    return {
      ...layer,
      ...(ended ? { status: newest.status as RunLayer['status'], reason: reasonOf(newest) } : {}),
      compute_s: own.reduce((sum, { compute_s }) => sum + compute_s, 0),
      cost_usd: usd(own.reduce((sum, job) => sum + measuredUsd(job), 0)),
    };
  });
}

function reasonOf({ status, error, failed, total }: JobRow): string | null {
  if (status === 'succeeded') return null;
  if (status === 'cancelled') return 'its job was cancelled';
  if (status === 'partial') return `${failed} of ${total} episodes could not be annotated`;
  return error?.message ?? 'none of the episodes could be annotated';
}

const settled: ReadonlySet<RunLayer['status']> = new Set(['succeeded', 'inapplicable']);

/** Layers of a run that is taken up again: those that are not on every episode wait for a job. */
export const layersToResume = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) => (settled.has(layer.status) ? layer : { ...layer, status: 'waiting', reason: null }));

/** Layers of a run that starts over: what was annotated before was of other receipts. */
export const layersFromStart = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) => ({ ...layer, status: 'waiting', jobs: [], reason: null }));

/** Layers of a run that ends before its end. */
export const layersStopped = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) =>
    layer.status === 'running' ? { ...layer, status: 'cancelled', reason: 'the run was ended' } : layer,
  );

/** Layers of a run that is done; one that was never begun found no episode. */
export const layersDone = (layers: readonly RunLayer[]): RunLayer[] =>
  layers.map((layer) => (layer.status === 'waiting' ? { ...layer, status: 'inapplicable' } : layer));
