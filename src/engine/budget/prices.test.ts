import { describe, expect, it } from 'vitest';
import { flatPrices } from '#core/api';
import { computeTokenCost, findPrice, findTokenPrices } from './prices.ts';

const prices = {
  compute_usd_per_s: 1,
  devices: { gpu: 2 },
  layers: {
    depth: { compute_usd_per_s: 3, gpu: 4 },
    captions: { cpu: 0 },
    readiness: { compute_usd_per_s: 5 },
  },
  models: { 'qwen/qwen3-vl': { prompt_usd_per_mtok: 0.2, completion_usd_per_mtok: 0.6 } },
};

describe('a second of computing', () => {
  it('costs what the most exact word says: layer and device, layer, device, list', () => {
    const asked = [
      ['depth', 'gpu', 4],
      ['depth', 'cpu', 3],
      ['tracks', 'gpu', 2],
      ['tracks', 'cpu', 1],
      ['readiness', 'gpu', 5],
      ['no such layer', 'cpu', 1],
      ['constructor', 'cpu', 1],
    ] as const;
    for (const [layer, device, usd] of asked) expect(findPrice(prices, layer, device), layer).toBe(usd);
  });

  it('may cost nothing on one device and something on another', () => {
    expect([findPrice(prices, 'captions', 'cpu'), findPrice(prices, 'captions', 'gpu')]).toEqual([0, 2]);
  });

  it('costs nothing without a list, and one price in a flat one', () => {
    expect(findPrice(undefined, 'depth', 'gpu')).toBe(0);
    expect(findPrice(flatPrices(0.01), 'depth', 'gpu')).toBe(0.01);
  });
});

describe('tokens', () => {
  it('are priced by the million, prompt and completion apart', () => {
    const used = { prompt_tokens: 1_000_000, completion_tokens: 500_000 };
    expect(computeTokenCost(findTokenPrices(prices, 'qwen/qwen3-vl'), used)).toBeCloseTo(0.5, 12);
    expect(computeTokenCost(findTokenPrices(prices, 'other/model'), used)).toBe(0);
    expect(computeTokenCost(findTokenPrices(prices, 'constructor'), used)).toBe(0);
    expect(computeTokenCost(findTokenPrices(undefined, 'qwen/qwen3-vl'), used)).toBe(0);
  });
});
