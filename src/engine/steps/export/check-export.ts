import { AssayError } from '#core';
import { readEdits, readSetInfo, setFeatures } from '#formats/write';
import type { Found, FoundDatasets } from '../look/datasets.ts';
import { demandExportable, isCopied } from './demand-exportable.ts';
import type { ExportAsked, ExportSource } from './export-task.ts';

/** What an export is asked, before it is known which episodes stay. */
export interface ExportCheck extends ExportAsked {
  readonly sources: readonly Pick<ExportSource, 'name' | 'names' | 'trims'>[];
}

/**
 * Whether an export can be made, as far as the metadata of its sources tells: nothing is measured. Throws `usage` where
 * there is not one dataset in each source, where edits name features that there are not, where sets differ;
 * `unreadable_input`.
 */
export function checkExport(all: readonly FoundDatasets[], check: ExportCheck): void {
  const found = all.map((one) =>
    demandOne(one.found.map((own) => ({ path: own.recognised.path, format: own.dataset.facts.format, own }))),
  );
  demandExportable(
    check,
    found.map(({ format }) => format),
  );
  if (check.sources.length === 1 && Object.keys(check.edits ?? {}).length === 0) return;
  // What streams recordings have is known when they are read.
  if (!found.every(({ format }) => isCopied(check.format, format))) return;
  const sets = found.map(({ own }, place) => readSetInfo(copySource(own, check.sources[place])));
  setFeatures(sets, null, readEdits(check.edits ?? {}));
}

export const copySource = ({ root }: Found, { name, names }: Pick<ExportSource, 'name' | 'names'>) => ({
  name,
  root,
  names,
});

/** Throws `usage` where there is not one. */
export function demandOne<Named extends { readonly path: string; readonly format: string }>(
  datasets: readonly Named[],
): Named {
  if (datasets.length === 1) return datasets[0];
  const some = datasets.slice(0, 5).map(({ path, format }) => `${path || '.'} (${format})`);
  throw new AssayError(
    'usage',
    `there are ${datasets.length} datasets under the path, and an export takes one`,
    { advice: `name one of them: ${some.join(', ')}${datasets.length > 5 ? ', …' : ''}` },
  );
}
