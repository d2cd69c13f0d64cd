import { describe, expect, it } from 'vitest';
import { defineRegistry } from './registry.ts';

describe('a registry', () => {
  it('keeps the order of its rows and finds them by id', () => {
    const registry = defineRegistry([{ id: 'b' }, { id: 'a' }]);
    expect(registry.ids).toEqual(['b', 'a']);
    expect(registry.get('a')).toBe(registry.rows[1]);
    expect(registry.get('c')).toBeUndefined();
    expect([...registry]).toEqual(registry.rows);
  });

  it('refuses two rows of one id', () => {
    expect(() => defineRegistry([{ id: 'a' }, { id: 'a' }])).toThrow('two rows with the id a');
  });
});
