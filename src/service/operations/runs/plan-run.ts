import type { LayerId, PriceList, RunPlan } from '#core/api';
import { type LookAnswer, lookAtRecordings, planHash, plannedRunSeconds, unavailableLayer } from '#engine';
import { findPrice, roundUsd } from '#engine/budget';
import { type LayerConfig, layerOf, missingForLayers, unavailableReason } from '#labels/annotation';
import type { Store } from '#store';
import { computeEndpointCost } from '../annotation/vision-endpoint.ts';
import { type Call, requireRole } from '../call.ts';
import { loadRunSource, type RunSource } from './run-source.ts';

/**
 * Plans a run of a source: steps, layers, episodes, bytes and estimated cost. The same source under the same settings
 * gives the same plan. Throws `not_found`, `not_ready`, and what makes the source unreadable.
 */
export async function planRun(
  store: Store,
  call: Call,
  input: { readonly project_id: string; readonly source_id: string },
): Promise<RunPlan> {
  requireRole(call, 'engineer');
  const source = await loadRunSource(store, call, input);
  const found = await lookAtRecordings(source.recordings);
  const datasets = found.planned;
  const layers = planLayers(store.prices, source, datasets);
  const readiness_s = plannedRunSeconds(datasets);
  const readiness_usd = readiness_s * findPrice(store.prices, 'readiness', 'cpu');
  return toRunPlan(source, found, datasets, layers, {
    compute_s: Math.round((readiness_s + layers.compute_s) * 10) / 10,
    cost_usd: roundUsd(readiness_usd + layers.cost_usd),
  });
}

function toRunPlan(
  source: RunSource,
  found: LookAnswer,
  datasets: RunPlan['datasets'],
  { layers, findings }: PlannedLayers,
  estimate: RunPlan['estimate'],
): RunPlan {
  const { episodes, bytes, units } = found;
  return {
    source_id: source.source_id,
    plan_hash: planHash({ ...found, ...source }),
    settings: source.settings,
    kind_override: source.kind,
    datasets,
    steps: planSteps({ episodes, bytes }, datasets, layers.length > 0),
    layers,
    units,
    episodes,
    bytes,
    estimate,
    findings: [...found.findings, ...findings],
  };
}

function planSteps(
  { episodes, bytes }: { readonly episodes: number; readonly bytes: number },
  datasets: RunPlan['datasets'],
  annotates: boolean,
): RunPlan['steps'] {
  const pictures = datasets.some(({ cameras }) => cameras.length > 0);
  return [
    {
      id: 'look',
      title: 'Find the datasets of the source',
      reads: 'file names, first bytes and metadata',
      writes: 'list of datasets and their work units',
      episodes: 0,
      bytes: 0,
    },
    {
      id: 'measure',
      title: 'Measure every episode',
      reads: pictures
        ? 'values of every stream and decoded frames of every camera'
        : 'values of every stream',
      writes: 'measurements and stream values in columnar form',
      episodes,
      bytes,
    },
    {
      id: 'compare',
      title: 'Compare the episodes of each dataset',
      reads: 'measurements',
      writes: 'dataset findings and notes on episodes',
      episodes,
      bytes: 0,
    },
    {
      id: 'judge',
      title: 'Evaluate every episode with the current settings',
      reads: 'measurements and notes',
      writes: 'episodes and their receipts',
      episodes,
      bytes: 0,
    },
    ...(annotates ? [annotateStep(episodes)] : []),
  ];
}

const annotateStep = (episodes: number): RunPlan['steps'][number] => ({
  id: 'annotate',
  title: 'Annotate every episode with the layers that run in runs',
  reads: 'receipts and stream values',
  writes: 'annotations',
  episodes,
  bytes: 0,
});

/** Layers of a planned run with their findings, compute time and cost. */
interface PlannedLayers {
  readonly layers: LayerId[];
  readonly findings: RunPlan['findings'];
  readonly compute_s: number;
  readonly cost_usd: number;
}

/**
 * Estimates the layers that run within a run, assuming that every episode can carry them and has the mean length of
 * the project's episodes.
 */
function planLayers(
  prices: PriceList | undefined,
  {
    layers,
    inputs,
    runnable,
    missing,
    recorded_depth,
  }: Pick<RunSource, 'layers' | 'inputs' | 'runnable' | 'missing' | 'recorded_depth'>,
  datasets: RunPlan['datasets'],
): PlannedLayers {
  const lacking = missingForLayers(missing, recorded_depth);
  const here = layers.filter(({ layer }) => unavailableReason(layerOf(layer), lacking) === null);
  let compute_s = 0;
  let cost_usd = 0;
  for (const { layer, config } of here) {
    const row = layerOf(layer);
    const { duration_s } = inputs.size(row);
    for (const { episodes, cameras } of datasets) {
      const size = { duration_s, cameras: cameras.length };
      const own_s = episodes * row.planned_compute_s(size, config as LayerConfig);
      const tokens = row.planned_tokens?.(size, config as LayerConfig);
      compute_s += own_s;
      cost_usd += own_s * findPrice(prices, layer, 'cpu');
      if (tokens !== undefined) cost_usd += episodes * computeEndpointCost(prices, runnable, row, tokens);
    }
  }
  const findings = layers.flatMap(({ layer }) => {
    const reason = unavailableReason(layerOf(layer), lacking);
    return reason === null ? [] : [unavailableLayer(layer, reason)];
  });
  return { layers: here.map(({ layer }) => layer), findings, compute_s, cost_usd };
}
