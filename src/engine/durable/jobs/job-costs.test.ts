import { expect, test } from 'vitest';
import type { JobRow } from '#store';
import { computeJobCost, deviceCosts } from './job-costs.ts';

const job = (compute_s: number, gpu_s: number): JobRow =>
  ({ compute_s, gpu_s, price_usd_per_s: 0.01, gpu_price_usd_per_s: 0.5, tokens_usd: 3 }) as JobRow;

test('a job costs what was measured on each device, by the price of that device, and its tokens', () => {
  expect(computeJobCost(job(10, 0))).toBeCloseTo(3.1, 9);
  expect(computeJobCost(job(10, 4))).toBeCloseTo(3 + 0.06 + 2, 9);
  expect(deviceCosts(job(10, 4))).toEqual([
    { device: 'cpu', compute_s: 6, cost_usd: 0.06 },
    { device: 'gpu', compute_s: 4, cost_usd: 2 },
  ]);
  expect(deviceCosts(job(10, 0))).toEqual([{ device: 'cpu', compute_s: 10, cost_usd: 0.1 }]);
  expect(deviceCosts(job(0, 0))).toEqual([]);
});
