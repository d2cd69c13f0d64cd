import type { Finding } from '#core/episode';
import { TempFiles } from '../spool.ts';
import { Comparer, concludeComparison } from './comparer.ts';
import { prefixPath } from './measure/unit-faults.ts';
import type { CompareAnswer, RunDataset, StepContext } from './messages.ts';
import type { StoredRun } from './open-run.ts';
import { storeNotes } from './packs/notes.ts';
import { unpackUnitRows } from './packs/pack-file.ts';
import type { ComparedPack } from './units.ts';

/**
 * Runs the comparisons `only` over all episodes of each dataset, stores the notes about episodes in a blob, and returns the
 * findings per dataset.
 */
export async function comparePacks(
  packs: readonly ComparedPack[],
  only: readonly string[],
  openRun: StoredRun,
  context: StepContext,
): Promise<CompareAnswer> {
  const temp = new TempFiles();
  try {
    const comparer = new Comparer(
      openRun.datasets.map(({ facts }) => facts),
      () => temp.open(),
    );
    await addRows(packs, new Set(only), comparer, context);
    const { findings, notes } = await comparer.conclude(async (tasks) => {
      const results = [];
      for (const task of tasks) {
        context.signal.throwIfAborted();
        results.push(concludeComparison(task));
        // Yields to the event loop, so that a cancellation is received.
        await new Promise(setImmediate);
      }
      return results;
    });
    const placed = findings.map((own, i) => {
      return [i, own.map((one) => withSourcePath(openRun.datasets[i], one))] as const;
    });
    return {
      findings: placed.filter(([, own]) => own.length > 0),
      notes: await storeNotes(notes, openRun.run, context),
    };
  } finally {
    temp.close();
  }
}

const withSourcePath = ({ recognised }: RunDataset, finding: Finding): Finding => ({
  ...finding,
  path: prefixPath(recognised.path, finding.path),
});

/**
 * Adds the rows of all packs. The row sections of a pack are contiguous, so each pack is one read; the next is
 * fetched while the current one is unpacked.
 */
async function addRows(
  packs: readonly ComparedPack[],
  only: ReadonlySet<string>,
  comparer: Comparer,
  context: StepContext,
): Promise<void> {
  const fetch = (pack: ComparedPack | undefined) => {
    const section = pack === undefined ? null : context.retry(() => readSection(pack, context));
    section?.catch(() => {});
    return section;
  };
  let next = fetch(packs[0]);
  for (const [i, { units }] of packs.entries()) {
    context.signal.throwIfAborted();
    const { bytes, offset } = (await next)!;
    next = fetch(packs[i + 1]);
    for (const { place, dataset, rows } of units) {
      const section = bytes.subarray(rows[0] - offset, rows[0] - offset + rows[1]);
      comparer.add({ place, dataset, rows: unpackUnitRows(section, only) });
    }
  }
}

async function readSection({ blob, units }: ComparedPack, { blobs }: StepContext) {
  const offset = Math.min(...units.map(({ rows }) => rows[0]));
  const end = Math.max(...units.map(({ rows }) => rows[0] + rows[1]));
  return { offset, bytes: await blobs.range(blob, offset, end - offset) };
}
