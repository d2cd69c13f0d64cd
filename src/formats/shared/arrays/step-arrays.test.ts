import { describe, expect, it } from 'vitest';
import { ArrayPool } from './step-arrays.ts';

describe('memory for the numbers of episodes', () => {
  it('is that of the episode before, where it is large enough', () => {
    const pool = new ArrayPool();
    const first = pool.acquire('action', 80);
    pool.nextEpisode();
    expect(pool.acquire('action', 96)).toBe(first);
    pool.nextEpisode();
    expect(pool.acquire('action', 800)).not.toBe(first);
  });

  it('is let go once an episode has no such stream', () => {
    const pool = new ArrayPool();
    const first = pool.acquire('action', 80);
    pool.nextEpisode();
    pool.nextEpisode();
    expect(pool.acquire('action', 80)).not.toBe(first);
  });
});
