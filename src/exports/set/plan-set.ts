import type { StreamRole } from '#episode';
import { type JsonObject, significant } from '#kernel';
import type { GridRule } from './grid.ts';
import { plainKeys } from './plain-key.ts';
import { planGrid } from './plan-grid.ts';
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
}

/** Decides what of some episodes goes into rows of one rate, and says what does not and why. */
export function planSet(episodes: readonly EpisodeSummary[], options: PlanOptions): SetPlan {
  const byId = Map.groupBy(
    episodes.flatMap(({ streams }) => streams),
    ({ id }) => id,
  );
  const edits: JsonObject[] = [];
  const whole = new Map<string, readonly StreamSummary[]>();
  for (const [id, own] of byId) {
    const reason = options.pictures_only && own[0].dims > 0 ? noNumbers : whyNot(own, episodes.length);
    if (reason === null) whole.set(id, own);
    else edits.push(dropped(id, reason));
  }
  const grid = planGrid(whole, options);
  for (const [id, reason] of grid.apart) edits.push(dropped(id, reason));
  const held = [...whole.values()].map(([first]) => first).filter(({ id }) => !grid.apart.has(id));
  const keys = plainKeys(held.map(({ id }) => id));
  const { rule, rate_hz, needed } = grid;
  return {
    ...{ robot: options.robot, rate_hz, rule, needed, asked_hz: options.rate_hz },
    features: held.filter(({ dims }) => dims > 0).map((one) => featureOf(one, keys.get(one.id)!)),
    cameras: held.filter(({ dims }) => dims === 0).map(({ id }) => ({ key: keys.get(id)!, stream: id })),
    edits: [...edits, ...(options.pictures_only ? [] : gridEdit(rule, rate_hz))],
  };
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

function featureOf({ id, role, dims, names, unit, type }: StreamSummary, key: string): ExportFeature {
  const own = names?.length === dims ? names : Array.from({ length: dims }, (_, i) => String(i));
  return { key, stream: id, role, dims, names: own, unit, type };
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
