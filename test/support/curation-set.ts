import { type Random, seededRandom } from '#core';
import type { CurationEpisode } from '#quality/curation';

const dims = 20;

/** Episodes of random facts; `missing` is the share of those whose descriptors were not made. */
export function curationSet(seed: number, count: number, missing = 0): CurationEpisode[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i): CurationEpisode => {
    const bare: CurationEpisode = {
      id: `episode_${String(i).padStart(6, '0')}`,
      decision: random.pick(['accept', 'review', 'reject']),
      score: random.next() < 0.1 ? null : random.next(),
      flags: random.next() < 0.3 ? ['camera_frozen'] : [],
      task: random.pick([null, 'pour', 'stack', 'wipe']),
      robot: random.pick(['left', 'right']),
      operator: random.pick([null, 'ann', 'ben']),
      outcome: random.pick(['success', 'failure', 'unknown']),
      duration_s: random.next() < 0.1 ? 0 : 30 * random.next(),
    };
    return random.next() < missing ? bare : { ...bare, ...described(random) };
  });
}

function described(random: Random) {
  const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => random.normal());
  const rows = random.integer(1, 12);
  return {
    content_hash: String(random.integer(0, 30)),
    motion: numbers(dims),
    picture: numbers(dims),
    idle: { head_s: 2 * random.next(), tail_s: 2 * random.next() },
    sample: {
      layout: 'state[3] action[2]',
      state_dims: 3,
      action_dims: 2,
      rows,
      states: numbers(3 * rows),
      actions: numbers(2 * rows),
    },
  };
}
