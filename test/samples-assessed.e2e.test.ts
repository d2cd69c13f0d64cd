import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { faults, recordingsFolder, type SampleManifest } from '#apps/samples';
import { type AssessmentResult, assess, type EpisodeVerdict } from '#engine/local';
import { runAssay } from './run-assay.ts';
import { sharedSamples } from './support/shared-samples.ts';

let recordings: string;
let manifest: SampleManifest;
let result: AssessmentResult;

beforeAll(async () => {
  ({ recordings, manifest } = await sharedSamples());
  result = await assess(recordings);
});

afterAll(() => result?.close());

/** Videos are taken together wherever they lie: theirs is the dataset of the folder itself. */
const nameOf = (path: string): string => (path === '.' ? 'egocentric' : path);

/** Verdicts of a set in the order of its episodes. */
function verdictsOf(path: string): EpisodeVerdict[] {
  const own = path.slice(recordingsFolder.length + 1);
  const dataset = result.datasets.findIndex(({ path: found }) => nameOf(found) === own);
  return result.verdicts.filter((verdict) => verdict.dataset === dataset).sort((a, b) => a.index - b.index);
}

/** Faults of lone pictures, which no family of the fault bench covers. */
const pictureFlags: Readonly<Record<string, readonly string[]>> = {
  black_picture: ['camera_black'],
  truncated_picture: ['image_undecodable', 'image_partly_undecodable'],
  box_outside: ['box_invalid'],
  duplicate_picture: ['image_duplicate'],
  blurred_picture: ['image_blurred'],
};

describe('the sample recordings, assessed', () => {
  it('are one dataset a set, of the kind that the set is of', () => {
    const kinds = Object.fromEntries(result.datasets.map(({ path, kind }) => [nameOf(path), kind]));
    expect(kinds).toEqual({
      'teleop-lerobot': 'teleop',
      'teleop-mcap': 'teleop',
      drive: 'drive-log',
      flight: 'aerial-flight',
      egocentric: 'egocentric',
      pictures: 'vision-asset',
    });
    for (const set of manifest.sets) expect(verdictsOf(set.path)).toHaveLength(set.episodes.length);
  });

  it('have every clean episode accepted without a flag', () => {
    for (const set of manifest.sets) {
      const verdicts = verdictsOf(set.path);
      for (const { index, planted } of set.episodes) {
        if (planted.length > 0) continue;
        const { decision, flags } = verdicts[index];
        expect({ set: set.path, index, decision, flags: flags.map(({ code }) => code) }).toEqual({
          set: set.path,
          index,
          decision: 'accept',
          flags: [],
        });
      }
    }
  });

  it('have every planted fault named by its flag', () => {
    for (const set of manifest.sets) {
      const verdicts = verdictsOf(set.path);
      for (const { index, planted } of set.episodes) {
        for (const { fault } of planted) {
          const right = faults.get(fault)?.flags ?? pictureFlags[fault];
          const raised = verdicts[index].flags.map(({ code }) => code);
          expect(
            raised.some((code) => right.includes(code)),
            `${set.path} ${index} ${fault}: ${raised}`,
          ).toBe(true);
        }
      }
    }
  });

  it('give receipts that still come out of their source, spans of shared files among them', async () => {
    const out = await mkdtemp(join(tmpdir(), 'assay-samples-assessed-'));
    onTestFinished(() => rm(out, { recursive: true, force: true }));
    const source = join(recordings, 'teleop-lerobot');
    expect((await runAssay(['assess', source, '--out', out])).code).toBe(0);
    const verified = await runAssay(['verify', join(out, 'receipts'), '--source', source]);
    expect(verified.out).toContain('again gives the same');
    expect(verified.code).toBe(0);
  });
});
