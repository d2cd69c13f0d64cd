import { seededRandom } from '#core';
import { type CurationEpisode, resolvePlan, runPlan, strategies } from '#quality/curation';
import type { Bench } from '../bench.ts';

const episodes = 10_000;
const slowest_s = 5;
const dims = 64;

/** Every strategy alone over 10,000 episodes, and its plan hash twice. */
export const curationSpeedBench: Bench = {
  id: 'curation-speed',
  title: `Curation of ${episodes.toLocaleString('en')} episodes, each strategy alone with its report`,
  run: async ({ print, quick }) => {
    const set = randomSet(quick ? episodes / 10 : episodes);
    const turned = [...set].reverse();
    const figures: Record<string, number> = {};
    let passed = true;
    for (const { id } of strategies) {
      const parameters = id === 'flag' ? { codes: ['camera_frozen'] } : {};
      const plan = resolvePlan({ seed: 7, stages: [{ strategy: id, parameters }] });
      // The processor's time of this process: what else the machine does is no part of it.
      const start = process.cpuUsage();
      const first = runPlan(plan, set);
      const { user, system } = process.cpuUsage(start);
      const took_s = (user + system) / 1e6;
      const same = runPlan(plan, turned).plan_hash === first.plan_hash;
      passed &&= same && took_s <= slowest_s;
      figures[`${id}_s`] = took_s;
      print(
        `  ${id.padEnd(26)} ${took_s.toFixed(2)} s, ${first.kept.length} kept, plan ${first.plan_hash.slice(0, 12)} ${same ? 'again' : 'CHANGED'}`,
      );
    }
    print(`  at most ${slowest_s} s each`);
    return { passed, figures };
  },
};

function randomSet(count: number): CurationEpisode[] {
  const random = seededRandom(11);
  const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => random.normal());
  const decisions = ['accept', 'accept', 'review', 'reject'] as const;
  return Array.from({ length: count }, (_, i): CurationEpisode => {
    const rows = 64;
    return {
      id: `episode_${String(i).padStart(6, '0')}`,
      decision: random.pick(decisions),
      score: random.next(),
      flags: random.next() < 0.1 ? ['camera_frozen'] : [],
      task: `task ${Math.floor(10 * random.next() ** 3)}`,
      robot: random.pick(['a', 'b']),
      operator: random.pick(['x', 'y', 'z']),
      outcome: random.pick(['success', 'success', 'success', 'failure']),
      duration_s: 5 + 20 * random.next(),
      content_hash: String(Math.floor(0.9 * count * random.next())),
      motion: numbers(dims),
      picture: numbers(dims),
      idle: { head_s: 2 * random.next(), tail_s: 3 * random.next() },
      sample: {
        layout: 'state[7] action[7]',
        state_dims: 7,
        action_dims: 7,
        rows,
        states: numbers(rows * 7),
        actions: numbers(rows * 7),
      },
    };
  });
}
