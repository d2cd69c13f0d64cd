import { canonicalJson, type JsonValue, sha256, toJson } from '#core';
import type { Recordings } from '../../recordings/open-recordings.ts';
import { unfinishedDataset, unfinishedError } from '../measure/unfinished.ts';
import type { LookAnswer } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import { type Found, type FoundDatasets, findDatasets } from './datasets.ts';

const unitsAtOnce = 1000;

/**
 * Finds what is under `path` and hands over its units; leaves the datasets open in the caller's hands. Throws as
 * `findDatasets`, and `unfinished` where a dataset could not be opened here.
 */
export async function look(
  path: Recordings,
  context: StepContext,
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

async function describe(all: FoundDatasets, context: StepContext): Promise<LookAnswer> {
  const units = all.found
    .flatMap(({ dataset }, place) => dataset.units.map((unit) => ({ dataset: place, unit })))
    .map((row, place) => ({ place, ...row }));
  for (let from = 0; from < units.length; from += unitsAtOnce) {
    await context.hand({ type: 'units', units: toJson(units.slice(from, from + unitsAtOnce)) });
  }
  await context.settled();
  return {
    datasets: toJson(all.found.map(datasetRow)),
    findings: all.findings,
    units: units.length,
    episodes: units.reduce((sum, { unit }) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, { unit }) => sum + unit.bytes, 0),
    found_hash: hashOf(all),
    planned: all.found.map(planned),
  };
}

function datasetRow({ recognised, root, dataset }: Found, place: number) {
  const { facts, recognition, findings } = dataset;
  return {
    ...namesOf(recognised.path, facts.format),
    place,
    recognised,
    root,
    facts,
    evidence: recognition.evidence,
    findings,
  };
}

const namesOf = (path: string, format: string) => ({ path: path === '' ? '.' : path, format });

function planned({ recognised, dataset }: Found) {
  const { facts, units } = dataset;
  return {
    ...namesOf(recognised.path, facts.format),
    version: facts.version,
    units: units.length,
    episodes: units.reduce((sum, unit) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, unit) => sum + unit.bytes, 0),
    cameras: [...facts.declared_cameras],
  };
}

/** Changes whenever a file that will be read, or what a dataset says of itself, has changed. */
function hashOf({ found, findings }: FoundDatasets): string {
  const seen = found.map(({ recognised, dataset }) => ({
    claim: recognised,
    facts: dataset.facts,
    findings: dataset.findings,
    units: dataset.units,
  }));
  // What a reader keeps in a selector is its own; as JSON it is what crosses threads.
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ seen, findings })) as JsonValue));
}
