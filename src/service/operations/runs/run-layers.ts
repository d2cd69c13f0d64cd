import { layerOf, resolveLayers } from '#labels/annotation';
import type { RunLayer } from '#store';
import type { ProjectInputs } from '../annotation/project-inputs.ts';

/**
 * The layers that a run begun now would do, each on those of its episodes that can carry it: what the project holds so
 * far says nothing of a new source. A pinned kind stands for that of all.
 */
export function layersOfRun(inputs: ProjectInputs): RunLayer[] {
  const { pinned_kind } = inputs;
  return resolveLayers(inputs)
    .filter(({ id, mode }) => {
      const fits = pinned_kind === null || layerOf(id).unfit[pinned_kind] === undefined;
      return mode === 'in_run' && fits;
    })
    .map(({ id, config }) => ({ ...unbegun, layer: id, config }));
}

const unbegun = { status: 'waiting', jobs: [], reason: null, compute_s: 0, cost_usd: 0 } as const;
