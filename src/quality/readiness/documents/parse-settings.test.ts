import { describe, expect, it } from 'vitest';
import { AssayError } from '#core';
import { parseSettings } from './validate.ts';

describe('settings that a person gave', () => {
  it('are taken as they are, ids of checks that are gone included', () => {
    const settings = { checks: { gone: { enabled: false, weight_factor: 99 } } };
    expect(parseSettings(settings)).toEqual(settings);
  });

  it.each([
    [{ checks: { image_integrity: { threshold: 1 } } }, '/checks/image_integrity'],
    [{ check: {} }, '/'],
    [[], '/'],
    ['x', '/'],
    [{ checks: { a: { enabled: 1 } } }, '/checks/a/enabled'],
  ])('are refused in another shape, with the place: %j', (raw, place) => {
    const refusal = expect.objectContaining({ code: 'invalid_settings', place });
    expect(() => parseSettings(raw)).toThrow(AssayError);
    expect(() => parseSettings(raw)).toThrow(refusal);
  });
});
