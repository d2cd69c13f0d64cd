import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { certificationMetricIds } from '#core/api/bounds';
import { metrics } from './metric-registry.ts';

describe('the registry of metrics', () => {
  it('has a row for every id of the contract, in its order, and a file for each', () => {
    expect(metrics.ids).toEqual([...certificationMetricIds]);
    const files = readdirSync(new URL('./metrics/', import.meta.url)).map((name) => name.slice(0, -3));
    expect(files.sort()).toEqual(metrics.ids.map((id) => id.replaceAll(/[._]/g, '-')).sort());
  });
});
