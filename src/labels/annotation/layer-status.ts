import type { AnnotationStatus, LayerId } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import type { MissingModels } from '#labels/models';
import type { LayerRow } from './layer.ts';
import { layerOf } from './layer-registry.ts';
import type { KindCounts, ResolvedLayer } from './settings/resolve-layers.ts';

type LayerState = AnnotationStatus['layers'][number]['state'];

/** Inputs for a layer's state. */
export interface StateInputs {
  readonly layer: Pick<ResolvedLayer, 'id' | 'mode' | 'from' | 'reason' | 'applicability'>;
  /** Number of applicable episodes that carry it. */
  readonly covered: number;
  /** Number of applicable episodes that were processed without output. */
  readonly not_produced: number;
  /** Reason why it cannot run here; `null` if it can. */
  readonly unavailable: string | null;
  /** Whether a job for it is queued or running. */
  readonly under_way: boolean;
}

interface ExplainedState {
  readonly state: LayerState;
  /** Explanation of the state, and what would change it. */
  readonly reason: string;
}

/**
 * Returns whether a layer is inapplicable, off, ran, partial, planned or on demand in a project, in this order of
 * precedence, and why. A layer has run once it was tried on all applicable episodes and has output for some.
 */
export function layerState(inputs: StateInputs): ExplainedState {
  const { layer, covered, not_produced } = inputs;
  const { applicable, reason, applicable_episodes } = layer.applicability;
  if (!applicable) {
    const advice = 'if the detected data kind is wrong, set the correct one';
    return { state: 'inapplicable', reason: `not applicable to this project’s data (${reason}); ${advice}` };
  }
  if (layer.mode === 'off') return { state: 'off', reason: offReason(inputs) };
  if (covered >= applicable_episodes && covered > 0) {
    return { state: 'ran', reason: allEpisodesText(covered) };
  }
  if (covered > 0) {
    const progressText = `${covered} of ${applicable_episodes} applicable episodes are annotated${notProducedText(not_produced)}`;
    return covered + not_produced >= applicable_episodes
      ? { state: 'ran', reason: progressText }
      : { state: 'partial', reason: `${progressText}; ${nextStep(inputs)}` };
  }
  const settingText = `set to ${layer.mode} (${layer.reason})${notProducedText(not_produced)}`;
  return {
    state: layer.mode === 'in_run' ? 'planned' : 'on_demand',
    reason: `${settingText}; ${nextStep(inputs)}`,
  };
}

/** Says that a layer had nothing to say about some episodes; empty if there are none. */
const notProducedText = (episodes: number): string =>
  episodes === 0
    ? ''
    : `; not produced for ${episodes}, for which the layer had no result (their annotations give the reason)`;

function offReason({ layer, covered, unavailable }: StateInputs): string {
  const { id, from, reason, applicability } = layer;
  const coverageText =
    covered > 0
      ? `; ${covered} of ${applicability.applicable_episodes} applicable episodes are annotated`
      : '';
  if (from === 'pinned') return `${unavailable}${coverageText}`;
  const unavailableText = unavailable === null ? '' : `; it cannot run here: ${unavailable}`;
  return `set to off (${reason})${coverageText}; set modes.${id} to on_demand to allow it${unavailableText}`;
}

function nextStep({ layer, covered, unavailable, under_way }: StateInputs): string {
  if (under_way) return 'a job is queued or running';
  if (unavailable !== null) return `it cannot run here: ${unavailable}`;
  if (layer.applicability.applicable_episodes === 0) {
    return layer.mode === 'in_run'
      ? 'it runs with the first run that finds episodes'
      : 'no episodes yet: start a run first';
  }
  const queue = `queue a job for ${layer.id}`;
  if (layer.mode === 'in_run')
    return `the next run annotates its own episodes; ${queue} for episodes of earlier runs`;
  return covered > 0 ? `${queue} for the rest` : `${queue} to run it`;
}

const allEpisodesText = (episodes: number): string =>
  episodes === 1
    ? 'the only applicable episode is annotated'
    : `all ${episodes} applicable episodes are annotated`;

/**
 * Returns the reason why a layer cannot run here (not implemented, or a model missing that it always needs or that
 * the operator has set); `null` if it can.
 */
export function unavailableReason(
  { lane, not_served, needs }: Pick<LayerRow, 'lane' | 'not_served' | 'needs'>,
  missing: MissingModels,
): string | null {
  if (not_served !== null) return `not implemented: ${not_served}`;
  if (lane === null) return 'not implemented in this version; choose another layer';
  const lacks = needs.models.flatMap(({ surface, optional, when }) => {
    const model = missing.get(surface);
    const isRequired = (optional ?? when) === undefined || model?.enforced === true;
    return model === undefined || !isRequired ? [] : [{ surface, reason: model.reason }];
  });
  if (lacks.length === 0) return null;
  const names = lacks.map(({ surface }) => surface).join(', ');
  const reasons = lacks.map(({ reason }) => reason).join('; ');
  return `no model for ${names} is available here: ${reasons}; assay models list shows all models`;
}

/**
 * Returns a copy of the missing models, without `depth` if episodes hold recorded depth, since the layers then need
 * no model for it.
 */
export const missingForLayers = (missing: MissingModels, recorded_depth: boolean): MissingModels =>
  new Map([...missing].filter(([surface]) => !(recorded_depth && surface === 'depth')));

/**
 * Returns true if the layer is set to run and can run here, so that the next run executes it and costs without being
 * requested.
 */
export const willExecute = ({ id, runs }: ResolvedLayer, missing: MissingModels): boolean =>
  runs && unavailableReason(layerOf(id), missing) === null;

/** Number of episodes of a kind that carry a layer. */
export interface LayerCount {
  readonly layer: LayerId;
  /** Kind derived from the streams. */
  readonly kind: Kind;
  readonly episodes: number;
  /** Number of episodes that were processed without output. */
  readonly not_produced: number;
  /** Number of episodes with a quality value, and the sum of these values. */
  readonly assessed: number;
  readonly quality: number;
}

/** Coverage of a layer among the episodes of one kind. */
interface KindCoverage {
  readonly kind: Kind;
  readonly applicable: boolean;
  /** Reason if not applicable, else `null`. */
  readonly reason: string | null;
  readonly episodes: number;
  readonly covered: number;
  /** Number of episodes that were processed without output. */
  readonly not_produced: number;
  /** Covered fraction; `null` if not applicable or without episodes. */
  readonly coverage: number | null;
  /** Mean quality of the assessed episodes; `null` without any. */
  readonly quality: number | null;
  readonly assessed: number;
}

/**
 * Returns for each kind that has episodes how many of them carry the layer; if the project pins a kind, for this kind
 * with all episodes.
 */
export function computeCoverage(
  layer: LayerRow,
  episodes: KindCounts,
  pinned: Kind | null,
  counts: readonly LayerCount[],
): readonly KindCoverage[] {
  const layerCounts = counts.filter((count) => count.layer === layer.id);
  const total = (of: readonly Kind[]) => of.reduce((sum, kind) => sum + (episodes[kind] ?? 0), 0);
  if (pinned !== null) return [kindCoverage(layer, pinned, total(kinds), layerCounts)];
  const present = kinds.filter((kind) => (episodes[kind] ?? 0) > 0);
  return present.map((kind) =>
    kindCoverage(
      layer,
      kind,
      total([kind]),
      layerCounts.filter((count) => count.kind === kind),
    ),
  );
}

/**
 * Returns the number of episodes of applicable kinds that carry the layer (`covered`) or that were processed without
 * output (`not_produced`).
 */
export const countApplicable = (
  coverage: readonly KindCoverage[],
  member: 'covered' | 'not_produced',
): number => coverage.reduce((sum, kind) => sum + (kind.applicable ? kind[member] : 0), 0);

function kindCoverage(
  layer: LayerRow,
  kind: Kind,
  episodes: number,
  counts: readonly LayerCount[],
): KindCoverage {
  const sum = (member: 'episodes' | 'not_produced' | 'assessed' | 'quality') =>
    counts.reduce((all, count) => all + count[member], 0);
  const reason = layer.unfit[kind] ?? null;
  const applicable = reason === null;
  const covered = sum('episodes');
  const assessed = sum('assessed');
  return {
    kind,
    applicable,
    reason,
    episodes,
    covered,
    not_produced: sum('not_produced'),
    coverage: applicable && episodes > 0 ? clampedFraction(covered, episodes) : null,
    quality: assessed > 0 ? clampedFraction(sum('quality'), assessed) : null,
    assessed,
  };
}

/**
 * Returns why no quality is known for a layer on the episodes of a kind; `null` if it is known. `example`: reason of
 * one episode without output.
 */
export function missingQualityReason(
  { applicable, reason, episodes, covered, not_produced, quality }: KindCoverage,
  example: string | null,
): string | null {
  if (quality !== null) return null;
  if (!applicable) return `the layer does not apply: ${reason}`;
  if (episodes === 0) return 'there are no episodes';
  if (covered + not_produced === 0) return 'no episode has this layer yet';
  const exampleText = example === null ? '' : `; for example: ${example}`;
  if (covered === 0)
    return `the layer has no output for any of ${not_produced} processed episodes${exampleText}`;
  return `no quality was measured for any of ${covered} annotated episodes${exampleText}`;
}

/** Divides and clamps to 0 to 1, because the stored sum of qualities accumulates rounding errors. */
const clampedFraction = (part: number, of: number): number => Math.min(1, Math.max(0, part / of));
