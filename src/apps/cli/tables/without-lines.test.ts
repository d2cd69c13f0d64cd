import { describe, expect, it } from 'vitest';
import { omittedLines } from './omitted-lines.ts';

const why = (reason: string) => (id: string) => ({ id, why: reason });

describe('episodes that are left out', () => {
  it('share a line where they share a reason, and numbers in a row are one run', () => {
    const drawn = ['ep_08', 'ep_09', 'ep_10', 'ep_14', 'lone'].map(why('not drawn'));
    expect(omittedLines([...drawn.slice(0, 2), why('score 0.2')('ep_03'), ...drawn.slice(2)])).toEqual([
      '  dropped 5 episodes (not drawn): ep_08-10, ep_14, lone',
      '  dropped ep_03: score 0.2',
    ]);
  });

  it('are counted where there are more reasons than lines, or more runs than fit', () => {
    const each = Array.from({ length: 25 }, (_, i) => why(`score 0.${i}`)(`e${i}`));
    expect(omittedLines(each)).toHaveLength(21);
    expect(omittedLines(each).at(-1)).toBe('  and 5 more; --json lists all');
    const odd = Array.from({ length: 25 }, (_, i) => why('one')(`e${2 * i}`));
    expect(omittedLines(odd)).toEqual(['  dropped 25 episodes (one): e0, e2, e4, e6, e8, e10, …']);
  });

  it('keep control characters of their names to themselves', () => {
    expect(omittedLines([why('x')('a\u001b[2Jb')])[0]).not.toContain('\u001b');
  });
});
