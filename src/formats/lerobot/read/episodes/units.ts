import type { JsonObject, JsonValue } from '#core';
import type { UnitOfMeasure } from '#core/episode';
import { isObject } from '../../metadata/info.ts';
import type { ColumnPlan } from './column-plan.ts';

/** Dimension names of grippers. */
const gripperNames = /(gripper|finger|jaw|claw|hand)/i;
/** Dimension names of joints. */
const jointNames = /(joint|shoulder|elbow|wrist|waist|hip|knee|ankle|motor|arm|neck|qpos)/i;

/**
 * Infers the unit of a feature: declared, else from dimension names, else from the set's statistics if the range
 * leaves one choice, else unknown. Equal names have different scales in practice, so that a name alone decides
 * nothing.
 */
export function inferUnit(plan: ColumnPlan, stats: JsonObject | null): UnitOfMeasure {
  const { feature } = plan;
  if (feature.unit !== null) {
    return { unit: feature.unit, evidence: 'declared', reason: 'meta/info.json names the unit' };
  }
  const declared = unitInNames(feature.names);
  if (declared !== null) return declared;
  if (plan.role !== 'state' && plan.role !== 'action') return unknownUnit('the set names no unit');
  const range = readRanges(stats, feature.key);
  if (range === null) return unknownUnit('the set names no unit and has no statistics to infer one from');
  return inferFromRange(feature.names, range);
}

/** Returns the unit in the suffixes of all dimension names; null if one has none. */
function unitInNames(names: readonly string[] | null): UnitOfMeasure | null {
  if (names === null || names.length === 0) return null;
  const suffixes: readonly (readonly [RegExp, string])[] = [
    [/([_./(]|\b)rad(ians?)?\)?$/i, 'rad'],
    [/([_./(]|\b)deg(rees?)?\)?$/i, 'deg'],
    [/[_./(](m|metres?|meters?)\)?$/i, 'm'],
  ];
  const units = names.map((name) => suffixes.find(([pattern]) => pattern.test(name))?.[1] ?? null);
  const [first] = units;
  if (units.some((unit) => unit === null) || first === null) return null;
  const unit = units.every((other) => other === first) ? first : 'mixed';
  return { unit, evidence: 'declared', reason: `the dimensions' names end in it, ${names[0]} for one` };
}

/** Infers rad or deg from the largest magnitude of the dimensions other than grippers. */
function inferFromRange(
  names: readonly string[] | null,
  range: readonly (readonly [number, number])[],
): UnitOfMeasure {
  const isGripper = (dim: number) => names !== null && gripperNames.test(names[dim] ?? '');
  const joints = names?.some((name) => jointNames.test(name)) ?? false;
  let magnitude = 0;
  range.forEach(([low, high], dim) => {
    if (!isGripper(dim)) magnitude = Math.max(magnitude, Math.abs(low), Math.abs(high));
  });
  const reach = `the set's statistics reach ${Number(magnitude.toPrecision(4))}`;
  if (!joints) return unknownUnit(`${reach}, and no name says what the dimensions are`);
  if (magnitude > 100.5 && magnitude <= 720)
    return { unit: 'deg', evidence: 'measured', reason: `${reach}: past 100 and past 2π` };
  if (magnitude > 6.6) return unknownUnit(`${reach}: degrees and −100..100 both fit`);
  if (magnitude > 1.05)
    return { unit: 'rad', evidence: 'measured', reason: `${reach}: past 1, within 2π, joints by name` };
  return unknownUnit(`${reach}: radians and −1..1 both fit`);
}

function unknownUnit(reason: string): UnitOfMeasure {
  return { unit: 'unknown', evidence: 'unknown', reason };
}

/** Returns minimum and maximum per dimension from statistics by feature; null if they are missing or malformed. */
export function readRanges(stats: JsonObject | null, key: string): [number, number][] | null {
  const entry = stats?.[key];
  if (!isObject(entry)) return null;
  const low = numberList(entry.min);
  const high = numberList(entry.max);
  if (low === null || high === null || low.length !== high.length || low.length === 0) return null;
  return low.map((value, dim) => [value, high[dim]]);
}

function numberList(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((entry): entry is number => typeof entry === 'number');
  return found.length === value.length ? found : null;
}
