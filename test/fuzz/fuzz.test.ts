import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { mutationOf } from './fuzz-format.ts';
import { FuzzRunner } from './fuzz-runner.ts';
import { mutate } from './mutations.ts';
import { formatIds, seedsOf } from './seeds.ts';

const good = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 7) & 0xff));

describe('mutations', () => {
  it('are the same for the same seed and leave the good file as it is', () => {
    const before = Buffer.from(good);
    for (let seed = 0; seed < 300; seed++) {
      const [one, two] = [mutate(good, seededRandom(seed)), mutate(good, seededRandom(seed))];
      expect(one).toEqual(two);
    }
    expect(good).toEqual(before);
  });

  it('of bytes nearly always change them', () => {
    const changed = Array.from({ length: 300 }, (_, seed) => mutate(good, seededRandom(seed)));
    expect(changed.filter(({ bytes }) => !bytes.equals(good)).length).toBeGreaterThan(270);
  });

  it.each([0, 1, 2, 9])('take a file of %i bytes', (length) => {
    for (let seed = 0; seed < 200; seed++) mutate(good.subarray(0, length), seededRandom(seed));
  });
});

describe.each(formatIds)('%s', (format) => {
  it('has a seed: a conformance case, a row in test/fuzz/seeds.ts, or a recording in ../shared/data', async ({
    skip,
  }) => {
    const seeds = await seedsOf(format);
    skip(seeds.length === 0 && !existsSync('../shared/data'), 'needs ../shared/data');
    expect(seeds.length).toBeGreaterThan(0);
    const spoiled = seeds.map((seed) => mutationOf(seed, 5, 1));
    expect(spoiled).toEqual(seeds.map((seed) => mutationOf(seed, 5, 1)));
  });
});

describe('a runner', () => {
  it('ends what does not end by itself, and goes on with the next', async () => {
    const runner = new FuzzRunner({ time_s: 0.001, heap_mb: 512 });
    const files = new Map([['a.txt', Buffer.from('text')]]);
    expect(await runner.read({ files })).toMatchObject({ ended: 'hang' });
    await runner.close();
    const patient = new FuzzRunner({ time_s: 60, heap_mb: 512 });
    expect(await patient.read({ files })).toMatchObject({ errors: ['not_recognised'], faults: [] });
    await patient.close();
  });
});
