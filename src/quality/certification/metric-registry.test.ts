import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certificationMetricIds } from '#core/api/bounds';
import { idsInFiles } from '#test/support/ids-in-files';
import { metrics } from './metric-registry.ts';

describe('the registry of metrics', () => {
  it('has a row for every id of the contract, in its order, and for every metric of its files', () => {
    expect(metrics.ids).toEqual([...certificationMetricIds]);
    expect(idsInFiles(join(import.meta.dirname, 'metrics'))).toEqual([...metrics.ids].sort());
  });
});
