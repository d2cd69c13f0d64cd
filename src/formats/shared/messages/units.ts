import type { UnitOfMeasure } from '#core/episode';

export const unknownUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the message definition names no unit',
};

/** A unit that the message's own definition fixes (REP 103 for ROS: radians, metres, seconds). */
export function fixedBy(schema: string, unit: string, words: string): UnitOfMeasure {
  return { unit, evidence: 'known_format', reason: `${schema}: ${words}` };
}
