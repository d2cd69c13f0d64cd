import { describe, expect, it } from 'vitest';
import { ArrayPool } from './step-arrays.ts';

describe('memory for the numbers of episodes', () => {
  it('is that of the episode before, where it is large enough', () => {
    const rooms = new ArrayPool();
    const first = rooms.acquire('action', 80);
    rooms.nextEpisode();
    expect(rooms.acquire('action', 96)).toBe(first);
    rooms.nextEpisode();
    expect(rooms.acquire('action', 800)).not.toBe(first);
  });

  it('is let go once an episode has no such stream', () => {
    const rooms = new ArrayPool();
    const first = rooms.acquire('action', 80);
    rooms.nextEpisode();
    rooms.nextEpisode();
    expect(rooms.acquire('action', 80)).not.toBe(first);
  });
});
