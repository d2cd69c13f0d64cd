import { type JsonObject, listText, significant } from '#core';
import type { Finding } from '#core/episode';
import { bookkeepingColumns, type Feature, isObject } from '../../metadata/info.ts';
import { createLeRobotViolation, type LeRobotRuleId } from '../../rules/contract.ts';
import { inferRole } from '../episodes/column-plan.ts';
import { parseStatsEntry, type StatsEntry } from './episode-stats.ts';

/** Statistics of a feature. */
interface NamedEntry {
  readonly key: string;
  readonly entry: StatsEntry;
}

/**
 * Returns findings on a set's statistics that are visible without its rows: missing entries, non-finite values, std of
 * 0, quantiles out of order, pictures not on the scale 0 to 1. `ranges_only`: only min and max were pooled from
 * episodes.
 */
export function checkSetStats(
  stats: JsonObject,
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  path: string,
  ranges_only: boolean,
): Finding[] {
  const violation = (id: LeRobotRuleId, message: string) => createLeRobotViolation(layout, id, path, message);
  const entries = [...features.values()].flatMap(({ key }): NamedEntry[] => {
    const entry = stats[key];
    return isObject(entry) ? [{ key, entry: parseStatsEntry(entry) }] : [];
  });
  const trained = entries.filter(({ key }) => isTrained(features.get(key)!));
  const cameras = entries.filter(({ key }) => isCamera(features.get(key)!));
  return [
    ...findMissingEntries(stats, features, path, violation),
    ...(ranges_only ? [] : findMissingNumbers(trained, path, violation)),
    ...findNonFinite([...trained, ...cameras], path, violation),
    ...trained.flatMap((one) => checkStd(one, path, violation)),
    ...trained.flatMap((one) => checkQuantiles(one, path, violation)),
    ...(layout === 'v3' ? findMissingQuantiles(trained, path, violation) : []),
    ...cameras.flatMap((one) => checkPictureScale(one, path, violation)),
  ];
}

/** Creates the finding of a rule. */
type CreateFinding = (id: LeRobotRuleId, message: string) => Finding;

const isCamera = ({ dtype }: Feature): boolean => dtype === 'video' || dtype === 'image';

/** Returns true for state and action features, which policies normalise. */
function isTrained(feature: Feature): boolean {
  if (isCamera(feature) || bookkeepingColumns.has(feature.key)) return false;
  const role = inferRole(feature.key);
  return role === 'state' || role === 'action';
}

/** Reports features without an entry. */
function findMissingEntries(
  stats: JsonObject,
  features: ReadonlyMap<string, Feature>,
  path: string,
  violation: CreateFinding,
): Finding[] {
  const findings: Finding[] = [];
  const lacking = [...features.values()].filter(({ key }) => !isObject(stats[key]));
  const signals = lacking.filter(isTrained).map(({ key }) => key);
  if (signals.length > 0)
    findings.push(
      violation(
        'stats_incomplete',
        `${path} has no entry for ${listText(signals)}, so training does not normalise ${signals.length === 1 ? 'it' : 'them'}`,
      ),
    );
  const cameras = lacking.filter(isCamera).map(({ key }) => key);
  const declared = [...features.values()].filter(isCamera).length;
  if (cameras.length > 0 && cameras.length === declared)
    findings.push(
      violation(
        'camera_stats_none',
        `${path} has no entry for any camera: lerobot-train stops with a KeyError unless ImageNet statistics are disabled`,
      ),
    );
  else if (cameras.length > 0)
    findings.push(
      violation(
        'camera_stats_missing',
        `${path} has entries for other cameras, but not for ${listText(cameras)}`,
      ),
    );
  return findings;
}

/** Reports entries without min, max, mean or std. */
function findMissingNumbers(
  trained: readonly NamedEntry[],
  path: string,
  violation: CreateFinding,
): Finding[] {
  const lacking = trained.flatMap(({ key, entry }) =>
    requiredStatistics.filter((name) => entry[name] === null).map((name) => `${name} of ${key}`),
  );
  return lacking.length === 0
    ? []
    : [
        violation(
          'stats_incomplete',
          `${listText(lacking)} missing in ${path}: training stops with a ValueError`,
        ),
      ];
}

const requiredStatistics = ['min', 'max', 'mean', 'std'] as const;

/** Reports non-finite statistics. */
function findNonFinite(entries: readonly NamedEntry[], path: string, violation: CreateFinding): Finding[] {
  const bad = entries.flatMap(({ key, entry }) =>
    requiredStatistics
      .filter((name) => entry[name]?.some((value) => !Number.isFinite(value)))
      .map((name) => `${name} of ${key}`),
  );
  return bad.length === 0
    ? []
    : [violation('stats_not_a_number', `${path} contains NaN, Infinity or null in ${listText(bad)}`)];
}

/** Reports a std of 0: an error if the dimension moves, a note if it is constant. */
function checkStd({ key, entry }: NamedEntry, path: string, violation: CreateFinding): Finding[] {
  const { min, max, std } = entry;
  if (std === null) return [];
  const zero = std.flatMap((value, dim) => (value === 0 ? [dim] : []));
  const moving = zero.filter(
    (dim) => min?.[dim] !== undefined && max?.[dim] !== undefined && min[dim] < max[dim],
  );
  const still = zero.filter((dim) => !moving.includes(dim));
  const findings: Finding[] = [];
  if (moving.length > 0)
    findings.push(
      violation(
        'stats_std_zero',
        `std of ${key} in ${path} is 0 although min and max differ: ${formatDimensions(moving)}`,
      ),
    );
  if (still.length > 0)
    findings.push(
      violation(
        'stats_dimension_constant',
        `${key} is constant in ${formatDimensions(still)}: std in ${path} is 0`,
      ),
    );
  return findings;
}

/** Tolerance for quantiles: the library uses a float32 histogram of 5,000 bins. */
function quantileTolerance(range: number, value: number): number {
  return range / 1000 + Math.abs(value) * 2 ** -20 + 1e-8;
}

/** Reports quantiles out of order, and equal q01 and q99 of dimensions that move. */
function checkQuantiles({ key, entry }: NamedEntry, path: string, violation: CreateFinding): Finding[] {
  const { min, max, quantiles } = entry;
  const findings: Finding[] = [];
  const bad = new Set<number>();
  const steps: (readonly [string, readonly number[]])[] = [
    ...(min === null ? [] : [['min', min] as const]),
    ...quantiles.map(([level, values]) => [`q${String(level).padStart(2, '0')}`, values] as const),
    ...(max === null ? [] : [['max', max] as const]),
  ];
  if (quantiles.length === 0) return [];
  let first = '';
  for (let at = 1; at < steps.length; at++) {
    const [[lower, low], [upper, high]] = [steps[at - 1], steps[at]];
    low.forEach((value, dim) => {
      const slack = quantileTolerance(Math.abs((max?.[dim] ?? value) - (min?.[dim] ?? value)), value);
      if (!(value > high[dim] + slack)) return;
      if (bad.size === 0)
        first = `${lower} ${significant(value)} is above ${upper} ${significant(high[dim])}`;
      bad.add(dim);
    });
  }
  if (bad.size > 0)
    findings.push(
      violation(
        'stats_quantiles_wrong',
        `${path}: quantiles of ${key} are out of order or outside min and max in ${formatDimensions([...bad].sort((a, b) => a - b))} (${first})`,
      ),
    );
  const [q01, q99] = [1, 99].map((wanted) => quantiles.find(([level]) => level === wanted)?.[1]);
  const equal = (q01 ?? []).flatMap((value, dim) =>
    value === q99?.[dim] && !bad.has(dim) && (min?.[dim] ?? value) < (max?.[dim] ?? value) ? [dim] : [],
  );
  if (equal.length > 0)
    findings.push(
      violation(
        'stats_quantiles_equal',
        `${path}: q01 and q99 of ${key} are equal in ${formatDimensions(equal)}`,
      ),
    );
  return findings;
}

/** Reports features without quantiles. */
function findMissingQuantiles(
  trained: readonly NamedEntry[],
  path: string,
  violation: CreateFinding,
): Finding[] {
  const without = trained
    .filter(({ entry }) => !entry.quantiles.some(([level]) => level === 1))
    .map(({ key }) => key);
  return without.length === 0
    ? []
    : [
        violation(
          'stats_quantiles_absent',
          `${path} has no quantiles for ${listText(without)}: policies with quantile normalisation stop with a ValueError`,
        ),
      ];
}

/** Reports statistics of pictures that are not on the scale 0 to 1. */
function checkPictureScale({ key, entry }: NamedEntry, path: string, violation: CreateFinding): Finding[] {
  const largest = [...(entry.mean ?? []), ...(entry.max ?? [])].reduce((a, b) => Math.max(a, b), 0);
  // A mean over rounded pictures may pass 1 by a hair.
  if (!(largest > 1.01)) return [];
  return [
    violation(
      'picture_stats_scale',
      `statistics of ${key} in ${path} reach ${significant(largest)}, but LeRobot expects image values from 0 to 1`,
    ),
  ];
}

function formatDimensions(dims: readonly number[]): string {
  return `dimension${dims.length === 1 ? '' : 's'} ${listText(dims)}`;
}
