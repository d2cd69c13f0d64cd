import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clockOf, type Episode, timesOf } from '#core/episode';
import {
  agibotFiles,
  firstStamp_ns,
  grippers,
  indexOf,
  proprioStats,
  shaped,
  taskRow,
} from '#test/support/agibot-episodes';
import { type CaseFiles, tinyPng, writeCase } from '#test/support/case-files';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-agibot-'));
afterAll(() => rmSync(top, { recursive: true }));
let made = 0;

async function read(files: CaseFiles) {
  const root = join(top, `set${made++}`);
  await writeCase(root, files);
  const { sets } = await readEverything(root);
  expect(sets.map(({ format }) => format)).toEqual(['agibot']);
  return sets[0];
}

const frames = 12;
const videos = (task: number, episode: number, names: readonly string[] = ['head', 'hand_left']) =>
  Object.fromEntries(
    names.map((name) => [`observations/${task}/${episode}/videos/${name}_color.mp4`, 'not decoded here']),
  );

/** An episode of task 327 with its videos and text. */
function whole(changes?: Parameters<typeof proprioStats>[1]): CaseFiles {
  return {
    'task_info/task_327.json': [taskRow(648642, frames)],
    ...agibotFiles(327, 648642, proprioStats(frames, changes)),
    ...videos(327, 648642),
  };
}

async function episodeOf(changes?: Parameters<typeof proprioStats>[1]): Promise<Episode> {
  const [episode] = (await read(whole(changes))).episodes;
  return episode;
}

const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;
const finding = (episode: Episode, code: string) => episode.findings.find((one) => one.code === code);

describe('an episode of AgiBot World', () => {
  it('has its frames at /timestamp, to the nanosecond', async () => {
    const episode = await episodeOf();
    expect(episode).toMatchObject({ id: '327/648642', start_ns: firstStamp_ns.toString(), findings: [] });
    const joints = streamOf(episode, 'state/joint/position');
    expect(clockOf(joints)).toMatchObject({ name: '/timestamp', provenance: 'log' });
    expect(timesOf(joints)![1]).toBe(0.033333333);
    expect(timesOf(streamOf(episode, 'camera/head'))).toHaveLength(frames);
  });

  it('has units and names that its description says, quaternions with the real part last', async () => {
    const episode = await episodeOf();
    const unitOf = (id: string) => streamOf(episode, id).unit.unit;
    expect(unitOf('state/joint/position')).toBe('rad');
    expect(unitOf('state/end/position')).toBe('m');
    expect(unitOf('state/end/orientation')).toBe('quaternion xyzw');
    expect(unitOf('state/waist/position')).toBe('mixed');
    expect(unitOf('state/joint/current_value')).toBe('unknown');
    expect(streamOf(episode, 'state/end/orientation')).toMatchObject({
      shape: [2, 4],
      names: ['left_qx', 'left_qy', 'left_qz', 'left_qw', 'right_qx', 'right_qy', 'right_qz', 'right_qw'],
    });
    expect(streamOf(episode, 'action/joint/position').role).toBe('action');
    expect(streamOf(episode, 'state/robot/position').role).toBe('odometry');
  });

  it('leaves out arrays of no rows', async () => {
    const ids = (await episodeOf()).streams.map(({ id }) => id);
    expect(ids).not.toContain('state/joint/velocity');
    expect(ids).not.toContain('action/robot/velocity');
  });

  it('keeps the conventions of grippers in state and action apart', async () => {
    const { grippers: said } = await episodeOf();
    expect(
      said.map(({ stream, unit, open_value, evidence }) => [stream, unit, open_value, evidence]),
    ).toEqual([
      ...[0, 1].map(() => ['state/effector/position', 'mm of opening, larger is open', null, 'known_format']),
      ...[0, 1].map(() => ['action/effector/position', '0..1 closed', 0, 'known_format']),
    ]);
  });

  it('says nothing of grippers whose numbers do not fit', async () => {
    const { grippers: said } = await episodeOf({ 'action/effector/position': grippers(frames, [0, 120]) });
    const command = said.filter(({ stream }) => stream === 'action/effector/position');
    expect(command).toMatchObject([{ evidence: 'unknown' }, { evidence: 'unknown' }]);
  });

  it('has hands in rad, and in no known unit where they are no angles', async () => {
    const hands = shaped(frames, 12);
    const inRad = await episodeOf({ 'state/effector/position': hands });
    expect(streamOf(inRad, 'state/effector/position').unit.unit).toBe('rad');
    expect(inRad.grippers.every(({ stream }) => stream.startsWith('action/'))).toBe(true);
    const scaled = { ...hands, values: (hands.values as Float32Array).map((value) => 1000 * value) };
    const other = await episodeOf({ 'state/effector/position': scaled });
    expect(streamOf(other, 'state/effector/position').unit).toMatchObject({
      unit: 'unknown',
      evidence: 'unknown',
    });
  });

  it('has fewer commands than frames at the frames they were sent, and fills none up', async () => {
    const episode = await episodeOf({
      'action/joint/position': shaped(3, 14),
      'action/joint/index': indexOf([1, 4, 9]),
    });
    const joint = streamOf(episode, 'action/joint/position');
    expect(joint.sample_count).toBe(3);
    expect([...timesOf(joint)!].map((time) => Math.round(time * 30))).toEqual([1, 4, 9]);
    expect(joint.clock?.reason).toContain('action/joint/index');
    expect(finding(episode, 'commands_fewer')?.message).toContain('3 commands for 12 frames');
  });

  it('takes the index of the joints for the ends, which often have none', async () => {
    const episode = await episodeOf({
      'action/joint/position': shaped(3, 14),
      'action/joint/index': indexOf([1, 4, 9]),
      'action/end/position': shaped(3, 2, 3),
    });
    expect(streamOf(episode, 'action/end/position').clock?.reason).toContain('action/joint/index');
    expect(
      [...timesOf(streamOf(episode, 'action/end/position'))!].map((time) => Math.round(time * 30)),
    ).toEqual([1, 4, 9]);
  });

  it('with fewer commands and no index that fits gives them no times', async () => {
    const episode = await episodeOf({
      'action/joint/position': shaped(5, 14),
      'action/joint/index': null,
    });
    expect(streamOf(episode, 'action/joint/position').clock).toBeNull();
    expect(finding(episode, 'action_untimed')?.evidence).toEqual({ commands: 5, frames });
  });

  it('with more commands than frames says so and gives them no times', async () => {
    const episode = await episodeOf({ 'action/joint/position': shaped(frames + 4, 14) });
    expect(streamOf(episode, 'action/joint/position').clock).toBeNull();
    expect(finding(episode, 'action_longer_than_state')?.severity).toBe('error');
  });

  it('tells how many rows of as many as frames were really sent', async () => {
    const episode = await episodeOf({ 'action/joint/index': indexOf([0, 1, 2, 3]) });
    expect(finding(episode, 'commands_not_all_sent')?.evidence).toEqual({
      frames,
      sent: { joint: 4, end: 4 },
    });
  });

  it('does not use an index that names frames outside', async () => {
    const episode = await episodeOf({
      'action/joint/position': shaped(2, 14),
      'action/joint/index': indexOf([3, 900]),
    });
    expect(finding(episode, 'command_index_wrong')?.message).toContain('action/joint/index');
    expect(streamOf(episode, 'action/joint/position').clock).toBeNull();
  });

  it('has the name of its task and the scene as text, and sub-steps as events in time', async () => {
    const episode = await episodeOf();
    expect(episode.tasks?.map(({ text }) => text)).toEqual([
      'Pickup items in the supermarket',
      'The robot is in front of the shelf with fruit.',
    ]);
    expect(episode.events.map(({ time_s, label }) => [Math.round(time_s * 30), label])).toEqual([
      [0, 'Retrieve an apple from the shelf.'],
      [6, 'end of: Retrieve an apple from the shelf.'],
      [6, 'Place the apple in the cart.'],
      [11, 'end of: Place the apple in the cart.'],
    ]);
    expect(episode.events[0].source).toContain('skill Pick');
  });

  it('tells sub-steps that lie outside its frames', async () => {
    const [episode] = (await read({ ...whole(), 'task_info/task_327.json': [taskRow(648642, frames + 100)] }))
      .episodes;
    expect(finding(episode, 'sub_step_outside')?.message).toContain('6 to 112');
    expect(episode.events).toHaveLength(2);
  });

  it('without task_info has no text, and says so', async () => {
    const { 'task_info/task_327.json': _, ...without } = whole();
    const [episode] = (await read(without)).episodes;
    expect(episode.tasks).toEqual([]);
    expect(finding(episode, 'task_info_missing')?.path).toBe('task_info/task_327.json');
  });

  it('has depth in millimetres in the order of frames, and intrinsics', async () => {
    const depth = [0, 1, 2, 10].map((frame) => [
      `observations/327/648642/depth/head_depth_${frame}.png`,
      tinyPng,
    ]);
    const [episode] = (await read({ ...whole(), ...Object.fromEntries(depth) })).episodes;
    const stream = streamOf(episode, 'depth/head');
    expect(stream).toMatchObject({ role: 'depth', unit: { unit: 'mm' }, sample_count: 4, clock: null });
    expect(stream.frames?.locator).toMatchObject({ paths: depth.map(([path]) => path) });
    expect(episode.calibrations).toMatchObject([
      { target: 'camera/head', values: { 'intrinsic/fx': [645.1], 'intrinsic/ppx': [639.5] } },
    ]);
  });

  it('whose stamps are no numbers begins at no moment', async () => {
    const episode = await episodeOf({
      timestamp: { values: new Float64Array(frames).fill(Number.NaN), shape: [frames] },
    });
    expect(episode).toMatchObject({ start_ns: null, duration_s: 0 });
  });

  it('without stamps gets computed ones that say so', async () => {
    const episode = await episodeOf({ timestamp: { values: new BigInt64Array(0), shape: [0] } });
    expect(episode.start_ns).toBeNull();
    expect(clockOf(streamOf(episode, 'state/joint/position'))?.provenance).toBe('synthesised');
  });
});

describe('a set of AgiBot World', () => {
  it('says once which episodes lack videos, and names these cameras as missing', async () => {
    const set = await read({
      ...whole(),
      ...agibotFiles(327, 648649, proprioStats(frames)),
      ...videos(327, 648649, ['head']),
    });
    expect(set.findings).toMatchObject([
      {
        code: 'videos_missing',
        evidence: { episodes: 2, lacking: 1 },
        message: expect.stringContaining('327/648649'),
      },
    ]);
    expect(streamOf(set.episodes[1], 'camera/hand_left').frames?.locator.type).toBe('missing');
  });

  it('names tasks that are known to be damaged, by what is wrong with them', async () => {
    const set = await read({
      ...whole(),
      ...agibotFiles(361, 1, proprioStats(frames)),
      ...videos(361, 1),
      ...agibotFiles(711, 2, proprioStats(frames)),
      ...videos(711, 2),
    });
    expect(set.findings.map(({ code, evidence }) => [code, evidence])).toEqual([
      ['known_long_actions', { tasks: [361] }],
      ['known_broken_videos', { tasks: [711] }],
      ['known_misaligned_videos', { tasks: [361] }],
    ]);
  });

  it('goes on past episodes whose arrays are not there or cannot be read', async () => {
    const set = await read({
      ...whole(),
      ...videos(327, 648700),
      ...agibotFiles(327, 648800, proprioStats(frames).subarray(0, 50)),
      ...videos(327, 648800),
    });
    expect(set.episodes.map(({ id }) => id)).toEqual(['327/648642']);
    expect(set.unreadable.map(({ id, finding: { code } }) => [id, code])).toEqual([
      ['327/648700', 'episode_incomplete'],
      ['327/648800', 'episode_incomplete'],
    ]);
  });

  it('says which archives are not unpacked', async () => {
    const set = await read({ ...whole(), 'observations/352/648544-650000.tar': 'x' });
    expect(set.findings).toMatchObject([{ code: 'archives_not_unpacked' }]);
  });

  it('is not taken from folders that only bear its names', async () => {
    const root = join(top, 'other');
    await writeCase(root, { 'proprio_stats/1/2/proprio_stats.h5': 'text', 'task_info/task_1.json': [] });
    await expect(readEverything(root)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});
