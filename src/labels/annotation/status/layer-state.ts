import type { AnnotationStatus } from '#core/api';
import type { ResolvedLayer } from '../settings/resolve-layers.ts';

type LayerState = AnnotationStatus['layers'][number]['state'];

/** What a layer's state follows from. */
export interface StateInputs {
  readonly layer: Pick<ResolvedLayer, 'id' | 'mode' | 'from' | 'reason' | 'applicability'>;
  /** Episodes that can carry it and do. */
  readonly covered: number;
  /** Why it cannot be run here; null where it can. */
  readonly unavailable: string | null;
  /** Whether a job of it is queued or under way. */
  readonly under_way: boolean;
}

interface ToldState {
  readonly state: LayerState;
  /** A sentence: why it is so, and what would change it. */
  readonly reason: string;
}

/** How a layer stands in a project: what cannot be goes before what is set, and that before what is there. */
export function layerState(inputs: StateInputs): ToldState {
  const { layer, covered } = inputs;
  const { applicable, reason, applicable_episodes } = layer.applicability;
  if (!applicable) {
    const advice = 'pin another data kind where this one was derived wrongly';
    return { state: 'inapplicable', reason: `the project’s data cannot carry it (${reason}); ${advice}` };
  }
  if (layer.mode === 'off') return { state: 'off', reason: offReason(inputs) };
  if (covered >= applicable_episodes && covered > 0) {
    return { state: 'ran', reason: `${allOf(covered)} it` };
  }
  if (covered > 0) {
    const told = `${covered} of the ${applicable_episodes} episodes that can carry it do`;
    return { state: 'partial', reason: `${told}; ${whatNext(inputs)}` };
  }
  const said = `it is set to ${layer.mode} (${layer.reason})`;
  return {
    state: layer.mode === 'in_run' ? 'planned' : 'on_demand',
    reason: `${said}; ${whatNext(inputs)}`,
  };
}

function offReason({ layer, covered, unavailable }: StateInputs): string {
  const { id, from, reason, applicability } = layer;
  const kept = covered > 0 ? `; ${covered} of ${applicability.applicable_episodes} episodes carry it` : '';
  if (from === 'pinned') return `${unavailable}${kept}`;
  const then = unavailable === null ? '' : `, where it can be run: ${unavailable}`;
  return `it is set to off (${reason})${kept}; set modes.${id} to on_demand to allow it${then}`;
}

function whatNext({ layer, covered, unavailable, under_way }: StateInputs): string {
  if (under_way) return 'a job is on its way to it';
  if (unavailable !== null) return `it cannot be run here: ${unavailable}`;
  if (layer.applicability.applicable_episodes === 0) {
    return layer.mode === 'in_run'
      ? 'the first run that finds episodes does it'
      : 'there is no episode yet: run a source first';
  }
  const queue = `queue a job of ${layer.id}`;
  if (layer.mode === 'in_run')
    return `the next run does it on its episodes; ${queue} for those of earlier runs`;
  return covered > 0 ? `${queue} for the rest` : `${queue} to have it done`;
}

const allOf = (episodes: number): string =>
  episodes === 1
    ? 'the one episode that can carry it has'
    : `all ${episodes} episodes that can carry it have`;
