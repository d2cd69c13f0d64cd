import type { LayerId, PriceList, RunPlan } from '#core/api';
import { estimateRun, type LookAnswer, lookAtRecordings, planHash, unavailableLayer } from '#engine';
import { estimateView, findPrice, roundUsd } from '#engine/budget';
import { type LayerConfig, layerOf, missingForLayers, unavailableReason } from '#labels/annotation';
import { type MeasuredRate, readMeasuredRates, type Store } from '#store';
import { estimateLayer } from '../annotation/estimate-layer.ts';
import { computeEndpointCost } from '../annotation/vision-endpoint.ts';
import { type Call, requireRole } from '../call.ts';
import { loadRunSource, type RunSource } from './run-source.ts';

/**
 * Returns what a run of a source would do, without storing it: steps, layers, episodes, bytes and estimated cost. The same
 * source under the same settings gives the same plan. Throws `not_found`, `not_ready`, and what makes the source unreadable.
 */
export async function planRun(
  store: Store,
  call: Call,
  input: { readonly project_id: string; readonly source_id: string },
): Promise<RunPlan> {
  requireRole(call, 'engineer');
  const source = await loadRunSource(store, call, { ...input, state: 'current' });
  const found = await lookAtRecordings(source.recordings);
  const { tenant_id } = call.actor;
  const layers = planLayers(store.prices, source, found, await readMeasuredRates(store.database, tenant_id));
  const readiness = estimateView(await estimateRun(store, { tenant_id, ...input }, found));
  const cost_usd = readiness.compute_s * findPrice(store.prices, 'readiness', 'cpu');
  const parts: EstimatePart[] = [{ work: 'readiness', ...readiness, cost_usd }, ...layers.parts];
  return toRunPlan(source, found, layers, sumParts(parts));
}

type EstimatePart = RunPlan['estimate']['parts'][number];

function sumParts(parts: readonly EstimatePart[]): RunPlan['estimate'] {
  const sum = (member: 'compute_s' | 'low_s' | 'high_s') =>
    Math.round(parts.reduce((total, part) => total + part[member], 0) * 10) / 10;
  return {
    ...{ compute_s: sum('compute_s'), low_s: sum('low_s'), high_s: sum('high_s') },
    cost_usd: roundUsd(parts.reduce((total, { cost_usd }) => total + cost_usd, 0)),
    parts: parts.map((part) => ({ ...part, cost_usd: roundUsd(part.cost_usd) })),
  };
}

function toRunPlan(
  source: RunSource,
  found: LookAnswer,
  { layers, findings }: PlannedLayers,
  estimate: RunPlan['estimate'],
): RunPlan {
  const { episodes, bytes, units, planned: datasets } = found;
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
  title: 'Annotate every episode with the layers that are set to run in every run',
  reads: 'receipts and stream values',
  writes: 'annotations',
  episodes,
  bytes: 0,
});

/** Layers of a planned run with their findings and estimates. */
interface PlannedLayers {
  readonly layers: LayerId[];
  readonly findings: RunPlan['findings'];
  readonly parts: readonly EstimatePart[];
}

/**
 * Returns the layers that run within a run with their estimates, assuming that every episode can carry them; layers that are
 * unavailable here become findings.
 */
function planLayers(
  prices: PriceList | undefined,
  source: Pick<RunSource, 'layers' | 'inputs' | 'runnable' | 'missing' | 'recorded_depth'>,
  found: LookAnswer,
  rates: readonly MeasuredRate[],
): PlannedLayers {
  const { layers, missing, recorded_depth } = source;
  const lacking = missingForLayers(missing, recorded_depth);
  const here = layers.filter(({ layer }) => unavailableReason(layerOf(layer), lacking) === null);
  const findings = layers.flatMap(({ layer }) => {
    const reason = unavailableReason(layerOf(layer), lacking);
    return reason === null ? [] : [unavailableLayer(layer, reason)];
  });
  const parts = here.map((layer) => planLayer(prices, source, layer, found, rates));
  return { layers: here.map(({ layer }) => layer), findings, parts };
}

/**
 * Returns the estimate of one layer over all datasets. If the size of a dataset's episodes is not known before measuring, the
 * mean size of the project's episodes is assumed.
 */
function planLayer(
  prices: PriceList | undefined,
  { inputs, runnable }: Pick<RunSource, 'inputs' | 'runnable'>,
  { layer, config }: RunSource['layers'][number],
  { planned, sizes }: LookAnswer,
  rates: readonly MeasuredRate[],
): EstimatePart {
  const row = layerOf(layer);
  const knobs = config as LayerConfig;
  const parts = planned.map(({ episodes }, at): PricedEstimate => {
    const own = inputs.size(row);
    const { picture_mpx = null, ...sampled } = sizes[at] ?? own;
    const size = { ...sampled, picture_mpx: picture_mpx ?? own.picture_mpx };
    const tokens = row.planned_tokens?.(size, knobs);
    const tokens_usd =
      tokens === undefined ? 0 : episodes * computeEndpointCost(prices, runnable, row, tokens);
    const estimate = estimateLayer({ row, size, config: knobs, episodes }, runnable, rates);
    const compute_usd = estimate.compute_s * findPrice(prices, layer, estimate.device);
    return { ...estimate, cost_usd: compute_usd + tokens_usd };
  });
  return { work: layer, ...combineDatasets(parts) };
}

type PricedEstimate = Omit<EstimatePart, 'work'>;

/**
 * Returns the sum of the estimates of a layer on several datasets; zeros on `cpu` for none. The sum is `measured` only if
 * every estimate is. `samples` is the lowest of theirs, `device` that of the longest.
 */
function combineDatasets(parts: readonly PricedEstimate[]): PricedEstimate {
  const sum = (member: 'compute_s' | 'low_s' | 'high_s' | 'cost_usd') =>
    parts.reduce((total, part) => total + part[member], 0);
  const samples = Math.min(...parts.map((part) => part.samples));
  const largest = parts.toSorted((a, b) => b.compute_s - a.compute_s).at(0);
  return {
    ...{ compute_s: sum('compute_s'), low_s: sum('low_s'), high_s: sum('high_s'), cost_usd: sum('cost_usd') },
    basis: parts.length > 0 && samples > 0 ? 'measured' : 'planned',
    samples: parts.length > 0 ? samples : 0,
    device: largest?.device ?? 'cpu',
  };
}
