import type { LayerId, PriceList, RunPlan } from '#core/api';
import { unavailableLayer } from '#engine';
import { priceOf } from '#engine/budget';
import { type LayerConfig, layerOf, surfacesHere, whyUnavailable } from '#labels/annotation';
import { tokensUsd } from '../annotation/tokens-usd.ts';
import type { RunSource } from './run-source.ts';

/** What the layers would add to a run. */
export interface PlannedLayers {
  readonly layers: LayerId[];
  readonly findings: RunPlan['findings'];
  readonly compute_s: number;
  readonly cost_usd: number;
}

/** The layers that run within a run, as if each episode could carry them and were as long as the project's so far. */
export function planLayers(
  prices: PriceList | undefined,
  {
    layers,
    inputs,
    runnable,
    recorded_depth,
  }: Pick<RunSource, 'layers' | 'inputs' | 'runnable' | 'recorded_depth'>,
  datasets: RunPlan['datasets'],
): PlannedLayers {
  const surfaces = surfacesHere(runnable.keys(), recorded_depth);
  const here = layers.filter(({ layer }) => whyUnavailable(layerOf(layer), surfaces) === null);
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
      cost_usd += own_s * priceOf(prices, layer, 'cpu');
      if (tokens !== undefined) cost_usd += episodes * tokensUsd(prices, runnable, row, tokens);
    }
  }
  const findings = layers.flatMap(({ layer }) => {
    const reason = whyUnavailable(layerOf(layer), surfaces);
    return reason === null ? [] : [unavailableLayer(layer, reason)];
  });
  return { layers: here.map(({ layer }) => layer), findings, compute_s, cost_usd };
}
