import { type JsonObject, significant } from '#core';
import type { StreamRole } from '#core/episode';
import type { EditedFeature, EditStep } from '../edits/export-edit.ts';
import { planFeatures } from '../edits/registry.ts';
import { toUniqueNames } from '../output-files.ts';
import type { GridRule } from './grid.ts';
import type { StreamSummary } from './stream-summary.ts';

/** A numeric stream that every episode has. */
export interface ExportFeature {
  /** Name for files and columns. */
  readonly key: string;
  readonly stream: string;
  readonly role: StreamRole;
  readonly dims: number;
  /** One name per dimension. */
  readonly names: readonly string[];
  readonly unit: string;
  readonly type: 'float32' | 'float64';
}

/** A camera that every episode has. */
interface ExportCamera {
  readonly key: string;
  readonly stream: string;
}

/** Plan of a set of rows, used by all row formats. */
export interface SetPlan {
  readonly robot: string | null;
  /** Rows per second; `null` if unknown. */
  readonly rate_hz: number | null;
  readonly rule: GridRule;
  /** Requested rows per second; `null` for the recording's own rate. */
  readonly requested_hz: number | null;
  /** Streams that every row must have a sample of. */
  readonly requiredStreams: ReadonlySet<string>;
  readonly features: readonly ExportFeature[];
  readonly cameras: readonly ExportCamera[];
  /** Requested edits. */
  readonly steps: readonly EditStep[];
  /** Edited features by stream id; dropped streams are absent. */
  readonly edited: ReadonlyMap<string, EditedFeature>;
  /** Lineage entries about streams left out and the alignment of rows. */
  readonly edits: readonly JsonObject[];
}

/** Stream summaries of one episode. */
export interface EpisodeSummary {
  readonly id: string;
  readonly streams: readonly StreamSummary[];
}

/** Options of planning a set. */
export interface PlanOptions {
  readonly robot: string | null;
  readonly declared_rate_hz: number | null;
  /** Requested rate; `null` for the recording's own. */
  readonly rate_hz: number | null;
  /** True if the format holds pictures and no numbers. */
  readonly pictures_only: boolean;
  readonly steps: readonly EditStep[];
}

/**
 * Plans which streams of some episodes go into rows of one rate, and records what is left out and why; throws `usage`
 * if edits name missing features.
 */
export function planSet(episodes: readonly EpisodeSummary[], options: PlanOptions): SetPlan {
  const byId = Map.groupBy(
    episodes.flatMap(({ streams }) => streams),
    ({ id }) => id,
  );
  const { steps } = options;
  const declared = [...byId.values()].map(([first]) => declaredFeature(first));
  const edited = new Map(planFeatures(steps, declared).map((one) => [one.source, one]));
  const edits: JsonObject[] = [];
  const whole = new Map<string, readonly StreamSummary[]>();
  for (const [id, own] of byId) {
    if (!edited.has(id)) continue;
    const reason =
      options.pictures_only && own[0].dims > 0 ? picturesOnlyReason : explainExclusion(own, episodes.length);
    if (reason === null) whole.set(id, own);
    else edits.push(dropFeatureEdit(id, reason));
  }
  const grid = planGrid(whole, options);
  for (const [id, reason] of grid.excluded) edits.push(dropFeatureEdit(id, reason));
  const included = [...whole.values()].map(([first]) => first).filter(({ id }) => !grid.excluded.has(id));
  const keys = toUniqueNames(included.map(({ id }) => edited.get(id)!.key));
  const keyOf = ({ id }: StreamSummary) => keys.get(edited.get(id)!.key)!;
  const { rule, rate_hz, requiredStreams } = grid;
  return {
    ...{
      robot: options.robot,
      rate_hz,
      rule,
      requiredStreams,
      requested_hz: options.rate_hz,
      steps,
      edited,
    },
    features: included
      .filter(({ dims }) => dims > 0)
      .map((one) => buildFeature(one, keyOf(one), edited.get(one.id)!.factors)),
    cameras: included.filter(({ dims }) => dims === 0).map((one) => ({ key: keyOf(one), stream: one.id })),
    edits: [...edits, ...(options.pictures_only ? [] : gridEdit(rule, rate_hz))],
  };
}

/** Returns a stream as a feature for edits; cameras are declared as video. */
function declaredFeature({ id, dims, type, names, modality, role }: StreamSummary): EditedFeature {
  const dtype = dims > 0 ? type : role === 'camera' ? 'video' : modality;
  const declaration = { dtype, shape: [dims], names: names === null ? null : [...names] };
  return { key: id, source: id, declaration, shift: 0, factors: [] };
}

const dropFeatureEdit = (feature: string, reason: string): JsonObject => ({
  edit: 'drop_feature',
  feature,
  reason,
});

const picturesOnlyReason = 'this format stores images, not numbers';

/** Returns why a stream cannot be part of the set; `null` if every episode has it and it fits into rows. */
function explainExclusion(summaries: readonly StreamSummary[], episodes: number): string | null {
  const [{ modality, role, dims }] = summaries;
  if (modality === 'text') return 'text streams cannot be stored in rows; the task of the episode is kept';
  if (role === 'depth') return 'depth images are not written to this format';
  const hasPictures = role === 'camera' && (modality === 'image' || modality === 'video');
  if (dims === 0 && !hasPictures) return 'its samples are neither numbers nor images';
  const absent = summaries.find(({ missing }) => missing !== null);
  if (absent !== undefined) return `its images are missing: ${absent.missing}`;
  const withSamples = summaries.filter(({ samples }) => samples > 0).length;
  if (withSamples < episodes)
    return `only ${withSamples} of ${episodes} episodes have it; it is required in all`;
  if (summaries.some((one) => one.dims !== dims))
    return `its number of values per sample varies: ${[...new Set(summaries.map((one) => one.dims))].join(', ')}`;
  const event = summaries.find(({ event_driven }) => event_driven !== null);
  return event === undefined ? null : `it is event-driven and has no fixed rate: ${event.event_driven}`;
}

function buildFeature(
  { id, role, dims, names, unit, type }: StreamSummary,
  key: string,
  factors: EditedFeature['factors'],
): ExportFeature {
  const dimensionNames = names?.length === dims ? names : Array.from({ length: dims }, (_, i) => String(i));
  return { key, stream: id, role, dims, names: dimensionNames, unit: unitAfter(factors, unit, dims), type };
}

/** Returns the unit after conversions; `unknown` if only some dimensions were converted. */
function unitAfter(factors: EditedFeature['factors'], unit: string, dims: number): string {
  return factors.reduce((now, factor) => {
    if (now === factor.unit || new Set(factor.dims).size === dims) return factor.unit;
    return 'unknown';
  }, unit);
}

function gridEdit(rule: GridRule, rate_hz: number | null): JsonObject[] {
  if (rule.kind === 'rows') return [];
  const rows =
    rule.rate_hz === null ? `at the timestamps of ${rule.reference}` : `evenly at ${rule.rate_hz} Hz`;
  return [
    {
      edit: 'align',
      reference: rule.reference,
      rate_hz: rate_hz === null ? null : significant(rate_hz),
      rule: `rows are placed ${rows}; each row uses the latest sample of a stream at or before it, at most two sample periods old (or 20 ms, if longer)`,
    },
  ];
}

interface GridPlan {
  readonly rule: GridRule;
  readonly rate_hz: number | null;
  readonly requiredStreams: ReadonlySet<string>;
  /** Streams that cannot be aligned to rows, and why. */
  readonly excluded: ReadonlyMap<string, string>;
}

type Whole = ReadonlyMap<string, readonly StreamSummary[]>;

/**
 * Roles of the stream that rows are aligned to, in order of preference; among streams of one role the slowest is used.
 */
const referenceRoles = [
  'camera',
  'action',
  'state',
  'odometry',
  'attitude',
  'imu',
  'gnss',
  'vehicle',
] as const;
const requiredRoles: ReadonlySet<string> = new Set(['camera', 'action', 'state']);
/** Streams that cover less than this fraction of the reference stream are not required. */
const minCoverage = 0.8;

/** Plans how rows are formed. `whole`: by stream id, its summary in each episode, in episode order. */
function planGrid(
  whole: Whole,
  {
    rate_hz: asked,
    declared_rate_hz,
  }: { readonly rate_hz: number | null; readonly declared_rate_hz: number | null },
): GridPlan {
  const streams = [...whole.values()];
  const declared =
    declared_rate_hz ?? streams.flat().find((one) => one.declared_rate_hz !== null)?.declared_rate_hz;
  const reference = chooseReference(streams);
  const period_s = reference === null ? null : medianPeriod(reference);
  const own_hz = roundRate(declared ?? (period_s === null ? null : 1 / period_s));
  const isAsked = asked !== null && (own_hz === null || Math.abs(asked - own_hz) > 0.01 * own_hz);
  const clockless = period_s === null;
  if (clockless || (areSynchronous(streams) && !isAsked)) {
    const rows = reference ?? streams[0] ?? [];
    const apart = streams.filter((one) => !sameCounts(one, rows));
    return {
      rule: { kind: 'rows' },
      rate_hz: clockless ? (asked ?? own_hz) : own_hz,
      requiredStreams: new Set(),
      excluded: new Map(
        apart.map(([{ id, samples }]) => [
          id,
          `it has ${samples} samples without timestamps, but there are ${rows[0].samples} rows`,
        ]),
      ),
    };
  }
  const timeless = streams.filter((own) => own.some(({ first_s }) => first_s === null));
  return {
    rule: { kind: 'stamps', reference: reference![0].id, rate_hz: isAsked ? asked : null },
    rate_hz: isAsked ? asked : roundRate(1 / period_s),
    requiredStreams: chooseRequiredStreams(streams, reference!),
    excluded: new Map(
      timeless.map(([{ id }]) => [id, 'its samples have no timestamps, so they cannot be assigned to rows']),
    ),
  };
}

function chooseReference(streams: readonly (readonly StreamSummary[])[]): readonly StreamSummary[] | null {
  const timed = streams.filter((own) => own.every(({ period_s }) => period_s !== null));
  for (const role of referenceRoles) {
    const candidates = timed
      .filter(([one]) => one.role === role)
      .sort((a, b) => medianPeriod(b) - medianPeriod(a));
    if (candidates.length > 0) return candidates[0];
  }
  return timed.sort((a, b) => medianPeriod(b) - medianPeriod(a))[0] ?? null;
}

/** Returns the median over the episodes of the stream's median step, in seconds. */
function medianPeriod(summaries: readonly StreamSummary[]): number {
  const steps = summaries.map(({ period_s }) => period_s ?? 0).sort((a, b) => a - b);
  return steps[steps.length >> 1];
}

const sameCounts = (one: readonly StreamSummary[], other: readonly StreamSummary[]) =>
  one.every(({ samples }, index) => samples === other[index]?.samples);

/** True if all streams have equal sample counts, first and last times (within half a step). */
function areSynchronous(streams: readonly (readonly StreamSummary[])[]): boolean {
  const [first] = streams;
  return streams.every(
    (own) =>
      sameCounts(own, first) &&
      own.every(({ first_s, last_s }, index) => {
        const other = first[index];
        const half_s = (other.period_s ?? 0) / 2;
        if (first_s === null || last_s === null || other.first_s === null || other.last_s === null)
          return true;
        return Math.abs(first_s - other.first_s) <= half_s && Math.abs(last_s - other.last_s) <= half_s;
      }),
  );
}

function chooseRequiredStreams(
  streams: readonly (readonly StreamSummary[])[],
  reference: readonly StreamSummary[],
): Set<string> {
  const length = ({ first_s, last_s }: StreamSummary) => (last_s ?? 0) - (first_s ?? 0);
  const covers = (own: readonly StreamSummary[]) =>
    own.every((one, index) => length(one) >= minCoverage * length(reference[index]));
  const required = streams.filter(([one, ...rest]) => requiredRoles.has(one.role) && covers([one, ...rest]));
  return new Set([reference[0].id, ...required.map(([{ id }]) => id)]);
}

/** Rounds a rate to an integer within 0.05 %, else to six digits: 29.97 stays, 30.003 becomes 30. */
function roundRate(rate_hz: number | null): number | null {
  if (rate_hz === null || !(rate_hz > 0) || !Number.isFinite(rate_hz)) return null;
  const whole = Math.round(rate_hz);
  return whole > 0 && Math.abs(rate_hz - whole) <= 0.0005 * whole ? whole : significant(rate_hz, 6);
}
