import type { JsonObject, JsonValue } from '#core';
import type { UnitOfMeasure } from '#core/episode';
import { isObject } from '../../metadata/info.ts';
import type { ColumnPlan } from './column-plan.ts';

const grip = /(gripper|finger|jaw|claw|hand)/i;
const jointLike = /(joint|shoulder|elbow|wrist|waist|hip|knee|ankle|motor|arm|neck|qpos)/i;

/**
 * The unit of a feature: as declared, else inferred from the set's own statistics where the range leaves one choice,
 * else unknown. Same names hide different scales in the wild, so a name alone decides nothing.
 */
export function unitOf(plan: ColumnPlan, stats: JsonObject | null): UnitOfMeasure {
  const { feature } = plan;
  if (feature.unit !== null) {
    return { unit: feature.unit, evidence: 'declared', reason: 'meta/info.json names the unit' };
  }
  const declared = unitInNames(feature.names);
  if (declared !== null) return declared;
  if (plan.role !== 'state' && plan.role !== 'action') return unknown('the set names no unit');
  const range = rangeOf(stats, feature.key);
  if (range === null) return unknown('the set names no unit and has no statistics to infer one from');
  return inferred(feature.names, range);
}

function unitInNames(names: readonly string[] | null): UnitOfMeasure | null {
  if (names === null || names.length === 0) return null;
  const suffixes: readonly (readonly [RegExp, string])[] = [
    [/([_./(]|\b)rad(ians?)?\)?$/i, 'rad'],
    [/([_./(]|\b)deg(rees?)?\)?$/i, 'deg'],
    [/[_./(](m|metres?|meters?)\)?$/i, 'm'],
  ];
  const said = names.map((name) => suffixes.find(([pattern]) => pattern.test(name))?.[1] ?? null);
  const [first] = said;
  if (said.some((unit) => unit === null) || first === null) return null;
  const unit = said.every((other) => other === first) ? first : 'mixed';
  return { unit, evidence: 'declared', reason: `the dimensions' names end in it, ${names[0]} for one` };
}

/** Largest magnitude over the dimensions that are no gripper. */
function inferred(
  names: readonly string[] | null,
  range: readonly (readonly [number, number])[],
): UnitOfMeasure {
  const isGripper = (dim: number) => names !== null && grip.test(names[dim] ?? '');
  const joints = names?.some((name) => jointLike.test(name)) ?? false;
  let magnitude = 0;
  range.forEach(([low, high], dim) => {
    if (!isGripper(dim)) magnitude = Math.max(magnitude, Math.abs(low), Math.abs(high));
  });
  const reach = `the set's statistics reach ${Number(magnitude.toPrecision(4))}`;
  if (!joints) return unknown(`${reach}, and no name says what the dimensions are`);
  if (magnitude > 100.5 && magnitude <= 720)
    return { unit: 'deg', evidence: 'measured', reason: `${reach}: past 100 and past 2π` };
  if (magnitude > 6.6) return unknown(`${reach}: degrees and −100..100 both fit`);
  if (magnitude > 1.05)
    return { unit: 'rad', evidence: 'measured', reason: `${reach}: past 1, within 2π, joints by name` };
  return unknown(`${reach}: radians and −1..1 both fit`);
}

function unknown(reason: string): UnitOfMeasure {
  return { unit: 'unknown', evidence: 'unknown', reason };
}

/** Least and greatest value a dimension from meta/stats.json, or from one line of episodes_stats. */
export function rangeOf(stats: JsonObject | null, key: string): [number, number][] | null {
  const entry = stats?.[key];
  if (!isObject(entry)) return null;
  const low = numbers(entry.min);
  const high = numbers(entry.max);
  if (low === null || high === null || low.length !== high.length || low.length === 0) return null;
  return low.map((value, dim) => [value, high[dim]]);
}

function numbers(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((entry): entry is number => typeof entry === 'number');
  return found.length === value.length ? found : null;
}
