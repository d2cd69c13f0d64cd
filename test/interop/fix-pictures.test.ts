import { beforeAll, describe, expect, it } from 'vitest';
import { applyPlan, planFixes } from '#formats/fix';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { copyOfRecording } from './lerobot-recording.ts';
import { askScript, runScript } from './python-worker.ts';

type Entry = Record<string, unknown>;

interface Compared {
  readonly said: readonly Entry[];
  readonly found: readonly Entry[];
  readonly all: Entry;
  readonly pooled: Entry;
}

const numbers = (value: unknown): number[] => [value].flat(4) as number[];

/** The largest difference of any number that both have. */
function apart(a: Entry, b: Entry, names: readonly string[]): number {
  const off = names.flatMap((name) =>
    numbers(a[name]).map((value, at) => Math.abs(value - numbers(b[name])[at])),
  );
  return Math.max(...off);
}

const moments = ['mean', 'std'];
const levels = ['min', 'max', 'q01', 'q10', 'q50', 'q90', 'q99'];

describe.skipIf(!lerobotPython)(onLeRobot('statistics of pictures that assay fix computes'), () => {
  let compared: Compared;

  beforeAll(async () => {
    const folder = await copyOfRecording('set');
    await runScript('lerobot', 'fix_pictures.py', 'strip', folder);
    const options = { stamps: false, video: false };
    const plan = await planFixes({ root: folder, file: null }, options);
    expect(plan.changes.filter(({ what }) => what.includes('front'))).toHaveLength(6);
    await applyPlan(plan, '2026-01-01T00:00:00Z');
    expect((await planFixes({ root: folder, file: null }, options)).changes).toEqual([]);
    compared = await askScript('lerobot', 'fix_pictures.py', 'compare', folder);
  }, 600_000);

  it('are those of the library, but for how two decoders round colours', () => {
    expect(compared.said).toHaveLength(5);
    for (const [episode, said] of compared.said.entries()) {
      const found = compared.found[episode];
      expect(said.count, String(episode)).toEqual(found.count);
      expect(apart(said, found, moments), String(episode)).toBeLessThan(1.5 / 255);
      expect(apart(said, found, levels), String(episode)).toBeLessThan(4 / 255);
    }
  });

  it('are pooled for the set as the library pools them', () => {
    expect(apart(compared.all, compared.pooled, [...moments, ...levels, 'count'])).toBeLessThan(1e-9);
  });
});
