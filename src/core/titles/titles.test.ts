import { describe, expect, it } from 'vitest';
import { jobLayerIds, kindSchema, requirementIds, targetProfileIds, useCaseIds } from '#core/api';
import { certificationMetricIds } from '#core/api/bounds';
import * as titles from './index.ts';

describe('titles', () => {
  it.each([
    ['metric', titles.metricTitles, certificationMetricIds],
    ['layer', titles.layerTitles, jobLayerIds],
    ['use case', titles.useCaseTitles, useCaseIds],
    ['target', titles.targetTitles, targetProfileIds],
    ['requirement', titles.requirementTitles, requirementIds],
    ['kind', titles.kindTitles, kindSchema.options],
  ])('exist for each %s of the contract', (_, table, ids) => {
    expect(Object.keys(table).sort()).toEqual([...ids].sort());
  });

  it.each(Object.entries(titles).filter(([, table]) => typeof table === 'object'))(
    'are unambiguous, in sentence case and without underscores: %s',
    (name, table) => {
      const texts: readonly string[] = Object.values(table);
      for (const text of texts) expect(text).toMatch(/^(\p{Lu}|compress_len|3D).*[^.:\s]$/u);
      if (name !== 'findingTitles') expect(new Set(texts).size).toBe(texts.length);
    },
  );

  it('fall back to the id as words', () => {
    expect(titles.codeTitle('camera_frozen')).toBe('Frozen camera');
    expect(titles.codeTitle('crc_wrong')).toBe('CRC mismatch');
    expect(titles.codeTitle('tasks_without_index')).toBe('Tasks without index');
    expect(titles.codeTitle('coco_image_unknown')).toBe('COCO image unknown');
    expect(titles.codeTitle('toString')).toBe('ToString');
    expect(titles.kindTitle('drive-log')).toBe('Drive log');
  });
});
