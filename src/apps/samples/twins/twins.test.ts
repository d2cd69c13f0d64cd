import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { idsInFiles } from '#test/support/ids-in-files';
import { gridEpisode } from '../teleop/lerobot-set.ts';
import { recordTake } from '../teleop/take.ts';
import { twins } from './registry.ts';

const peers = Array.from({ length: 9 }, (_, index) => gridEpisode(recordTake(3, index), 3, index));

describe('sound look-alikes', () => {
  it('are all registered', () => {
    expect(idsInFiles(import.meta.dirname)).toEqual([...twins.ids].sort());
  });

  it('differ from what they are made of, leave it alone and are the same for the same seed', () => {
    const before = textOf(peers);
    for (const twin of twins) {
      if (twin.of === 'video' || twin.flies === true) continue;
      const vary = () =>
        twin.of === 'set'
          ? twin.vary(peers, seededRandom(5))
          : [twin.vary(peers[6], seededRandom(5), peers) as Episode];
      const varied = vary();
      expect(varied, twin.id).not.toBeNull();
      const own = twin.of === 'set' ? peers : [peers[6]];
      expect(
        varied!.map(({ id }) => id),
        twin.id,
      ).toEqual(own.map(({ id }) => id));
      expect(textOf(varied), twin.id).not.toBe(textOf(own));
      expect(textOf(vary()), twin.id).toBe(textOf(varied));
    }
    expect(textOf(peers)).toBe(before);
  });
});

function textOf(episodes: unknown): string {
  return JSON.stringify(episodes, (_key, value: unknown) =>
    ArrayBuffer.isView(value) && 'length' in value ? Array.from(value as Float64Array, String) : value,
  );
}
