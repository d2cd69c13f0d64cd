import { type JsonObject, significant } from '#core';
import type { StreamRole } from '#core/episode';
import type { EditedFeature, EditStep } from '../edits/export-edit.ts';
import { planFeatures } from '../edits/plan-edits.ts';
import type { GridRule } from './grid.ts';
import { plainKeys } from './plain-key.ts';
import type { StreamSummary } from './stream-summary.ts';

/** A numeric stream that every episode has. */
export interface ExportFeature {
  /** For files and columns. */
  readonly key: string;
  readonly stream: string;
  readonly role: StreamRole;
  readonly dims: number;
  /** One a dimension. */
  readonly names: readonly string[];
  readonly unit: string;
  readonly type: 'float32' | 'float64';
}

/** A camera that every episode has. */
interface ExportCamera {
  readonly key: string;
  readonly stream: string;
}

/** What a set of rows holds, which all formats of rows go by. */
export interface SetPlan {
  readonly robot: string | null;
  /** Rows a second; null: nobody knows. */
  readonly rate_hz: number | null;
  readonly rule: GridRule;
  /** Rows a second that were asked for; null: nobody did. */
  readonly asked_hz: number | null;
  /** Streams without a sample of which there is no row. */
  readonly needed: ReadonlySet<string>;
  readonly features: readonly ExportFeature[];
  readonly cameras: readonly ExportCamera[];
  /** What was asked to be changed. */
  readonly steps: readonly EditStep[];
  /** By stream what becomes of it; those that are dropped are absent. */
  readonly edited: ReadonlyMap<string, EditedFeature>;
  /** What rows cannot hold and how they came about. */
  readonly edits: readonly JsonObject[];
}

export interface EpisodeSummary {
  readonly id: string;
  readonly streams: readonly StreamSummary[];
}

export interface PlanOptions {
  readonly robot: string | null;
  readonly declared_rate_hz: number | null;
  /** Asked for; null: the recording's own. */
  readonly rate_hz: number | null;
  /** The format holds pictures and no numbers. */
  readonly pictures_only: boolean;
  readonly steps: readonly EditStep[];
}

/**
 * Decides what of some episodes goes into rows of one rate, and says what does not and why. Throws `usage` where edits
 * name streams that there are not.
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
    const reason = options.pictures_only && own[0].dims > 0 ? noNumbers : whyNot(own, episodes.length);
    if (reason === null) whole.set(id, own);
    else edits.push(dropped(id, reason));
  }
  const grid = planGrid(whole, options);
  for (const [id, reason] of grid.apart) edits.push(dropped(id, reason));
  const held = [...whole.values()].map(([first]) => first).filter(({ id }) => !grid.apart.has(id));
  const keys = plainKeys(held.map(({ id }) => edited.get(id)!.key));
  const keyOf = ({ id }: StreamSummary) => keys.get(edited.get(id)!.key)!;
  const { rule, rate_hz, needed } = grid;
  return {
    ...{ robot: options.robot, rate_hz, rule, needed, asked_hz: options.rate_hz, steps, edited },
    features: held
      .filter(({ dims }) => dims > 0)
      .map((one) => featureOf(one, keyOf(one), edited.get(one.id)!.factors)),
    cameras: held.filter(({ dims }) => dims === 0).map((one) => ({ key: keyOf(one), stream: one.id })),
    edits: [...edits, ...(options.pictures_only ? [] : gridEdit(rule, rate_hz))],
  };
}

/** As edits look at it. Pictures may become video. */
function declaredFeature({ id, dims, type, names, modality, role }: StreamSummary): EditedFeature {
  const dtype = dims > 0 ? type : role === 'camera' ? 'video' : modality;
  const declaration = { dtype, shape: [dims], names: names === null ? null : [...names] };
  return { key: id, source: id, declaration, shift: 0, factors: [] };
}

const dropped = (feature: string, reason: string): JsonObject => ({
  edit: 'drop_feature',
  feature,
  reason,
});

const noNumbers = 'this format holds pictures and no numbers';

/** Null: every episode has it, and it fits into rows. */
function whyNot(own: readonly StreamSummary[], episodes: number): string | null {
  const [{ modality, role, dims }] = own;
  if (modality === 'text') return 'texts that change have no place in rows; the task of an episode is kept';
  if (role === 'depth') return 'depth pictures are not written to this format';
  const hasPictures = role === 'camera' && (modality === 'image' || modality === 'video');
  if (dims === 0 && !hasPictures) return 'its samples are no numbers and no pictures';
  const absent = own.find(({ missing }) => missing !== null);
  if (absent !== undefined) return `its pictures are not there: ${absent.missing}`;
  const there = own.filter(({ samples }) => samples > 0).length;
  if (there < episodes) return `${there} of ${episodes} episodes have it, and a set of rows needs it in all`;
  if (own.some((one) => one.dims !== dims))
    return `it has ${[...new Set(own.map((one) => one.dims))].join(' and ')} numbers a sample`;
  const event = own.find(({ event_driven }) => event_driven !== null);
  return event === undefined ? null : `it comes when something happens and at no rate: ${event.event_driven}`;
}

function featureOf(
  { id, role, dims, names, unit, type }: StreamSummary,
  key: string,
  factors: EditedFeature['factors'],
): ExportFeature {
  const own = names?.length === dims ? names : Array.from({ length: dims }, (_, i) => String(i));
  return { key, stream: id, role, dims, names: own, unit: unitAfter(factors, unit, dims), type };
}

/** `unknown` where only some of the dimensions were turned into another unit. */
function unitAfter(factors: EditedFeature['factors'], unit: string, dims: number): string {
  return factors.reduce((now, factor) => {
    if (now === factor.unit || new Set(factor.dims).size === dims) return factor.unit;
    return 'unknown';
  }, unit);
}

function gridEdit(rule: GridRule, rate_hz: number | null): JsonObject[] {
  if (rule.kind === 'rows') return [];
  const rows = rule.rate_hz === null ? `at the stamps of ${rule.reference}` : `evenly at ${rule.rate_hz} Hz`;
  return [
    {
      edit: 'align',
      reference: rule.reference,
      rate_hz: rate_hz === null ? null : significant(rate_hz),
      rule: `rows lie ${rows}; each takes of a stream the latest sample at or before it, at most two of the stream's own steps old (20 ms at least)`,
    },
  ];
}

interface GridPlan {
  readonly rule: GridRule;
  readonly rate_hz: number | null;
  readonly needed: ReadonlySet<string>;
  /** Streams that cannot be put on the rows, and why. */
  readonly apart: ReadonlyMap<string, string>;
}

type Whole = ReadonlyMap<string, readonly StreamSummary[]>;

/** Roles by which rows are laid, the first that is there; of streams of one role the slowest. */
const references = ['camera', 'action', 'state', 'odometry', 'attitude', 'imu', 'gnss', 'vehicle'] as const;
const neededRoles: ReadonlySet<string> = new Set(['camera', 'action', 'state']);
/** A stream over less of an episode than this is no reason to leave the rest of it out. */
const leastCover = 0.8;

/** Decides how rows come about. `whole`: by stream, what every episode has of it, in the order of episodes. */
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
  const reference = referenceOf(streams);
  const period_s = reference === null ? null : slowest(reference);
  const own_hz = tidyRate(declared ?? (period_s === null ? null : 1 / period_s));
  const isAsked = asked !== null && (own_hz === null || Math.abs(asked - own_hz) > 0.01 * own_hz);
  const clockless = period_s === null;
  if (clockless || (inStep(streams) && !isAsked)) {
    const rows = reference ?? streams[0] ?? [];
    const apart = streams.filter((one) => !sameCounts(one, rows));
    return {
      rule: { kind: 'rows' },
      rate_hz: clockless ? (asked ?? own_hz) : own_hz,
      needed: new Set(),
      apart: new Map(
        apart.map(([{ id, samples }]) => [
          id,
          `${samples} samples without a time beside ${rows[0].samples} rows`,
        ]),
      ),
    };
  }
  const timeless = streams.filter((own) => own.some(({ first_s }) => first_s === null));
  return {
    rule: { kind: 'stamps', reference: reference![0].id, rate_hz: isAsked ? asked : null },
    rate_hz: isAsked ? asked : tidyRate(1 / period_s),
    needed: neededOf(streams, reference!),
    apart: new Map(
      timeless.map(([{ id }]) => [id, 'its samples have no time, so that no row can take them']),
    ),
  };
}

function referenceOf(streams: readonly (readonly StreamSummary[])[]): readonly StreamSummary[] | null {
  const timed = streams.filter((own) => own.every(({ period_s }) => period_s !== null));
  for (const role of references) {
    const own = timed.filter(([one]) => one.role === role).sort((a, b) => slowest(b) - slowest(a));
    if (own.length > 0) return own[0];
  }
  return timed.sort((a, b) => slowest(b) - slowest(a))[0] ?? null;
}

/** Of all episodes the median of its usual step. */
function slowest(own: readonly StreamSummary[]): number {
  const steps = own.map(({ period_s }) => period_s ?? 0).sort((a, b) => a - b);
  return steps[steps.length >> 1];
}

const sameCounts = (one: readonly StreamSummary[], other: readonly StreamSummary[]) =>
  one.every(({ samples }, place) => samples === other[place]?.samples);

/** Every stream has as many samples as any other, from and to the same time. */
function inStep(streams: readonly (readonly StreamSummary[])[]): boolean {
  const [first] = streams;
  return streams.every(
    (own) =>
      sameCounts(own, first) &&
      own.every(({ first_s, last_s }, place) => {
        const other = first[place];
        const half_s = (other.period_s ?? 0) / 2;
        if (first_s === null || last_s === null || other.first_s === null || other.last_s === null)
          return true;
        return Math.abs(first_s - other.first_s) <= half_s && Math.abs(last_s - other.last_s) <= half_s;
      }),
  );
}

function neededOf(
  streams: readonly (readonly StreamSummary[])[],
  reference: readonly StreamSummary[],
): Set<string> {
  const length = ({ first_s, last_s }: StreamSummary) => (last_s ?? 0) - (first_s ?? 0);
  const covers = (own: readonly StreamSummary[]) =>
    own.every((one, place) => length(one) >= leastCover * length(reference[place]));
  const own = streams.filter(([one, ...rest]) => neededRoles.has(one.role) && covers([one, ...rest]));
  return new Set([reference[0].id, ...own.map(([{ id }]) => id)]);
}

/** 29.97 stays, 30.003 is 30. */
function tidyRate(rate_hz: number | null): number | null {
  if (rate_hz === null || !(rate_hz > 0) || !Number.isFinite(rate_hz)) return null;
  const whole = Math.round(rate_hz);
  return whole > 0 && Math.abs(rate_hz - whole) <= 0.0005 * whole ? whole : significant(rate_hz, 6);
}
