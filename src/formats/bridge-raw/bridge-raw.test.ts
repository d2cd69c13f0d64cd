import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clockOf, type Episode, timesOf } from '#core/episode';
import { type CaseFiles, placed, tinyPng, writeCase } from '#test/support/case-files';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-bridge-'));
afterAll(() => rmSync(top, { recursive: true }));
let made = 0;

async function read(files: CaseFiles) {
  const root = join(top, `set${made++}`);
  await writeCase(root, files);
  const { sets } = await readEverything(root);
  expect(sets.map(({ format }) => format)).toEqual(['bridge-raw']);
  return sets[0];
}

/** What would run a command if it were loaded. */
const pickle = Buffer.from('\x80\x02cposix\nsystem\nX\x04\x00\x00\x00exit\x85R.', 'latin1');
const recording = 'toykitchen2/set_table/00/2022-01-01_00-00-00';
const group = `${recording}/raw/traj_group0`;

function trajectory(
  steps: readonly number[],
  { cameras = ['images0'], lang }: { cameras?: readonly string[]; lang?: string | undefined } = {},
): CaseFiles {
  const pictures = cameras.flatMap((camera) =>
    steps.map((step) => [`${camera}/im_${step}.jpg`, tinyPng] as const),
  );
  return {
    ...Object.fromEntries(pictures),
    'obs_dict.pkl': pickle,
    'policy_out.pkl': pickle,
    ...(lang === undefined ? {} : { 'lang.txt': lang }),
  };
}

const counted = (count: number) => Array.from({ length: count }, (_, step) => step);
const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;
const finding = (episode: Episode, code: string) => episode.findings.find((one) => one.code === code);

describe('a trajectory of BridgeData V2', () => {
  it('has its pictures in the order of their numbers, at 5 Hz', async () => {
    const [episode] = (await read(placed(`${group}/traj0`, trajectory(counted(12))))).episodes;
    const camera = streamOf(episode, 'images0');
    expect(camera.frames?.locator).toEqual({
      type: 'image-files',
      paths: counted(12).map((step) => `${group}/traj0/images0/im_${step}.jpg`),
    });
    expect(clockOf(camera)).toMatchObject({ provenance: 'synthesised', name: 'step / 5 Hz' });
    expect(camera.clock?.reason).toContain('real timestamps are in a pickle');
    expect(timesOf(camera)![11]).toBeCloseTo(2.2, 9);
    expect(episode.duration_s).toBeCloseTo(2.4, 9);
    expect(episode.sources.every(({ role }) => role === 'image')).toBe(true);
    expect(episode.findings.map(({ code }) => code)).toEqual(['pickles_not_read']);
  });

  it('shows steps without a picture as a hole in time', async () => {
    const [episode] = (await read(placed(`${group}/traj0`, trajectory([0, 1, 4, 5, 7])))).episodes;
    expect(finding(episode, 'frames_missing')?.message).toBe('images0 has no images for steps 2 to 3, 6');
    expect([...timesOf(streamOf(episode, 'images0'))!]).toEqual([0, 0.2, 0.8, 1, 1.4]);
  });

  it('whose cameras end at different steps says so', async () => {
    const [episode] = (
      await read(
        placed(`${group}/traj0`, {
          ...trajectory(counted(6)),
          ...trajectory(counted(4), { cameras: ['images1', 'depth_images0'] }),
        }),
      )
    ).episodes;
    expect(finding(episode, 'camera_lengths_differ')?.evidence).toEqual({
      steps: { images0: 6, images1: 4, depth_images0: 4 },
    });
    expect(streamOf(episode, 'depth_images0').role).toBe('depth');
  });

  it('has no state, action or gripper, since these lie in pickles, which are named and never opened', async () => {
    const set = await read(placed(`${group}/traj0`, trajectory(counted(3))));
    const [episode] = set.episodes;
    expect(set.findings).toMatchObject([
      { code: 'pickles_not_read', evidence: { pickles: 2 }, advice: expect.stringContaining('RLDS') },
    ]);
    expect(finding(episode, 'pickles_not_read')?.severity).toBe('error');
    expect(episode.grippers).toEqual([]);
    for (const [id, role] of [
      ['policy_out.pkl', 'action'],
      ['obs_dict.pkl', 'state'],
    ] as const) {
      expect(streamOf(episode, id)).toMatchObject({
        role,
        modality: 'opaque',
        unit: { evidence: 'unknown' },
      });
      expect(streamOf(episode, id).series).toBeUndefined();
    }
  });

  it.each([
    ['put the pot on the stove\nconfidence: 1\n', ['put the pot on the stove']],
    ['open it\r\nopen it\r\n  close it ', ['open it', 'close it']],
    ['confidence: 0.3', []],
    ['', []],
    [undefined, []],
  ])('takes the lines of lang.txt %j as texts but those on confidence', async (lang, texts) => {
    const [episode] = (await read(placed(`${group}/traj0`, trajectory(counted(3), { lang })))).episodes;
    expect(episode.tasks?.map(({ text }) => text)).toEqual(texts);
    expect(episode.findings.map(({ code }) => code)).toEqual(['pickles_not_read']);
  });

  it.each([
    ['2021-07-22_23-59-59', true],
    ['2021-07-23_00-00-00', false],
    ['2019-01-01_00-00-00', true],
  ])('recorded at %s has late pictures: %s', async (moment, isLate) => {
    const files = placed(`x/00/${moment}/raw/traj_group0/traj0`, trajectory(counted(3)));
    const [episode] = (await read(files)).episodes;
    expect(finding(episode, 'camera_latency') !== undefined).toBe(isLate);
  });

  it('below a root that hides the day says that nothing says it', async () => {
    const set = await read(placed('traj_group3/traj1', trajectory(counted(3))));
    expect(set.findings.map(({ code }) => code)).toContain('recording_date_unknown');
    expect(set.episodes[0].findings.map(({ code }) => code)).toEqual(['pickles_not_read']);
  });

  it('that lacks a pickle is read and told, one that lacks pictures is told', async () => {
    const { 'policy_out.pkl': _, ...without } = trajectory(counted(3));
    const set = await read({
      ...placed(`${group}/traj0`, without),
      [`${group}/traj1/obs_dict.pkl`]: pickle,
    });
    expect(finding(set.episodes[0], 'episode_incomplete')?.message).toContain('policy_out.pkl');
    expect(set.unreadable).toMatchObject([{ finding: { code: 'episode_incomplete' }, index: 1 }]);
  });
});

describe('a set of BridgeData V2', () => {
  it('has its trajectories by number, below whatever folders', async () => {
    const set = await read({
      ...placed(`${group}/traj10`, trajectory(counted(2))),
      ...placed(`${group}/traj9`, trajectory(counted(2))),
      [`${recording}/collection_metadata.json`]: {},
      [`${recording}/diagnostics.png`]: tinyPng,
    });
    expect(set.episodes.map(({ id }) => id)).toEqual([`${group}/traj9`, `${group}/traj10`]);
  });

  it('leaves recordings of other formats beside it alone', async () => {
    const root = join(top, 'mixed');
    await writeCase(root, {
      ...placed(`bridge/${group}/traj0`, trajectory(counted(2))),
      'pictures/cat/a.jpg': tinyPng,
    });
    const { sets } = await readEverything(root);
    expect(sets.map(({ format, path }) => [format, path])).toEqual([
      ['bridge-raw', 'bridge'],
      ['pictures', ''],
    ]);
  });

  it('is not taken from folders of numbered pictures', async () => {
    const root = join(top, 'numbered');
    await writeCase(root, { 'images0/im_0.jpg': tinyPng, 'images0/im_1.jpg': tinyPng });
    const { sets } = await readEverything(root);
    expect(sets.map(({ format }) => format)).toEqual(['pictures']);
  });
});
