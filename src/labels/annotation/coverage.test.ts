import { expect, test } from 'vitest';
import { layerOf } from './layer-registry.ts';
import { computeCoverage, countApplicable, type LayerCount } from './layer-status.ts';

const segments = layerOf('segments');
const count = (kind: LayerCount['kind'], episodes: number, assessed = 0, quality = 0): LayerCount => ({
  layer: 'segments',
  kind,
  episodes,
  not_produced: kind === 'teleop' ? 1 : 0,
  assessed,
  quality,
});
const of = (covered: readonly ReturnType<typeof computeCoverage>[number][]) =>
  countApplicable(covered, 'covered');

test('each kind that occurs has its own share and mean quality, over what could be assessed', () => {
  const found = computeCoverage(segments, { teleop: 8, 'state-only': 2, egocentric: 0 }, null, [
    count('teleop', 4, 3, 1.5),
    count('state-only', 2),
    { ...count('teleop', 8, 8, 8), layer: 'metadata' },
  ]);
  expect(found).toEqual([
    {
      kind: 'teleop',
      applicable: true,
      reason: null,
      episodes: 8,
      covered: 4,
      not_produced: 1,
      coverage: 0.5,
      quality: 0.5,
      assessed: 3,
    },
    {
      kind: 'state-only',
      applicable: true,
      reason: null,
      episodes: 2,
      covered: 2,
      not_produced: 0,
      coverage: 1,
      quality: null,
      assessed: 0,
    },
  ]);
  expect(of(found)).toBe(6);
  expect(countApplicable(found, 'not_produced')).toBe(1);
});

test('a kind that cannot carry the layer says why, and what it carries from before does not count', () => {
  const found = computeCoverage(segments, { teleop: 5, 'drive-log': 3 }, null, [
    count('teleop', 4),
    count('drive-log', 3),
  ]);
  expect(found[1]).toMatchObject({
    kind: 'drive-log',
    applicable: false,
    reason: segments.unfit['drive-log'],
    covered: 3,
    coverage: null,
  });
  expect(of(found)).toBe(4);
});

test('a pinned kind stands for that of all episodes, even before the first', () => {
  const counts = [count('teleop', 4, 4, 4), count('drive-log', 3, 1, 0)];
  const [pinned, ...rest] = computeCoverage(segments, { teleop: 5, 'drive-log': 3 }, 'egocentric', counts);
  expect(rest).toEqual([]);
  expect(pinned).toMatchObject({ kind: 'egocentric', episodes: 8, covered: 7, quality: 0.8, assessed: 5 });
  expect(computeCoverage(segments, {}, 'egocentric', [])).toMatchObject([{ episodes: 0, coverage: null }]);
  expect(computeCoverage(segments, {}, null, [])).toEqual([]);
});

test('a sum that is a last digit off is still a share', () => {
  const [over] = computeCoverage(segments, { teleop: 3 }, null, [count('teleop', 3, 3, 3.0000000000000004)]);
  const [under] = computeCoverage(segments, { teleop: 3 }, null, [count('teleop', 3, 3, -1e-17)]);
  expect([over.quality, under.quality]).toEqual([1, 0]);
});
