import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { measureProcess } from './support/measured-process.ts';

const root = join(import.meta.dirname, '..');

/** `npm start` in a fresh clone to the end of the printed table, and again. */
export const freshCloneBench: Bench = {
  id: 'fresh-clone',
  title: 'npm start in a fresh clone, packages in the cache',
  run: async (options) => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-fresh-'));
    try {
      const clone = join(scratch, 'clone');
      await measureProcess('git', ['clone', '--quiet', root, clone]);
      const first = await measureProcess('npm', ['start'], clone);
      const second = await measureProcess('npm', ['start'], clone);
      options.print(
        `  first ${first.wall_s.toFixed(1)} s (at most 60), second ${second.wall_s.toFixed(1)} s (at most 8)`,
      );
      const passed =
        first.exit_code === 0 && second.exit_code === 0 && first.wall_s <= 60 && second.wall_s <= 8;
      return { passed, figures: { first_s: first.wall_s, second_s: second.wall_s } };
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};
