import { canonicalJson, type JsonValue, sha256 } from '#kernel';
import { type Found, type FoundDatasets, findDatasets } from '../../assessment/datasets.ts';
import type { Recordings } from '../../assessment/recordings.ts';
import { unfinishedDataset, unfinishedError } from '../../assessment/unfinished.ts';
import type { OrderContext } from './order-context.ts';
import type { LookAnswer } from './thread-messages.ts';

/** What one job takes: enough that handing out costs nothing beside it, little enough that workers end together. */
const stretch = { episodes: 256, bytes: 64e6, units: 64 };
const unitsAtOnce = 1000;

/**
 * Finds what is under `path` and hands over its units; leaves the datasets open in the caller's hands. Throws as
 * `findDatasets`, and `unfinished` where a dataset could not be opened here.
 */
export async function look(
  path: Recordings,
  context: OrderContext,
): Promise<{ answer: LookAnswer; found: readonly Found[] }> {
  const all = await findDatasets(path, { onStep: () => context.signal.throwIfAborted() });
  try {
    if (all.unopened.length > 0)
      throw unfinishedError(all.unopened.map(unfinishedDataset), 'do it again, or resume the run');
    return { answer: await describe(all, context), found: all.found };
  } catch (thrown) {
    for (const { dataset } of all.found) await dataset.close().catch(() => {});
    throw thrown;
  }
}

interface UnitRow {
  readonly place: number;
  readonly dataset: number;
  readonly unit: Found['dataset']['units'][number];
}

async function describe(all: FoundDatasets, context: OrderContext): Promise<LookAnswer> {
  const units: UnitRow[] = all.found
    .flatMap(({ dataset }, place) => dataset.units.map((unit) => ({ dataset: place, unit })))
    .map((row, place) => ({ place, ...row }));
  for (let from = 0; from < units.length; from += unitsAtOnce) {
    await context.hand({ type: 'units', units: JSON.stringify(units.slice(from, from + unitsAtOnce)) });
  }
  await context.settled();
  return {
    type: 'looked',
    datasets: JSON.stringify(all.found.map(datasetRow)),
    findings: JSON.stringify(all.findings),
    units: units.length,
    episodes: units.reduce((sum, { unit }) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, { unit }) => sum + unit.bytes, 0),
    stretches: stretchesOf(units),
    found_hash: hashOf(all),
    planned: JSON.stringify(all.found.map(planned)),
  };
}

function datasetRow({ claim, root, dataset }: Found, place: number) {
  const { facts, recognition, findings } = dataset;
  return {
    ...namesOf(claim.path, facts.format),
    place,
    claim,
    root,
    facts,
    evidence: recognition.evidence,
    findings,
  };
}

const namesOf = (path: string, format: string) => ({ path: path === '' ? '.' : path, format });

function planned({ claim, dataset }: Found) {
  const { facts, units } = dataset;
  return {
    ...namesOf(claim.path, facts.format),
    version: facts.version,
    units: units.length,
    episodes: units.reduce((sum, unit) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, unit) => sum + unit.bytes, 0),
    cameras: facts.declared_cameras,
  };
}

/** Units side by side are mostly of one file, whose hash and footer their worker then works out once. */
function stretchesOf(units: readonly UnitRow[]): [number, number][] {
  const stretches: [number, number][] = [];
  let episodes = 0;
  let bytes = 0;
  for (const { place, unit } of units) {
    const last = stretches.at(-1);
    const full =
      last === undefined ||
      episodes >= stretch.episodes ||
      bytes >= stretch.bytes ||
      place - last[0] >= stretch.units;
    if (full) {
      stretches.push([place, place]);
      episodes = 0;
      bytes = 0;
    } else last[1] = place;
    episodes += unit.expected_episodes;
    bytes += unit.bytes;
  }
  return stretches;
}

/** Changes whenever a file that will be read, or what a dataset says of itself, has changed. */
function hashOf({ found, findings }: FoundDatasets): string {
  const seen = found.map(({ claim, dataset }) => ({
    claim,
    facts: dataset.facts,
    findings: dataset.findings,
    units: dataset.units,
  }));
  // What a reader keeps in a selector is its own; as JSON it is what crosses threads.
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ seen, findings })) as JsonValue));
}
