import type { Finding } from '#core/episode';
import type { RunLayer } from '#store';

/** What there is to say of the layers of a run that is done; none of it keeps the run from succeeding. */
export function layerFindings(layers: readonly RunLayer[]): Finding[] {
  return layers.flatMap((layer) => {
    const said = saidOf(layer);
    if (said === null) return [];
    const job_id = layer.jobs.at(-1) ?? null;
    return [{ ...said, path: null, evidence: { layer: layer.layer, job_id } }];
  });
}

/** A layer that is set to run within runs, where nothing here runs it. */
export const unavailableLayer = (layer: string, reason: string): Finding => ({
  code: 'layer_unavailable',
  severity: 'info',
  path: null,
  message: `${layer} is set to run within runs and cannot be run here: ${reason}`,
  advice: `GET annotation/status tells what is missing; set modes.${layer} to on_demand or off to hear no more of it`,
  evidence: { layer },
});

function saidOf({ layer, status, reason }: RunLayer): Omit<Finding, 'path'> | null {
  const again = `POST annotation/jobs with {"layer": "${layer}"} annotates the episodes that are left`;
  if (status === 'unavailable') {
    const { code, severity, message, advice } = unavailableLayer(layer, reason ?? '');
    return { code, severity, message, advice };
  }
  if (status === 'skipped') {
    const message = `${layer} was not run, since the budget left no room for it: ${reason}`;
    return {
      code: 'layer_skipped',
      severity: 'warning',
      message,
      advice: `have the cap raised, or wait; ${again}`,
    };
  }
  if (status !== 'partial' && status !== 'failed' && status !== 'cancelled') return null;
  const message = `${layer} is not on every episode of the run: ${reason}`;
  return { code: 'layer_incomplete', severity: 'warning', message, advice: again };
}
