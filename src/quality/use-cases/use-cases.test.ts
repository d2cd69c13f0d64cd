import { describe, expect, it } from 'vitest';
import { exportFormatIds, settingBounds, targetProfileIds, useCaseAliases, useCaseIds } from '#core/api';
import { readers } from '#formats';
import { exportFormats } from '#formats/write';
import { checks } from '#quality/readiness';
import { describeUseCase, findUseCase, sourceFormats, targetProfiles, useCases } from './index.ts';

describe('use cases and target profiles', () => {
  it('has a row for every id of the contract', () => {
    expect(useCases.ids).toEqual(useCaseIds);
    expect(targetProfiles.ids).toEqual(targetProfileIds);
    expect(exportFormats.ids).toEqual(exportFormatIds);
  });

  it('resolves a former id to the row of today, and nothing else', () => {
    for (const [alias, id] of Object.entries(useCaseAliases)) {
      expect(findUseCase(alias)?.id).toBe(id);
      expect(describeUseCase(findUseCase(id)!, () => true).aliases).toContain(alias);
    }
    for (const id of ['', 'constructor', '__proto__', 'DATA-ASSESSMENT'])
      expect(findUseCase(id)).toBeUndefined();
  });

  it('says something of every format that is read', () => {
    for (const { id } of readers) expect(sourceFormats.get(id), id).toBeDefined();
  });

  it.each(useCases.rows)('gives a reason for whatever does not fit $id', (row) => {
    const shown = describeUseCase(row, () => true);
    for (const { fits, reason } of [...shown.source_formats, ...shown.export_formats])
      expect(reason === null).toBe(fits);
    for (const { reason, recommended, applicable } of shown.target_profiles) {
      expect(reason).not.toBe('');
      expect(!recommended || applicable).toBe(true);
    }
    expect(shown.target_profiles.some(({ applicable }) => applicable)).toBe(true);
    expect(shown.source_formats.some(({ fits }) => fits)).toBe(true);
  });

  it.each(useCases.rows)(
    'stresses checks that exist, within the bounds of settings, in $id',
    ({ emphasis }) => {
      const [least, most] = settingBounds.weight_factor;
      expect(new Set(emphasis.map(({ check }) => check)).size).toBe(emphasis.length);
      for (const { check, weight_factor } of emphasis) {
        expect(checks.ids).toContain(check);
        expect(weight_factor).toBeGreaterThanOrEqual(least);
        expect(weight_factor).toBeLessThanOrEqual(most);
      }
    },
  );

  it('recommends a target only where its export format and a kind of data fit', () => {
    for (const { targets, unfit_exports, expected_kinds, id } of useCases) {
      for (const profile of targetProfiles) {
        if (targets[profile.id].fit !== 'recommended') continue;
        expect(unfit_exports[profile.export_format], `${id} ${profile.id}`).toBeUndefined();
        expect(profile.kinds.some((kind) => expected_kinds.includes(kind))).toBe(true);
      }
    }
  });

  it('exports a target’s kinds of data in the target’s format', () => {
    for (const { export_format, kinds, id } of targetProfiles)
      for (const kind of kinds)
        expect(exportFormats.get(export_format)!.kinds, `${id} ${kind}`).toContain(kind);
  });
});
