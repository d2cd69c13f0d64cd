import { rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { hdf5File, type WrittenGroup } from '@assay/hdf5/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode, GripperConvention } from '#core/episode';
import {
  alohaEpisode,
  demonstration,
  jpegLike,
  moving,
  paddedPictures,
  pixels,
  robomimicFile,
} from '#test/support/hdf5-recordings';
import { type DiscoveredDataset, discover } from '../discovery/discover.ts';
import type { PictureRequest, Unreadable } from '../shared/reader.ts';

const scratch = join(tmpdir(), `assay-hdf5-recordings-${process.pid}`);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let folders = 0;

/** A folder with these files, as it is discovered. */
async function opened(
  files: Readonly<Record<string, WrittenGroup | Uint8Array>>,
): Promise<DiscoveredDataset> {
  const folder = join(scratch, `${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    writeFileSync(path, content instanceof Uint8Array ? content : hdf5File(content));
  }
  const { datasets } = await discover(folder);
  expect(datasets).toHaveLength(1);
  return datasets[0];
}

async function read({ dataset }: DiscoveredDataset, look = false): Promise<(Episode | Unreadable)[]> {
  const found: (Episode | Unreadable)[] = [];
  for (const unit of dataset.units) for await (const one of dataset.read(unit, { look })) found.push(one);
  return found;
}

async function episodesOf(found: DiscoveredDataset): Promise<Episode[]> {
  return (await read(found)).map((one) => {
    if ('unreadable' in one) throw new Error(one.finding.message);
    return one;
  });
}

async function only(file: WrittenGroup): Promise<Episode> {
  return (await episodesOf(await opened({ 'one.hdf5': file })))[0];
}

const stream = ({ streams }: Episode, id: string) => streams.find((one) => one.id === id)!;
const codes = ({ findings }: { findings: readonly { code: string }[] }) =>
  findings.map(({ code }) => code).sort();

describe('ALOHA', () => {
  it('is told by its structure, one file an episode, whatever the files are called', async () => {
    const found = await opened({ 'b/x.bin.h5': alohaEpisode(30), 'b/y': alohaEpisode(20) });
    expect(found.dataset.facts).toMatchObject({ version: 'aloha', robot: 'aloha', declared_rate_hz: 50 });
    const episodes = await episodesOf(found);
    expect(episodes.map((episode) => stream(episode, 'action').sample_count)).toEqual([30, 20]);
    const roles = Object.fromEntries(episodes[0].streams.map(({ id, role }) => [id, role]));
    expect(roles).toEqual({
      action: 'action',
      base_action: 'action',
      'observations/qpos': 'state',
      'observations/qvel': 'state',
      'observations/effort': 'effort',
      'observations/images/cam_high': 'camera',
    });
    expect(stream(episodes[0], 'action').names?.[13]).toBe('right_gripper');
    expect(episodes[0]).toMatchObject({ tasks: null, outcome: { value: 'unknown' } });
  });

  it('has a clock that says it is the constant of the recording program', async () => {
    const episode = await only(alohaEpisode(30));
    const { clock, clocks } = stream(episode, 'observations/qpos');
    expect(clocks[0]).toMatchObject({ provenance: 'synthesised' });
    expect(clock?.reason).toContain('DT = 0.02 s');
    expect(clocks[0].time_s[29]).toBeCloseTo(0.58, 12);
    expect(episode.duration_s).toBeCloseTo(0.6, 12);
  });

  it('of another width is another robot: no rate, no names, no gripper', async () => {
    const file = alohaEpisode(10, { arrays: { action: moving(10, 7) } });
    const episode = await only(file);
    expect(episode).toMatchObject({ robot: null, duration_s: 0, grippers: [] });
    expect(stream(episode, 'action')).toMatchObject({ clock: null, names: null });
  });

  it('has the shift between observation and action told for robots, and not for simulations', async () => {
    expect(codes(await only(alohaEpisode(9, { sim: true })))).toEqual([]);
    expect(codes(await only(alohaEpisode(9, { sim: false })))).toEqual([
      'action_shift',
      'colour_order_unknown',
    ]);
    const unsaid = await only(alohaEpisode(9));
    expect(unsaid.findings.find(({ code }) => code === 'action_shift')?.evidence).toEqual({
      shift_steps: null,
    });
  });

  it('has colours as RGB only where a simulator made them', async () => {
    const layout = async (sim: boolean) =>
      stream(await only(alohaEpisode(9, { sim })), 'observations/images/cam_high').frames?.kept?.[0].layout;
    expect(await layout(true)).toEqual({ encoding: 'rgb8', width: 16, height: 12, step: 48 });
    expect((await layout(false))?.encoding).toBe('8UC3');
  });

  it('has arrays of unequal length named', async () => {
    const episode = await only(alohaEpisode(12, { sim: true, arrays: { base_action: moving(11, 2) } }));
    expect(episode.findings[0]).toMatchObject({
      code: 'array_length_mismatch',
      evidence: { steps: 12, arrays: { base_action: 11 } },
    });
  });

  it('gives padded JPEG without the zeros behind, whatever the order of compress_len', async () => {
    const rows = 6;
    const images = { arrays: { b: paddedPictures(rows), a: paddedPictures(rows) } };
    const lengths = Array.from({ length: rows }, (_, row) => jpegLike(row).length);
    const compress_len = { values: Float64Array.from([...lengths, ...lengths]), shape: [2, rows] };
    const episode = await only(alohaEpisode(rows, { sim: true, images, arrays: { compress_len } }));
    const { frames } = stream(episode, 'observations/images/a');
    expect(frames?.locator).toMatchObject({ type: 'embedded', encoding: 'jpeg' });
    expect([...(frames?.payloads?.bytes ?? [])]).toEqual(lengths);
    expect([...(frames?.payloads?.crc32 ?? [])]).toEqual(lengths.map((_, row) => crc32(jpegLike(row))));
    expect(codes(episode)).toEqual([]);
  });

  it('has lengths that fit no camera named', async () => {
    const compress_len = { values: Float64Array.from([1, 2, 3]), shape: [1, 3] };
    const images = { arrays: { a: paddedPictures(3) } };
    const episode = await only(alohaEpisode(3, { sim: true, images, arrays: { compress_len } }));
    expect(codes(episode)).toEqual(['compress_len_mismatch']);
  });

  it('gives JPEG of variable length', async () => {
    const images = { sequences: { cam: [0, 1, 2].map(jpegLike) } };
    const { frames } = stream(await only(alohaEpisode(3, { images })), 'observations/images/cam');
    expect([...(frames?.payloads?.bytes ?? [])]).toEqual([0, 1, 2].map((row) => jpegLike(row).length));
  });

  it('with a camera in another file names the link and opens nothing', async () => {
    const episode = await only(alohaEpisode(5, { sim: true, images: { external: { cam: '/etc/passwd' } } }));
    expect(episode.findings[0]).toMatchObject({ code: 'array_unreadable' });
    expect(episode.findings[0].message).toContain(
      'a link to another file (/etc/passwd); links are not followed',
    );
  });
});

describe('robomimic', () => {
  const demos = { demo_10: demonstration(8), demo_2: demonstration(6), demo_1: demonstration(5) };

  it('sorts demonstrations by number and takes the rate from env_args', async () => {
    const found = await opened({ 'low_dim.hdf5': robomimicFile(demos, { attributes: { total: 19 } }) });
    expect(found.dataset.facts).toMatchObject({ declared_rate_hz: 20, robot: 'Panda', declared_frames: 19 });
    expect(codes(found.dataset)).toEqual(['robomimic_transitions_missing']);
    const episodes = await episodesOf(found);
    expect(episodes.map(({ id }) => id)).toEqual(['low_dim/demo_1', 'low_dim/demo_2', 'low_dim/demo_10']);
    expect(stream(episodes[0], 'actions').clock?.reason).toContain('env_kwargs.control_freq');
    expect(episodes[0].outcome).toMatchObject({ value: 'success', evidence: 'known_format' });
    expect(stream(episodes[0], 'obs/agentview_image').role).toBe('camera');
    expect(stream(episodes[0], 'obs/robot0_joint_pos').unit).toMatchObject({
      unit: 'rad',
      evidence: 'known_format',
    });
  });

  it('leaves the outcome unknown where no reward is reached', async () => {
    const rewards = { values: new Float32Array(5), shape: [5] };
    const file = robomimicFile({ demo_0: demonstration(5, { arrays: { rewards } }) });
    expect((await only(file)).outcome).toMatchObject({ value: 'unknown', evidence: 'unknown' });
    const said = robomimicFile({ demo_0: demonstration(5, { attributes: { success: false } }) });
    expect((await only(said)).outcome).toMatchObject({ value: 'failure', evidence: 'declared' });
  });

  it('takes the task from ep_meta, and an empty one for none', async () => {
    const file = (ep_meta: string) =>
      robomimicFile({ demo_0: demonstration(5, { attributes: { ep_meta } }) });
    const source = 'ep_meta.lang of /data/demo_0';
    expect((await only(file('{"lang": "lift the cube"}'))).tasks).toEqual([
      { text: 'lift the cube', source },
    ]);
    expect((await only(file('{"lang": ""}'))).tasks).toEqual([]);
    expect((await only(file('{"other": 1}'))).tasks).toBeNull();
    expect((await only(file('no JSON'))).tasks).toBeNull();
  });

  it('tells splits, and names in them that are not there or are in both', async () => {
    const masks = { train: ['demo_1', 'demo_2', 'demo_77'], valid: ['demo_2', 'demo_10'] };
    const { dataset } = await opened({ 'a.hdf5': robomimicFile(demos, { masks }) });
    expect(codes(dataset)).toEqual([
      'robomimic_mask_demo_absent',
      'robomimic_masks_overlap',
      'robomimic_transitions_missing',
      'splits_declared',
    ]);
    expect(dataset.findings.find(({ code }) => code === 'splits_declared')?.evidence).toEqual({
      splits: { train: 3, valid: 2 },
    });
  });

  it('names counts that are wrong or absent, odd names, and what it leaves out', async () => {
    const short = demonstration(5, {
      attributes: { num_samples: 9 },
      groups: { next_obs: { arrays: { x: moving(5, 2) } } },
    });
    const { num_samples, ...none } = { num_samples: 0, x: 1 };
    const unnamed = { ...demonstration(4), attributes: none };
    const found = await opened({
      'a.hdf5': robomimicFile({ demo_0: short, odd: unnamed }, { attributes: { total: 3 } }),
    });
    expect(codes(found.dataset)).toEqual([
      'arrays_not_read',
      'metadata_count_mismatch',
      'robomimic_demo_name',
      'robomimic_transitions_missing',
    ]);
    const [first, second] = await episodesOf(found);
    expect(codes(first)).toContain('robomimic_num_samples_over');
    expect(codes(second)).toContain('robomimic_num_samples_missing');
    expect(num_samples).toBe(0);
  });

  it('goes on past a demonstration without actions', async () => {
    const file = robomimicFile({ demo_0: demonstration(4), demo_1: {}, demo_2: demonstration(3) });
    const found = await read(await opened({ 'a.hdf5': file }));
    expect(found.map((one) => ('unreadable' in one ? one.finding.code : one.id))).toEqual([
      'a/demo_0',
      'episode_unreadable',
      'a/demo_2',
    ]);
  });

  it('has numbers written over by the next until a demonstration has pictures, and never after', async () => {
    const numbers = (rows: number) =>
      demonstration(rows, { groups: { obs: { arrays: { x: moving(rows, 3) } } } });
    const demos = { demo_0: numbers(9), demo_1: numbers(9), demo_2: demonstration(9), demo_3: numbers(9) };
    const { dataset } = await opened({ 'a.hdf5': robomimicFile(demos) });
    const memory: unknown[] = [];
    for await (const one of dataset.read(dataset.units[0], { reuse_arrays: true }))
      if (!('unreadable' in one)) memory.push(stream(one, 'actions').series?.values.buffer);
    expect(memory[1]).toBe(memory[0]);
    expect(memory[2]).toBe(memory[0]);
    expect(memory[3]).not.toBe(memory[2]);
  });

  it('of LIBERO has its task in problem_info', async () => {
    const problem_info = JSON.stringify({ language_instruction: ['pick', 'up', 'the', 'bowl'] });
    const episode = await only(
      robomimicFile({ demo_0: demonstration(5) }, { attributes: { problem_info, tag: 'libero-v1' } }),
    );
    expect(episode.tasks?.[0].text).toBe('pick up the bowl');
  });
});

describe('grippers in HDF5 (formats.md 18.2)', () => {
  const find = ({ grippers }: Episode, id: string, at: number): GripperConvention | undefined =>
    grippers.find(({ stream: name, dimension }) => name === id && dimension === at);
  const aloha = (gripper: readonly [number, number]) => alohaEpisode(20, { sim: true, gripper });
  const suite = robomimicFile({ demo_0: demonstration(9) });
  const isaac = robomimicFile(
    { demo_0: demonstration(9) },
    { attributes: { env_args: '{"env_name": "Isaac-Stack-Cube-Franka-IK-Rel-v0", "type": 2}' } },
  );

  it.each([
    ['ALOHA state', aloha([0, 1]), 'observations/qpos', 6, 1, 'known_format'],
    ['ALOHA state, right arm', aloha([-0.05, 1.08]), 'observations/qpos', 13, 1, 'known_format'],
    ['ALOHA action', aloha([0, 1]), 'action', 6, 1, 'known_format'],
    ['ALOHA in another scale (openpi angles)', aloha([0.6, 1.7]), 'observations/qpos', 6, null, 'unknown'],
    ['robosuite action', suite, 'actions', 6, -1, 'known_format'],
    ['robosuite fingers', suite, 'obs/robot0_gripper_qpos', 0, null, 'unknown'],
    ['Isaac Lab fingers', isaac, 'obs/robot0_gripper_qpos', 1, null, 'unknown'],
  ] as const)('%s', async (_, file, id, at, open_value, evidence) => {
    expect(find(await only(file), id, at)).toMatchObject({ open_value, evidence });
  });

  it('of robosuite say metres for fingers; commands of Isaac Lab, which opens the other way, are not taken for it', async () => {
    expect(find(await only(suite), 'obs/robot0_gripper_qpos', 0)?.unit).toBe('m');
    expect(find(await only(isaac), 'actions', 6)).toBeUndefined();
  });
});

describe('D4RL', () => {
  const flat = (marks: WrittenGroup['arrays'], rows = 10): WrittenGroup => ({
    arrays: {
      observations: moving(rows, 3),
      next_observations: moving(rows, 3),
      actions: moving(rows, 2),
      rewards: { ...moving(rows, 1), shape: [rows] },
      ...marks,
    },
  });
  const marked = (...ends: number[]) => ({
    values: Uint8Array.from({ length: 10 }, (_, row) => (ends.includes(row) ? 1 : 0)),
    shape: [10],
  });

  it('is cut behind terminals and timeouts, and what follows the last is an episode too', async () => {
    const found = await opened({ 'a.hdf5': flat({ terminals: marked(2), timeouts: marked(2, 6) }) });
    const episodes = await episodesOf(found);
    expect(episodes.map((episode) => stream(episode, 'actions').sample_count)).toEqual([3, 4, 3]);
    const whole = moving(10, 3).values;
    expect([...(stream(episodes[1], 'observations').series?.values ?? [])]).toEqual([...whole.slice(9, 21)]);
    expect(episodes[1].locator.span).toEqual({ unit: 'row', from: 3, to: 7 });
    expect(codes(found.dataset)).toEqual(['arrays_not_read']);
  });

  it('without a mark is one episode, and says so', async () => {
    const found = await opened({ 'a.hdf5': flat({}) });
    expect(codes(found.dataset)).toEqual(['arrays_not_read', 'episode_boundaries_absent']);
    expect(await episodesOf(found)).toHaveLength(1);
  });

  it('has arrays of another length left out by name', async () => {
    const found = await opened({ 'a.hdf5': flat({ terminals: marked(9), infos: moving(7, 2) }) });
    expect(codes(found.dataset)).toContain('array_length_mismatch');
    expect(stream((await episodesOf(found))[0], 'infos')).toBeUndefined();
  });
});

describe('HDF5 files', () => {
  it('that are damaged cost one episode, and the rest is read', async () => {
    const good = hdf5File(alohaEpisode(5));
    const found = await opened({ '0.hdf5': good, '1.hdf5': good.subarray(0, 700), '2.hdf5': good });
    const all = await read(found);
    expect(all.map((one) => 'unreadable' in one)).toEqual([false, true, false]);
    const [, lost] = all as [Episode, Unreadable, Episode];
    expect(lost.finding).toMatchObject({ code: 'episode_unreadable', path: '1.hdf5', severity: 'error' });
    expect(lost.finding.message).toContain('1.hdf5 is truncated: 700 of');
  });

  it('that were cut behind their beginning say so first', async () => {
    const whole = hdf5File({
      arrays: { first: moving(9, 2) },
      groups: { data: { groups: { demo_0: demonstration(50) } } },
    });
    const root = whole.readBigUInt64LE(64);
    const cut = Buffer.from(whole);
    cut.writeBigUInt64LE(BigInt(cut.length + 5000), 40);
    cut.writeBigUInt64LE(BigInt(cut.length + 100), cut.indexOf('data', Number(root)) + 4);
    const folder = opened({ 'cut.hdf5': cut });
    await expect(folder).rejects.toThrow(
      /cut\.hdf5 is truncated: \d+ bytes instead of \d+; cut\.hdf5 is corrupt at/,
    );
  });

  it('of another layout beside known ones are told with what they hold', async () => {
    const odd = { groups: { master: { arrays: { joint_position: moving(5, 7) } } } };
    const { dataset } = await opened({ '0.hdf5': alohaEpisode(5), 'odd.hdf5': odd });
    expect(dataset.units).toHaveLength(1);
    expect(dataset.findings[0]).toMatchObject({ code: 'hdf5_layout_unknown', path: 'odd.hdf5' });
    expect(dataset.findings[0].message).toContain('/master/joint_position (float32 5 x 7)');
  });

  it('give every picture again by its row', async () => {
    const images = {
      arrays: { raw: pixels(11), jpeg: paddedPictures(11) },
      sequences: { vlen: Array.from({ length: 11 }, (_, i) => jpegLike(i)) },
    };
    const found = await opened({
      '0.h5': alohaEpisode(11, { images }),
      '1.h5': robomimicFile({ demo_3: demonstration(6) }),
    });
    let looked = 0;
    for (const episode of await episodesOf(found)) {
      for (const { frames } of episode.streams) {
        if (frames?.payloads === undefined) continue;
        for (const row of [0, 5]) {
          const wanted = {
            locator: frames.locator as PictureRequest['locator'],
            episode_index: episode.index,
            start_ns: null,
            row,
            log_s: null,
          };
          const [{ bytes }] = await found.dataset.picturesAt!(wanted);
          expect([bytes.length, crc32(bytes)]).toEqual([
            frames.payloads.bytes[row],
            frames.payloads.crc32[row],
          ]);
          looked++;
        }
        const beyond = {
          locator: frames.locator as PictureRequest['locator'],
          episode_index: episode.index,
          start_ns: null,
          row: 99,
          log_s: null,
        };
        expect(await found.dataset.picturesAt!(beyond)).toEqual([]);
      }
    }
    expect(looked).toBe(8);
  });

  it('that say they hold years of pictures and store a few cost no more than these', async () => {
    const file = hdf5File(alohaEpisode(5));
    // Rows of the dataspace of the pictures: 5 becomes 5 million.
    const space = Buffer.from([2, 4, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 12]);
    expect(file.indexOf(space)).toBeGreaterThan(0);
    file.writeUInt32LE(5_000_000, file.indexOf(space) + 4);
    const [episode] = (await read(await opened({ '0.h5': file }))) as Episode[];
    const { message } = episode.findings.find(({ code }) => code === 'array_unreadable')!;
    expect(message).toMatch(/it declares 2880000000 bytes, but only \d+ bytes are stored/);
    expect(stream(episode, 'observations/images/cam_high').frames?.payloads).toBeUndefined();
  });

  it('are looked at without reading their pictures', async () => {
    const [episode] = (await read(await opened({ '0.h5': alohaEpisode(5) }), true)) as Episode[];
    const { frames } = stream(episode, 'observations/images/cam_high');
    expect(frames).toMatchObject({ locator: { type: 'embedded' }, declared_size_px: [16, 12] });
    expect(frames?.payloads).toBeUndefined();
  });
});
