import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingBounds } from '#core/api';
import { checks, resolveSettings } from '#quality/readiness';
import { useCase, useCases } from '#quality/use-cases';
import { effectiveSettings } from './effective-settings.ts';
import { changeSettings } from './readiness-settings.ts';

const neutral = useCase('data-assessment');
const manipulation = useCase('robotic-manipulation');

describe('a change of readiness settings', () => {
  it('leaves what it does not name, clears what it names null or empty, and all for an empty object', () => {
    const stored = {
      checks: {
        signal_sync: { weight_factor: 2, threshold_offset: 0.1 },
        episode_length: { enabled: false },
      },
    };
    const change = (body: Parameters<typeof changeSettings>[1]) =>
      changeSettings(stored, body, neutral).stored;
    expect(change({})).toBe(stored);
    expect(change({ checks: { signal_sync: { enabled: false } } }).checks?.signal_sync).toEqual({
      enabled: false,
      threshold_offset: 0.1,
      weight_factor: 2,
    });
    expect(change({ checks: { signal_sync: { weight_factor: null } } }).checks?.signal_sync).toEqual({
      threshold_offset: 0.1,
    });
    expect(change({ checks: { signal_sync: {} } })).toEqual({
      checks: { episode_length: { enabled: false } },
    });
    expect(change({ checks: {} })).toEqual({});
  });

  it('brings numbers to their bounds and says so', () => {
    const { stored, adjusted } = changeSettings(
      {},
      { checks: { signal_sync: { threshold_offset: 0.7, weight_factor: -1 } } },
      neutral,
    );
    expect(stored).toEqual({ checks: { signal_sync: { threshold_offset: 0.2, weight_factor: 0 } } });
    expect(adjusted).toMatchObject([
      { pointer: '/body/checks/signal_sync/threshold_offset', asked: 0.7, stored: 0.2 },
      { pointer: '/body/checks/signal_sync/weight_factor', asked: -1, stored: 0 },
    ]);
  });

  it('refuses a check that there is not, and points at it', () => {
    const wrong = () => changeSettings({}, { checks: { 'signal/sync': {} } }, neutral);
    expect(wrong).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: { errors: [{ pointer: '/body/checks/signal~1sync', message: 'unknown check' }] },
      }),
    );
  });

  it('replaces the loaders, and leaves them with the checks', () => {
    const stored = { checks: { episode_length: { enabled: false } }, loaders: ['gr00t'] };
    const change = (body: Parameters<typeof changeSettings>[1]) =>
      changeSettings(stored, body, neutral).stored;
    expect(change({ checks: {} })).toEqual({ loaders: ['gr00t'] });
    expect(change({ loaders: ['lerobot-0.4', 'lerobot-0.4'] })).toEqual({
      ...stored,
      loaders: ['lerobot-0.4'],
    });
    for (const loaders of [null, []]) expect(change({ loaders })).toEqual({ checks: stored.checks });
    const unknown = { use_case: neutral.id, readiness_settings: { loaders: ['gr00t', 'gone'] } };
    expect(effectiveSettings(unknown)).toEqual({ loaders: ['gr00t'] });
  });

  it('refuses a loader that there is not, and names those that there are', () => {
    expect(() => changeSettings({}, { loaders: ['gr00t', 'lerobot-9'] }, neutral)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        advice: expect.stringContaining('lerobot-0.4 (LeRobot v3.0)'),
        details: { errors: [{ pointer: '/body/loaders/1', message: 'unknown loader' }] },
      }),
    );
  });

  it('stores no member that says what is inherited anyway, the use case’s weight included', () => {
    const body = {
      checks: {
        gripper_consistency: { weight_factor: 2, enabled: true, threshold_offset: 0 },
        signal_sync: { weight_factor: 1 },
      },
    };
    expect(changeSettings({}, body, manipulation).stored).toEqual({});
    const one = { checks: { gripper_consistency: { weight_factor: 1 } } };
    expect(changeSettings({}, one, manipulation).stored).toEqual(one);
  });
});

describe('the settings in effect', () => {
  const number = fc.double({ min: -5, max: 5, noNaN: true });
  const change = fc.dictionary(
    fc.constantFrom(...checks.ids),
    fc.record(
      { enabled: fc.boolean(), threshold_offset: number, weight_factor: number },
      { requiredKeys: [] },
    ),
  );

  it('are, as a file, what they are: within bounds, without defaults, with the same hash', () => {
    fc.assert(
      fc.property(fc.constantFrom(...useCases.rows), change, (row, asked) => {
        const { stored } = changeSettings({}, { checks: asked }, row);
        const file = effectiveSettings({ use_case: row.id, readiness_settings: stored });
        const read = JSON.parse(JSON.stringify(file));
        const resolved = resolveSettings(read);
        expect(resolveSettings(file).settings_hash).toBe(resolved.settings_hash);
        for (const { id, weight, threshold } of checks) {
          const stress = row.emphasis.find(({ check }) => check === id)?.weight_factor ?? 1;
          const { enabled = true, weight_factor = stress, threshold_offset = 0 } = asked[id] ?? {};
          const clamped = (value: number, [least, most]: readonly [number, number]) =>
            Math.min(most, Math.max(least, value));
          expect(resolved.checks[id].enabled).toBe(enabled);
          expect(resolved.checks[id].weight).toBeCloseTo(
            weight * clamped(weight_factor, settingBounds.weight_factor),
            4,
          );
          expect(resolved.checks[id].threshold).toBeCloseTo(
            clamped(threshold.value + clamped(threshold_offset, settingBounds.threshold_offset), [0, 1]),
            4,
          );
        }
      }),
    );
  });

  it('are the defaults where neither project nor use case says anything', () => {
    const file = effectiveSettings({ use_case: 'data-certification', readiness_settings: {} });
    expect(file).toEqual({});
  });

  it('ignore what is stored for a check that is gone', () => {
    const readiness_settings = { checks: { retired_check: { enabled: false } } };
    const file = effectiveSettings({ use_case: 'data-assessment', readiness_settings });
    expect(file).toEqual({});
  });
});
