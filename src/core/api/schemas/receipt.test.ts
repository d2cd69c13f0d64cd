import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readinessSettingsSchema } from '../settings.ts';
import { assessmentSchema } from './assessment.ts';
import { componentSchema, receiptSchema } from './receipt.ts';

describe('the contract', () => {
  it('can be given as JSON Schema that allows no unknown member', () => {
    const schema = z.toJSONSchema(receiptSchema);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema.required).toContain('content_hash');
    expect(z.toJSONSchema(assessmentSchema)).toMatchObject({ type: 'object' });
  });

  it('tells a scored check from one that was not', () => {
    const scored = { id: 'a', status: 'scored', score: 1, threshold: 0.5, weight: 1, inputs: {} };
    const unscored = { id: 'a', status: 'not_assessable', threshold: 0.5, weight: 1, reason: 'no clock' };
    for (const component of [scored, unscored])
      expect(componentSchema.safeParse(component).success).toBe(true);
    for (const component of [
      { ...scored, reason: 'x' },
      { ...unscored, score: 1 },
      { ...scored, score: 1.1 },
      { ...scored, status: 'passed' },
    ])
      expect(componentSchema.safeParse(component).success).toBe(false);
  });

  it('refuses settings of another shape', () => {
    expect(readinessSettingsSchema.safeParse({ checks: { a: { enabled: false } } }).success).toBe(true);
    expect(readinessSettingsSchema.safeParse({ checks: { a: { threshold: 0.4 } } }).success).toBe(false);
  });
});
