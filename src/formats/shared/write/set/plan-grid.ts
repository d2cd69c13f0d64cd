import { significant } from '#core';
import type { GridRule } from './grid.ts';
import type { StreamSummary } from './stream-summary.ts';

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
export function planGrid(
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
