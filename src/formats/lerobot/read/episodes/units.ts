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
    return { unit: feature.unit, evidence: 'declared', reason: 'declared in meta/info.json' };
  }
  const declared = unitInNames(feature.names);
  if (declared !== null) return declared;
  if (plan.role !== 'state' && plan.role !== 'action') return unknownUnit('the dataset declares no unit');
  const range = readRanges(stats, feature.key);
  if (range === null)
    return unknownUnit('the dataset declares no unit and has no statistics to infer one from');
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
  return { unit, evidence: 'declared', reason: `the dimension names end with it, for example ${names[0]}` };
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
  const reach = `the largest magnitude in the statistics is ${Number(magnitude.toPrecision(4))}`;
  if (!joints) return unknownUnit(`${reach}, and the dimension names do not identify joints`);
  if (magnitude > 100.5 && magnitude <= 720)
    return { unit: 'deg', evidence: 'measured', reason: `${reach}: more than 100 and more than 2π` };
  if (magnitude > 6.6) return unknownUnit(`${reach}: could be degrees or −100..100`);
  if (magnitude > 1.05)
    return {
      unit: 'rad',
      evidence: 'measured',
      reason: `${reach}: more than 1, within 2π, and the names are joints`,
    };
  return unknownUnit(`${reach}: could be radians or −1..1`);
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
