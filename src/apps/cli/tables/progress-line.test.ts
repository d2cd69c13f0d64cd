import { describe, expect, it } from 'vitest';
import type { Progress } from '#engine/local';
import type { Io } from '../io.ts';
import { createProgressLine } from './progress-line.ts';

function written(live: boolean, shown: readonly Partial<Progress>[]): string {
  let text = '';
  const io: Io = {
    out: async () => {},
    note: (more) => {
      text += more;
    },
    live,
    columns: 120,
    colours: false,
    signal: new AbortController().signal,
  };
  const line = createProgressLine(io, 'data');
  const usual = { stage: 'measure', bytes: 0, bytes_expected: 0, rate: 1, eta_s: null } as const;
  for (const one of shown)
    line.show({ ...usual, episodes: 0, episodes_expected: 1000, elapsed_s: 0, ...one });
  line.end();
  return text;
}

describe('progress', () => {
  it('is a line for each tenth in a log, with no bar and nothing to go back', () => {
    const shown = Array.from({ length: 1001 }, (_, episodes) => ({
      episodes,
      elapsed_s: episodes / 10,
      eta_s: 20,
    }));
    const lines = written(false, shown).split('\n').slice(0, -1);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('assay: measuring: 100 of 1,000 episodes (10 %), about 20 s left');
    expect(lines.join('')).not.toMatch(/[\r[\]=]/);
  });

  it('is a line every half minute in a log of slow work, and none of work that is done at once', () => {
    const slow = Array.from({ length: 601 }, (_, at) => ({ episodes: Math.floor(at / 100), elapsed_s: at }));
    expect(written(false, slow).split('\n').slice(0, -1)).toHaveLength(20);
    expect(written(false, [{ episodes: 1000, elapsed_s: 1 }])).toBe('');
  });

  it('is one line that is rewritten on a terminal', () => {
    const text = written(true, [{ episodes: 500 }, { episodes: 1000, eta_s: 1 }]);
    expect(text).toContain('[============            ] 500/1000 episodes');
    expect(text).not.toContain('\n');
    expect(text.endsWith(' \r')).toBe(true);
  });
});
