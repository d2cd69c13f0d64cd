import { enumerate, type JsonObject, significant } from '#core';
import type { Finding } from '#core/episode';
import { bookkeeping, type Feature, isObject } from '../../metadata/info.ts';
import { type LeRobotRuleId, lerobotBreach } from '../../rules/contract.ts';
import { roleOf } from '../episodes/column-plan.ts';
import { type StatsEntry, statsEntry } from './stats-entry.ts';

interface Named {
  readonly key: string;
  readonly entry: StatsEntry;
}

/**
 * What the statistics of a set get wrong or leave out, as far as that shows without its rows. `ranges_only`: only min and
 * max were pooled from episodes.
 */
export function statsFindings(
  stats: JsonObject,
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  path: string,
  ranges_only: boolean,
): Finding[] {
  const breach = (id: LeRobotRuleId, message: string) => lerobotBreach(layout, id, path, message);
  const entries = [...features.values()].flatMap(({ key }): Named[] => {
    const entry = stats[key];
    return isObject(entry) ? [{ key, entry: statsEntry(entry) }] : [];
  });
  const trained = entries.filter(({ key }) => isTrained(features.get(key)!));
  const cameras = entries.filter(({ key }) => isCamera(features.get(key)!));
  return [
    ...missingEntries(stats, features, path, breach),
    ...(ranges_only ? [] : missingNumbers(trained, path, breach)),
    ...notNumbers([...trained, ...cameras], path, breach),
    ...trained.flatMap((one) => stdFindings(one, path, breach)),
    ...trained.flatMap((one) => quantileFindings(one, path, breach)),
    ...(layout === 'v3' ? quantilesAbsent(trained, path, breach) : []),
    ...cameras.flatMap((one) => scaleFindings(one, path, breach)),
  ];
}

type Breach = (id: LeRobotRuleId, message: string) => Finding;

const isCamera = ({ dtype }: Feature): boolean => dtype === 'video' || dtype === 'image';

/** State and action: what policies normalise. */
function isTrained(feature: Feature): boolean {
  if (isCamera(feature) || bookkeeping.has(feature.key)) return false;
  const role = roleOf(feature.key);
  return role === 'state' || role === 'action';
}

function missingEntries(
  stats: JsonObject,
  features: ReadonlyMap<string, Feature>,
  path: string,
  breach: Breach,
): Finding[] {
  const findings: Finding[] = [];
  const lacking = [...features.values()].filter(({ key }) => !isObject(stats[key]));
  const signals = lacking.filter(isTrained).map(({ key }) => key);
  if (signals.length > 0)
    findings.push(
      breach('stats_incomplete', `${path} has no entry for ${enumerate(signals)}: it is not normalised`),
    );
  const cameras = lacking.filter(isCamera).map(({ key }) => key);
  const declared = [...features.values()].filter(isCamera).length;
  if (cameras.length > 0 && cameras.length === declared)
    findings.push(
      breach(
        'camera_stats_none',
        `${path} has no entry for any camera: lerobot-train stops with a KeyError unless ImageNet's statistics are switched off`,
      ),
    );
  else if (cameras.length > 0)
    findings.push(
      breach(
        'camera_stats_missing',
        `${path} has entries for other cameras and none for ${enumerate(cameras)}`,
      ),
    );
  return findings;
}

function missingNumbers(trained: readonly Named[], path: string, breach: Breach): Finding[] {
  const lacking = trained.flatMap(({ key, entry }) =>
    needed.filter((name) => entry[name] === null).map((name) => `${name} of ${key}`),
  );
  return lacking.length === 0
    ? []
    : [breach('stats_incomplete', `${path} lacks ${enumerate(lacking)}: training stops with a ValueError`)];
}

const needed = ['min', 'max', 'mean', 'std'] as const;

function notNumbers(entries: readonly Named[], path: string, breach: Breach): Finding[] {
  const bad = entries.flatMap(({ key, entry }) =>
    needed
      .filter((name) => entry[name]?.some((value) => !Number.isFinite(value)))
      .map((name) => `${name} of ${key}`),
  );
  return bad.length === 0
    ? []
    : [breach('stats_not_a_number', `${path} holds NaN, Infinity or null in ${enumerate(bad)}`)];
}

function stdFindings({ key, entry }: Named, path: string, breach: Breach): Finding[] {
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
      breach(
        'stats_std_zero',
        `${path} gives ${key} a std of 0 where its min and max differ: ${dimensions(moving)}`,
      ),
    );
  if (still.length > 0)
    findings.push(
      breach(
        'stats_dimension_constant',
        `${key} never changes in ${dimensions(still)}: its std in ${path} is 0`,
      ),
    );
  return findings;
}

/** The library counts in 5,000 parts of a range that it widens a little, in float32. */
function slackOf(range: number, value: number): number {
  return range / 1000 + Math.abs(value) * 2 ** -20 + 1e-8;
}

function quantileFindings({ key, entry }: Named, path: string, breach: Breach): Finding[] {
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
      const slack = slackOf(Math.abs((max?.[dim] ?? value) - (min?.[dim] ?? value)), value);
      if (!(value > high[dim] + slack)) return;
      if (bad.size === 0)
        first = `${lower} ${significant(value)} is above ${upper} ${significant(high[dim])}`;
      bad.add(dim);
    });
  }
  if (bad.size > 0)
    findings.push(
      breach(
        'stats_quantiles_wrong',
        `${path}: quantiles of ${key} are out of order or outside min and max in ${dimensions([...bad].sort((a, b) => a - b))} (${first})`,
      ),
    );
  const [q01, q99] = [1, 99].map((wanted) => quantiles.find(([level]) => level === wanted)?.[1]);
  const equal = (q01 ?? []).flatMap((value, dim) =>
    value === q99?.[dim] && !bad.has(dim) && (min?.[dim] ?? value) < (max?.[dim] ?? value) ? [dim] : [],
  );
  if (equal.length > 0)
    findings.push(
      breach('stats_quantiles_equal', `${path}: q01 and q99 of ${key} are equal in ${dimensions(equal)}`),
    );
  return findings;
}

function quantilesAbsent(trained: readonly Named[], path: string, breach: Breach): Finding[] {
  const without = trained
    .filter(({ entry }) => !entry.quantiles.some(([level]) => level === 1))
    .map(({ key }) => key);
  return without.length === 0
    ? []
    : [
        breach(
          'stats_quantiles_absent',
          `${path} has no quantiles of ${enumerate(without)}: policies that normalise by them stop with a ValueError`,
        ),
      ];
}

function scaleFindings({ key, entry }: Named, path: string, breach: Breach): Finding[] {
  const largest = [...(entry.mean ?? []), ...(entry.max ?? [])].reduce((a, b) => Math.max(a, b), 0);
  // A mean over rounded pictures may pass 1 by a hair.
  if (!(largest > 1.01)) return [];
  return [
    breach(
      'picture_stats_scale',
      `${path} gives pictures of ${key} values up to ${significant(largest)}: they are read as 0 to 1`,
    ),
  ];
}

function dimensions(dims: readonly number[]): string {
  return `dimension${dims.length === 1 ? '' : 's'} ${enumerate(dims)}`;
}
