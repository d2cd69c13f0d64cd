import type { RunPlan } from '#contract';
import type { Store } from '#store';
import { priceOf } from '../budget/prices.ts';
import { type Call, requireRole } from '../call.ts';
import { planHash } from './plan-hash.ts';
import { loadRunSource, type RunSource } from './run-source.ts';
import { lookOnce } from './threads/look-once.ts';
import type { LookAnswer } from './threads/thread-messages.ts';

/**
 * What a run of a source would do; the same source under the same settings gives the same plan. Throws `not_found`,
 * `not_ready`, and what makes the source unreadable.
 */
export async function planRun(
  store: Store,
  call: Call,
  input: { readonly project_id: string; readonly source_id: string },
): Promise<RunPlan> {
  requireRole(call, 'engineer');
  const source = await loadRunSource(store, call, input);
  return planOf(source, await lookOnce(source.recordings), priceOf(store.prices, 'readiness', 'cpu'));
}

function planOf(source: RunSource, found: LookAnswer, compute_usd_per_s: number): RunPlan {
  const datasets: RunPlan['datasets'] = JSON.parse(found.planned);
  const { episodes, bytes, units } = found;
  const compute_s = Math.round(estimate_s(datasets) * 10) / 10;
  return {
    source_id: source.source_id,
    plan_hash: planHash({ ...found, ...source }),
    settings: source.settings,
    kind_override: source.kind,
    datasets,
    steps: stepsOf({ episodes, bytes }, datasets),
    layers: [],
    units,
    episodes,
    bytes,
    estimate: { compute_s, cost_usd: Math.round(compute_s * compute_usd_per_s * 1e6) / 1e6 },
    findings: JSON.parse(found.findings),
  };
}

/** Seconds of one thread, as measured on a laptop: an episode, a megabyte of its numbers, a clip of a camera. */
const cost_s = { episode: 0.0012, megabyte: 0.02, clip: 0.06 };

function estimate_s(datasets: RunPlan['datasets']): number {
  return datasets.reduce(
    (sum, { episodes, bytes, cameras }) =>
      sum + episodes * (cost_s.episode + cameras.length * cost_s.clip) + (bytes / 1e6) * cost_s.megabyte,
    0,
  );
}

function stepsOf(
  { episodes, bytes }: { readonly episodes: number; readonly bytes: number },
  datasets: RunPlan['datasets'],
): RunPlan['steps'] {
  const pictures = datasets.some(({ cameras }) => cameras.length > 0);
  return [
    {
      id: 'look',
      title: 'Find the datasets of the source',
      reads: 'names, first bytes and metadata of its files',
      writes: 'datasets and their units',
      episodes: 0,
      bytes: 0,
    },
    {
      id: 'measure',
      title: 'Measure every episode',
      reads: pictures
        ? 'numbers of every stream, and decoded pictures of every camera'
        : 'numbers of every stream',
      writes: 'measurements, and the numbers of the streams in columns',
      episodes,
      bytes,
    },
    {
      id: 'compare',
      title: 'Compare the episodes of each dataset',
      reads: 'measurements',
      writes: 'findings of datasets, and notes on episodes',
      episodes,
      bytes: 0,
    },
    {
      id: 'judge',
      title: 'Judge every episode under the settings',
      reads: 'measurements and notes',
      writes: 'episodes and their sealed receipts',
      episodes,
      bytes: 0,
    },
  ];
}
