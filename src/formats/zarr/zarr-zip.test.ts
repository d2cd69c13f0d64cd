import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type ReadSet, readEverything } from '#test/support/read-dataset';
import {
  action,
  codesOf,
  findingOf,
  numbersOf,
  range,
  state,
  streamOf,
  T,
} from '#test/support/replay-buffers';
import {
  type ArrayInput,
  addArray,
  type Files,
  replayFiles,
  writeFiles,
  type ZipInput,
  zipBytes,
} from '#test/support/zarr-files';
import { discover } from '../discovery/discover.ts';

describe('zips', () => {
  const umi: Readonly<Record<string, ArrayInput>> = {
    robot0_eef_pos: { shape: [T, 3] },
    robot0_eef_rot_axis_angle: { shape: [T, 3] },
    robot0_gripper_width: { shape: [T, 1], values: (i) => i / 200 },
    robot0_demo_start_pose: { shape: [T, 6], dtype: '<f8' },
  };
  const members = (files = replayFiles(umi, [4, T])): ZipInput[] =>
    [...files].map(([name, bytes]) => ({ name, bytes }));
  const zipped = async (bytes: Uint8Array): Promise<ReadSet> => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dataset.zarr.zip'), bytes);
    const { sets } = await readEverything(folder);
    return sets[0];
  };
  const whole = ({ episodes }: ReadSet) => episodes.map((episode) => numbersOf(episode, 'robot0_eef_pos'));
  const truth = [range(0, 12), range(12, 30)];

  it('of UMI: 59.94 Hz by its making, metres, no action, a width whose larger end is open', async () => {
    const set = await zipped(zipBytes(members()));
    expect(whole(set)).toEqual(truth);
    expect(codesOf(set)).toEqual(['rate_known_format', 'action_derived']);
    const [first] = set.episodes;
    expect(first.duration_s).toBeCloseTo(4 * (1001 / 60_000), 12);
    expect(streamOf(first, 'robot0_eef_pos')).toMatchObject({
      role: 'state',
      unit: { unit: 'm', evidence: 'known_format' },
    });
    expect(streamOf(first, 'robot0_eef_pos').clocks[0].provenance).toBe('synthesised');
    expect(streamOf(first, 'robot0_demo_start_pose').role).toBe('annotation');
    expect(first.grippers).toMatchObject([
      {
        stream: 'robot0_gripper_width',
        unit: 'm between the fingers, larger is open',
        open_value: null,
        evidence: 'known_format',
      },
    ]);
    expect(first.sources).toMatchObject([
      { path: 'dataset.zarr.zip', role: 'data', sha256: expect.any(String) },
    ]);
  });

  it('are read deflated, with one folder on top, and as zip64', async () => {
    expect(whole(await zipped(zipBytes(members().map((one) => ({ ...one, deflate: true })))))).toEqual(truth);
    expect(
      whole(await zipped(zipBytes(members().map((one) => ({ ...one, name: `top/${one.name}` }))))),
    ).toEqual(truth);
    expect(whole(await zipped(zipBytes(members(), true)))).toEqual(truth);
  });

  it('with a name twice: the last counts, and it is said', async () => {
    const old = { name: 'data/robot0_eef_pos/0.0', bytes: Buffer.alloc(120) };
    const set = await zipped(zipBytes([old, ...members()]));
    expect(whole(set)).toEqual(truth);
    expect(findingOf(set, 'zip_member_repeated')?.evidence).toEqual({ members: ['data/robot0_eef_pos/0.0'] });
  });

  it('with names that leave the folder: passed over, and it is said', async () => {
    const away = ['../../etc/cron.d/x', '/etc/passwd', 'a\\..\\b', 'C:/x'].map((name) => ({
      name,
      bytes: Buffer.from('x'),
    }));
    const set = await zipped(zipBytes([...away, ...members()]));
    expect(findingOf(set, 'zip_member_outside')?.message).toContain('4 zip members');
    expect(whole(set)).toEqual(truth);
  });

  const chunk = 'data/robot0_eef_pos/0.0';
  const change = (edit: Partial<ZipInput>) =>
    members().map((one) => (one.name === chunk ? { ...one, ...edit } : one));
  it.each<[string, Partial<ZipInput>]>([
    ['that inflates without end', { bytes: Buffer.alloc(5e7), deflate: true, plain_bytes: 120 }],
    ['that says it is huge', { deflate: true, plain_bytes: 0xfffffff0 }],
    ['that says it is larger than it is', { plain_bytes: 130, deflate: true }],
    ['that is encrypted', { encrypted: true }],
  ])('with a member %s: its chunk is damaged, the rest is read', async (_, edit) => {
    const set = await zipped(zipBytes(change(edit)));
    expect(findingOf(set.episodes[0], 'chunk_damaged')?.evidence).toEqual({
      array: 'robot0_eef_pos',
      chunks: [chunk],
    });
    expect(numbersOf(set.episodes[0], 'robot0_gripper_width')).toHaveLength(4);
  });

  it('with a member that does not fit its checksum', async () => {
    const bytes = zipBytes(members());
    const at = bytes.indexOf(chunk) + chunk.length + 20;
    bytes[at] ^= 1;
    const set = await zipped(bytes);
    expect(findingOf(set.episodes[0], 'chunk_damaged')?.message).toContain('checksum');
  });

  it('cut off, or of anything else, end in an error or are left alone', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dataset.zarr.zip'), zipBytes(members()).subarray(0, -60));
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unreadable_input',
      path: 'dataset.zarr.zip',
    });
    const other = await temporaryFolder();
    await writeFile(join(other, 'photos.zip'), zipBytes([{ name: 'a.txt', bytes: Buffer.from('a') }]));
    await expect(discover(other)).rejects.toMatchObject({ code: 'not_recognised' });
  });

  it('holding version 3 are refused', async () => {
    const folder = await temporaryFolder();
    const node = Buffer.from('{"zarr_format":3}');
    await writeFile(
      join(folder, 'x.zarr.zip'),
      zipBytes([{ name: 'meta/episode_ends/zarr.json', bytes: node }]),
    );
    await expect(discover(folder)).rejects.toMatchObject({ code: 'unsupported_version' });
  });

  it('beside folders are data sets of their own', async () => {
    const folder = await temporaryFolder();
    const files: Files = replayFiles({ state }, [4, T]);
    addArray(files, 'data/action', action);
    await writeFiles(join(folder, 'a'), files);
    await writeFile(join(folder, 'b.zip'), zipBytes(members()));
    const { sets } = await readEverything(folder);
    expect(sets.map(({ path, evidence, episodes }) => [path, evidence, episodes.length])).toEqual([
      ['a', ['meta/episode_ends/.zarray declares where episodes end'], 2],
      ['', ['b.zip contains meta/episode_ends/.zarray'], 2],
    ]);
  });
});
