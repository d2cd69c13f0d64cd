import { expect, test } from 'vitest';
import { LruCache } from './caches.ts';

test('the least recently used is deleted first when there is too much', () => {
  const kept = new LruCache<string>(10, (text) => text.length);
  kept.put('a', 'aaaa');
  kept.put('b', 'bbbb');
  expect(kept.get('a')).toBe('aaaa');
  kept.put('c', 'cccc');
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual(['aaaa', undefined, 'cccc']);
});

test('what is put again counts once', () => {
  const kept = new LruCache<string>(10, (text) => text.length);
  for (let i = 0; i < 5; i++) kept.put('a', 'aaaa');
  kept.put('b', 'bbbb');
  expect([kept.get('a'), kept.get('b')]).toEqual(['aaaa', 'bbbb']);
});

test('what is too much by itself is not kept', () => {
  const kept = new LruCache<string>(3, (text) => text.length);
  kept.put('a', 'aaaa');
  expect(kept.get('a')).toBeUndefined();
});
