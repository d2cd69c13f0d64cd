import { expect, it } from 'vitest';
import type { Io } from '../io.ts';
import { createJobLine } from './job-line.ts';

function written(live: boolean): string {
  let text = '';
  const note = (more: string) => {
    text += more;
  };
  const line = createJobLine({ note, live, columns: 120 } as Io, 'captions');
  line.show({ done: 30, total: 60, eta_s: 20 });
  line.end();
  return text;
}

it('is a plain line in a log, and one with a bar that is rewritten on a terminal', () => {
  expect(written(false)).toBe('assay: captions: 30 of 60 episodes, about 20 s left\n');
  expect(written(true)).toMatch(/^\rassay: captions \[=+ +\] 30\/60 episodes, about 20 s left\r +\r$/);
});
