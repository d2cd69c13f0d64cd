import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { curationSet } from '#test/support/curation-set';
import { idsInFiles } from '#test/support/ids-in-files';
import type { CurationEpisode } from './curation-episode.ts';
import { resolvePlan } from './plan.ts';
import { strategies } from './registry.ts';
import { runPlan } from './run-plan.ts';

const run = (
  set: readonly CurationEpisode[],
  ...stages: { strategy: string; parameters?: Record<string, unknown> }[]
) => runPlan(resolvePlan({ stages }), set);

const plain: CurationEpisode = {
  id: 'a',
  decision: 'accept',
  score: 0.9,
  flags: [],
  task: 'pour',
  robot: 'arm',
  operator: 'ann',
  outcome: 'success',
  duration_s: 10,
};
const many = (count: number, of: (i: number) => Partial<CurationEpisode>): CurationEpisode[] =>
  Array.from({ length: count }, (_, i) => ({ ...plain, id: `e${String(i).padStart(3, '0')}`, ...of(i) }));

const moved = ({ motion }: CurationEpisode, by: number): Float32Array =>
  Float32Array.from(motion ?? [], (value) => value + by);

describe('strategies', () => {
  it('are all registered, and say what they do', () => {
    expect(idsInFiles(join(import.meta.dirname, 'strategies'))).toEqual(strategies.ids.toSorted());
    for (const { about, title } of strategies) expect(`${title} ${about}`.length).toBeGreaterThan(40);
  });

  it('drop exact copies but the best of them', () => {
    const set = many(4, (i) => ({ content_hash: i < 3 ? 'same' : 'other', score: [0.5, 0.9, 0.8, 0.1][i] }));
    const { kept, dropped } = run(set, { strategy: 'exact_duplicate' });
    expect(kept).toEqual(['e001', 'e003']);
    expect(dropped.map(({ reason }) => reason)).toEqual(['same content as e001', 'same content as e001']);
  });

  it('drop planted near copies and nothing else', () => {
    const base = curationSet(5, 30);
    const copies = base.slice(0, 5).map((episode, i) => ({
      ...episode,
      id: `z_copy_${i}`,
      motion: moved(episode, 0.01),
    }));
    const { dropped } = run([...base, ...copies], { strategy: 'near_duplicate' });
    expect(dropped.map(({ id }) => id)).toEqual(copies.map(({ id }) => id));
  });

  it('find the episode that is far from all others', () => {
    const base = curationSet(6, 40);
    const far = { ...base[7], motion: moved(base[7], 40) };
    const { dropped } = run([...base.slice(0, 7), far, ...base.slice(8)], { strategy: 'outlier' });
    expect(dropped.map(({ id }) => id)).toEqual([far.id]);
  });

  it('cut large groups to the size of the median one, and keep the best of them', () => {
    const set = many(12, (i) => ({ task: i < 8 ? 'pour' : i < 10 ? 'stack' : 'wipe', score: i / 20 }));
    const { kept, after } = run(set, { strategy: 'balance' });
    expect(after.by_task.map(({ episodes }) => episodes)).toEqual([2, 2, 2]);
    expect(kept.slice(0, 2)).toEqual(['e006', 'e007']);
  });

  it('cover every cluster with diversity before any twice', () => {
    const set = many(40, (i) => ({ motion: Float32Array.of(10 * (i % 4) + 0.01 * i, (i % 4) ** 2) }));
    const { kept } = run(set, { strategy: 'diversity', parameters: { keep: 0.1 } });
    expect(new Set(kept.map((id) => Number(id.slice(1)) % 4)).size).toBe(4);
  });

  it('mark idle ends and leave a margin', () => {
    const set = many(2, (i) => ({ idle: { head_s: i === 0 ? 2 : 0.1, tail_s: i === 0 ? 3 : 0 } }));
    const { kept, trims } = run(set, { strategy: 'idle_trim' });
    expect(kept).toHaveLength(2);
    expect(trims).toEqual({ e000: { from_s: 1.8, to_s: 7.2 } });
  });

  it('prefer episodes similar to failures', () => {
    const set = many(40, (i) => ({
      motion: Float32Array.of(i, i / 2, 1),
      outcome: i === 20 ? 'failure' : 'success',
    }));
    const { kept, boosts } = run(
      set,
      { strategy: 'failure_boost', parameters: { neighbours: 4 } },
      { strategy: 'random', parameters: { keep: 0.2 } },
    );
    expect(Object.keys(boosts)).toEqual(['e018', 'e019', 'e021', 'e022']);
    expect(kept).toEqual(expect.arrayContaining(['e018', 'e019', 'e021', 'e022']));
  });

  it('rank demonstrations whose actions follow from states above random ones', () => {
    const set = curationSet(9, 40).map((episode, i): CurationEpisode => {
      const rows = 30;
      const states = Float32Array.from({ length: 3 * rows }, (_, k) => Math.sin(1.7 * k + i));
      const noise = curationSet(i, 1)[0].motion ?? new Float32Array(20);
      const actions = Float32Array.from({ length: 2 * rows }, (_, k) =>
        i % 2 === 0 ? states[3 * (k >> 1) + (k % 2)] : noise[k % 20] * (1 + (k % 7)),
      );
      return { ...episode, sample: { layout: 'l', state_dims: 3, action_dims: 2, rows, states, actions } };
    });
    const { dropped } = run(set, { strategy: 'demonstration_information', parameters: { keep: 0.5 } });
    const odd = dropped.filter(({ id }) => Number(id.slice(-2)) % 2 === 1);
    expect(odd.length).toBeGreaterThanOrEqual(18);
  });

  it('do not compare episodes of different layouts, nor numbers that are not finite', () => {
    const set = many(10, (i) => ({
      motion: i === 0 ? Float32Array.of(1) : Float32Array.of(i, i === 1 ? Number.NaN : 1),
    }));
    const { stages } = run(set, { strategy: 'diversity' });
    expect(stages[0].reasons).toEqual([
      { reason: 'different motion layout than most episodes', episodes: 1 },
      { reason: 'non-finite motion descriptor', episodes: 1 },
    ]);
  });
});
