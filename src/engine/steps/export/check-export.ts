import { AssayError } from '#core';
import { readEdits, readSetInfo, resolveSetFeatures } from '#formats/write';
import type { OpenedDataset, OpenedDatasets } from '../find-datasets.ts';
import {
  type ExportSettings,
  type ExportSource,
  editSteps,
  isLeRobotCopy,
  requireExportable,
  type StorableSettings,
} from './export-request.ts';

/** An export request, before the episodes are chosen. */
export interface ExportCheck extends ExportSettings {
  readonly sources: readonly Pick<ExportSource, 'name' | 'names' | 'trims'>[];
}

/**
 * Throws `usage` or `unreadable_input` if the sources' metadata show that an export cannot be made; measures nothing. Throws
 * `usage` if a source does not hold exactly one dataset, if edits name missing features or if merged sets differ;
 * `unreadable_input`.
 */
export function checkExport(all: readonly OpenedDatasets[], check: ExportCheck): void {
  const found = all.map((one) =>
    requireOneDataset(
      one.found.map((own) => ({ path: own.recognised.path, format: own.dataset.facts.format, own })),
    ),
  );
  requireExportable(
    check,
    found.map(({ format }) => format),
  );
  if (check.sources.length === 1 && Object.keys(check.edits ?? {}).length === 0) return;
  // Streams of other recordings are known only when they are read.
  if (!found.every(({ format }) => isLeRobotCopy(check.format, format))) return;
  const sets = found.map(({ own }, place) => readSetInfo(toCopySource(own, check.sources[place])));
  resolveSetFeatures(sets, null, readEdits(check.edits ?? {}));
}

/** Throws `usage` if edits of a copy name features that `meta/info.json` of the LeRobot dataset in `root` does not declare. */
export function requireCopyable(root: string, { edits = {}, trims }: StorableSettings): void {
  const set = readSetInfo({ name: '', root, names: {} });
  resolveSetFeatures([set], null, editSteps({ edits, sources: [{ trims }] }));
}

/** Returns the set as the LeRobot copier reads it. */
export const toCopySource = (
  { root }: OpenedDataset,
  { name, names }: Pick<ExportSource, 'name' | 'names'>,
) => ({
  name,
  root,
  names,
});

/** Returns the only dataset. Throws `usage` if there is not exactly one. */
export function requireOneDataset<Named extends { readonly path: string; readonly format: string }>(
  datasets: readonly Named[],
): Named {
  if (datasets.length === 1) return datasets[0];
  const some = datasets.slice(0, 5).map(({ path, format }) => `${path || '.'} (${format})`);
  throw new AssayError(
    'usage',
    `found ${datasets.length} datasets under the path; export writes one at a time`,
    { advice: `choose one: ${some.join(', ')}${datasets.length > 5 ? ', …' : ''}` },
  );
}
