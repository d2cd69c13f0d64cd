import type { Finding } from '#core/episode';
import { storeNotes } from '../../packs/notes.ts';
import { unpackRows } from '../../packs/row-section.ts';
import { TempFiles } from '../../spool/temp-files.ts';
import { below } from '../measure/unit-finding.ts';
import type { CompareAnswer, RunDataset } from '../messages.ts';
import type { OpenRun } from '../open-run.ts';
import type { StepContext } from '../step-context.ts';
import type { ComparedPack } from '../units.ts';
import { Comparer } from './comparer.ts';
import { conclude } from './conclude.ts';

/** Concludes some comparisons over all episodes of each dataset; what they note of episodes goes into a blob. */
export async function compare(
  packs: readonly ComparedPack[],
  only: readonly string[],
  openRun: OpenRun,
  context: StepContext,
): Promise<CompareAnswer> {
  const temp = new TempFiles();
  try {
    const comparer = new Comparer(
      openRun.datasets.map(({ facts }) => facts),
      () => temp.open(),
    );
    await collect(packs, new Set(only), comparer, context);
    const { findings, notes } = await comparer.conclude(async (tasks) => {
      const results = [];
      for (const task of tasks) {
        context.signal.throwIfAborted();
        results.push(conclude(task));
        // A turn of the event loop, in which a cancellation is heard.
        await new Promise(setImmediate);
      }
      return results;
    });
    const placed = findings.map((own, i) => {
      return [i, own.map((one) => fromSource(openRun.datasets[i], one))] as const;
    });
    return {
      findings: placed.filter(([, own]) => own.length > 0),
      notes: await storeNotes(notes, openRun.run, context),
    };
  } finally {
    temp.close();
  }
}

const fromSource = ({ recognised }: RunDataset, finding: Finding): Finding => ({
  ...finding,
  path: below(recognised.path, finding.path),
});

/** Row sections of a pack lie together, so each pack is one read; one is fetched while the last is unpacked. */
async function collect(
  packs: readonly ComparedPack[],
  only: ReadonlySet<string>,
  comparer: Comparer,
  context: StepContext,
): Promise<void> {
  const fetch = (pack: ComparedPack | undefined) => {
    const section = pack === undefined ? null : context.patiently(() => sectionOf(pack, context));
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
      comparer.add({ place, dataset, rows: unpackRows(section, only) });
    }
  }
}

async function sectionOf({ blob, units }: ComparedPack, { blobs }: StepContext) {
  const offset = Math.min(...units.map(({ rows }) => rows[0]));
  const end = Math.max(...units.map(({ rows }) => rows[0] + rows[1]));
  return { offset, bytes: await blobs.range(blob, offset, end - offset) };
}
