import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmStart } from '#test/support/npm-start';
import type { Bench } from './bench.ts';
import { measureProcess } from './support/measured-process.ts';

const root = join(import.meta.dirname, '..');

async function timeStart(clone: string) {
  const { table_s, link_s, service_s, stop } = await npmStart(clone, process.env);
  await stop();
  return { table_s, link_s, service_s };
}

/** `npm start` in a fresh clone until the table and the link of the web application are printed, and again. */
export const freshCloneBench: Bench = {
  id: 'fresh-clone',
  title: 'npm start in a fresh clone, packages in the cache',
  run: async (options) => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-fresh-'));
    try {
      const clone = join(scratch, 'clone');
      await measureProcess('git', ['clone', '--quiet', root, clone]);
      const first = await timeStart(clone);
      const second = await timeStart(clone);
      options.print(
        `  first: table after ${first.table_s.toFixed(1)} s, link after ${first.link_s.toFixed(1)} s (at most 60), all assessed after ${first.service_s.toFixed(1)} s`,
      );
      options.print(
        `  second: table after ${second.table_s.toFixed(1)} s (at most 8), all after ${second.service_s.toFixed(1)} s`,
      );
      const passed = first.link_s <= 60 && second.table_s <= 8;
      return { passed, figures: { first, second } };
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};
