import { describe, expect, it } from 'vitest';
import { ArrayRooms } from './array-rooms.ts';

describe('memory for the numbers of episodes', () => {
  it('is that of the episode before, where it is large enough', () => {
    const rooms = new ArrayRooms();
    const first = rooms.of('action', 80);
    rooms.turn();
    expect(rooms.of('action', 96)).toBe(first);
    rooms.turn();
    expect(rooms.of('action', 800)).not.toBe(first);
  });

  it('is let go once an episode has no such stream', () => {
    const rooms = new ArrayRooms();
    const first = rooms.of('action', 80);
    rooms.turn();
    rooms.turn();
    expect(rooms.of('action', 80)).not.toBe(first);
  });
});
