import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadinessSettings } from '#core/api';
import { checks } from './check-registry.ts';
import { parseSettings, verifyReceipt } from './documents/validate.ts';
import { resolveSettings } from './scoring.ts';
import { flaggedSubject, sealedReceipt } from './test-receipt.ts';

describe('settings', () => {
  it('are the checks’ own without any differences', () => {
    const { checks: resolved } = resolveSettings();
    for (const check of checks)
      expect(resolved[check.id]).toEqual({
        enabled: true,
        threshold: check.threshold.value,
        weight: check.weight,
      });
  });

  it('clamp offsets to ±0.2 and weights to 0..3 times the default', () => {
    const { weight, threshold } = checks.get('image_integrity')!;
    const far = { checks: { image_integrity: { threshold_offset: 9, weight_factor: 9 } } };
    expect(resolveSettings(far).checks.image_integrity).toMatchObject({
      threshold: threshold.value + 0.2,
      weight: 3 * weight,
    });
    const low = { checks: { image_integrity: { threshold_offset: -9, weight_factor: -9 } } };
    expect(resolveSettings(low).checks.image_integrity).toMatchObject({
      threshold: threshold.value - 0.2,
      weight: 0,
    });
  });

  it('have equal hashes if they evaluate equally, and different ones otherwise', () => {
    const hash = (settings?: ReadinessSettings) => resolveSettings(settings).settings_hash;
    const same = [
      undefined,
      {},
      { checks: {} },
      { checks: { image_integrity: { weight_factor: 1 } } },
      { checks: { gone: { enabled: false } } },
    ];
    expect(new Set(same.map(hash)).size).toBe(1);
    expect(hash({ checks: { image_integrity: { enabled: false } } })).not.toBe(hash({}));
  });

  it('have another hash with loaders, whatever their order, and the same without any', () => {
    const hash = (loaders: string[]) => resolveSettings({ loaders }).settings_hash;
    expect(hash([])).toBe(resolveSettings().settings_hash);
    expect(hash(['gr00t'])).not.toBe(hash([]));
    expect(hash(['gr00t', 'lerobot-0.4'])).toBe(hash(['lerobot-0.4', 'gr00t', 'gr00t']));
    const { json } = sealedReceipt(flaggedSubject(), { loaders: ['gr00t'] });
    expect(verifyReceipt(json)).toMatchObject({ ok: true, receipt: { loaders: ['gr00t'] } });
    expect(verifyReceipt(json.replace('["gr00t"]', '["gr00t-n1.5"]')).problems.join()).toMatch(
      /settings_hash/,
    );
  });

  it('of a file name only loaders that there are', () => {
    expect(() => parseSettings({ loaders: ['gr00t', 'lerobot-9'] })).toThrow(
      expect.objectContaining({ code: 'invalid_settings', place: '/loaders/1' }),
    );
  });

  it('resolve whatever numbers are stored, and receipts judged with them verify', () => {
    const subject = flaggedSubject();
    fc.assert(
      fc.property(
        fc.constantFrom(...checks.ids),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        (id, offset, factor, enabled) => {
          const settings = { checks: { [id]: { threshold_offset: offset, weight_factor: factor, enabled } } };
          expect(verifyReceipt(sealedReceipt(subject, settings).json)).toMatchObject({
            ok: true,
            problems: [],
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});
