import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clockOf, type Episode, timesOf } from '#core/episode';
import { type CaseFiles, placed, writeCase } from '#test/support/case-files';
import {
  droidEpisode,
  filmedEpisode,
  firstStamp_ms,
  ownFolder,
  serials,
  uuid,
} from '#test/support/droid-episodes';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-droid-'));
afterAll(() => rmSync(top, { recursive: true }));
let made = 0;

async function read(files: CaseFiles) {
  const root = join(top, `set${made++}`);
  await writeCase(root, files);
  const { sets } = await readEverything(root);
  expect(sets.map(({ format }) => format)).toEqual(['droid']);
  return sets[0];
}

const steps = 12;
const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;
const finding = (episode: Episode, code: string) => episode.findings.find((one) => one.code === code);

describe('an episode of DROID', () => {
  it('has roles, units and names that the recording program fixes', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps))).episodes;
    const said = (id: string) => {
      const { role, unit } = streamOf(episode, id);
      return [role, unit.unit, unit.evidence];
    };
    expect(said('observation/robot_state/joint_positions')).toEqual(['state', 'rad', 'known_format']);
    expect(said('observation/robot_state/joint_velocities')).toEqual(['state', 'rad/s', 'known_format']);
    expect(said('observation/robot_state/motor_torques_measured')).toEqual(['effort', 'N*m', 'known_format']);
    expect(said('action/joint_position')).toEqual(['action', 'rad', 'known_format']);
    expect(said('action/joint_velocity')).toEqual(['action', 'normalised', 'known_format']);
    expect(said('action/robot_state/joint_positions')[0]).toBe('other');
    expect(streamOf(episode, 'action/cartesian_position')).toMatchObject({
      unit: { unit: 'mixed', reason: expect.stringContaining('Euler angles xyz in rad') },
      names: ['x', 'y', 'z', 'euler_x', 'euler_y', 'euler_z'],
    });
    expect(episode).toMatchObject({
      id: ownFolder,
      robot: 'Franka Panda',
      outcome: { value: 'success', evidence: 'declared' },
      tasks: [{ text: 'Put the cup on the shelf', source: expect.stringContaining(`metadata_${uuid}`) }],
      findings: [],
    });
  });

  it('keeps every stamp of a step and says which is used', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps))).episodes;
    expect(episode.start_ns).toBe(`${firstStamp_ms - 31}000000`);
    const state = streamOf(episode, 'observation/robot_state/joint_positions');
    expect(state.clocks.map(({ name, provenance }) => [name, provenance]).sort()).toEqual([
      ['robot_state/read_end', 'log'],
      ['robot_state/read_start', 'log'],
      ['robot_state/robot_timestamp', 'hardware'],
    ]);
    expect(clockOf(state)?.name).toBe('robot_state/read_end');
    expect(state.clock?.reason).toContain('the robot’s own computer');
    const robot = state.clocks.find(({ name }) => name.endsWith('robot_timestamp'))!;
    expect(robot.time_s[0] - timesOf(state)![0]).toBeCloseTo(-60.004, 6);
    expect(clockOf(streamOf(episode, 'action/joint_position'))?.name).toBe('control/control_start');
    const wrist = streamOf(episode, 'camera/wrist');
    expect(clockOf(wrist)).toMatchObject({
      name: `cameras/${serials.wrist}_frame_received`,
      provenance: 'header',
    });
    expect(timesOf(wrist)![1]).toBeCloseTo(0.108, 6);
  });

  it('takes a robot clock that is a minute off for what it is: a clock beside', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps))).episodes;
    expect(episode.duration_s).toBeLessThan(2);
  });

  it('has gripper positions of which 0 is open, in state and action', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps))).episodes;
    expect(episode.grippers).toMatchObject(
      ['action/gripper_position', 'observation/robot_state/gripper_position'].map((stream) => ({
        stream,
        open_value: 0,
        evidence: 'known_format',
        range_observed: [0, 1],
      })),
    );
  });

  it('says nothing of a gripper whose numbers do not fit DROID', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps, { gripper: [0, 85] }))).episodes;
    for (const gripper of episode.grippers) {
      expect(gripper).toMatchObject({ open_value: null, evidence: 'unknown', unit: 'unknown' });
    }
  });

  it('finds videos by the serial numbers of the metadata, frame by step', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps))).episodes;
    expect(streamOf(episode, 'camera/ext2').frames?.locator).toEqual({
      type: 'video',
      path: `${ownFolder}/recordings/MP4/${serials.ext2}.mp4`,
      from_s: 0,
      to_s: null,
      expected_frames: steps,
      unstamped: true,
    });
    expect(episode.sources.filter(({ role }) => role === 'video')).toHaveLength(3);
    expect(episode.calibrations).toMatchObject(
      ['camera/wrist', 'camera/ext1', 'camera/ext2'].map((target) => ({
        target,
        model: expect.stringContaining('known to be wrong'),
      })),
    );
  });

  it('names cameras by the trajectory where there is no metadata', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps, { metadata: null }))).episodes;
    expect(streamOf(episode, 'camera/wrist').unit.reason).toContain(serials.wrist);
    expect(finding(episode, 'episode_incomplete')?.message).toContain('metadata_<uuid>.json');
    expect(episode.outcome).toMatchObject({ value: 'success', evidence: 'known_format' });
    expect(episode.tasks).toEqual([]);
  });

  it('whose metadata contradicts its folder has no known outcome', async () => {
    const files = filmedEpisode(ownFolder, steps, { metadata: { success: false } });
    const [episode] = (await read(files)).episodes;
    expect(episode.outcome).toMatchObject({ value: 'unknown', evidence: 'unknown' });
    expect(finding(episode, 'outcome_contradicts')?.message).toContain('is in the folder success/');
  });

  it('handed over alone still knows its folder, by the metadata', async () => {
    const [episode] = (await read(filmedEpisode('', steps, { metadata: { success: null } }))).episodes;
    expect(episode).toMatchObject({ id: 'episode', outcome: { value: 'success' } });
  });

  it('has the steps at which the robot was held as events, and their number', async () => {
    const [episode] = (await read(filmedEpisode(ownFolder, steps, { held: [0, 1, 6] }))).episodes;
    expect(episode.events.map(({ label }) => label)).toEqual([
      'action skipped',
      'action sent',
      'action skipped',
      'action sent',
    ]);
    const idle = episode.findings.filter(({ code }) => code === 'idle_steps');
    expect(idle.map(({ evidence }) => evidence)).toEqual([{ idle: 3, steps }]);
  });

  it('has steps apart that are marked by one flag alone', async () => {
    const files = filmedEpisode(ownFolder, steps, {
      held: [4],
      change: ({ arrays }) => {
        const skipped = arrays['observation/timestamp/skip_action'];
        arrays['observation/timestamp/skip_action'] = { ...skipped, values: new Uint8Array(steps) };
      },
    });
    const [episode] = (await read(files)).episodes;
    expect(episode.events.map(({ label }) => label)).toEqual(['movement disabled', 'movement enabled']);
    expect(finding(episode, 'idle_steps')?.message).toContain('1 of 12 steps');
  });

  it('that is shorter than its metadata says is told', async () => {
    const files = filmedEpisode(ownFolder, steps, { metadata: { trajectory_length: 90 } });
    const [episode] = (await read(files)).episodes;
    expect(finding(episode, 'metadata_count_mismatch')?.evidence).toEqual({ declared: 90, found: steps });
  });

  it('without stamps gets a computed clock that says so', async () => {
    const files = filmedEpisode(ownFolder, steps, {
      change: ({ arrays }) => {
        for (const name of Object.keys(arrays)) if (name.includes('/timestamp/')) delete arrays[name];
      },
    });
    const [episode] = (await read(files)).episodes;
    expect(episode.start_ns).toBeNull();
    expect(clockOf(streamOf(episode, 'action/joint_position'))?.provenance).toBe('synthesised');
  });

  it('whose stamps are no times begins at none', async () => {
    const files = filmedEpisode(ownFolder, steps, {
      change: ({ arrays }) => {
        for (const [name, { values }] of Object.entries(arrays)) {
          if (name.includes('/timestamp/') && values instanceof Float64Array) values.fill(Infinity);
        }
      },
    });
    const [episode] = (await read(files)).episodes;
    expect(episode.start_ns).toBeNull();
    expect(Number.isFinite(episode.duration_s)).toBe(true);
  });

  it('with an array that is shorter keeps it and says so', async () => {
    const files = filmedEpisode(ownFolder, steps, {
      change: ({ arrays }) => {
        const { values } = arrays['action/cartesian_position'];
        arrays['action/cartesian_position'] = { values: values.slice(0, 54), shape: [9, 6] };
      },
    });
    const [episode] = (await read(files)).episodes;
    expect(finding(episode, 'array_length_mismatch')?.message).toContain('action/cartesian_position 9');
    expect(timesOf(streamOf(episode, 'action/cartesian_position'))).toHaveLength(9);
  });
});

describe('a set of DROID', () => {
  const incomplete = ownFolder.replace('09:42:23', '10_00_00');

  it('goes on past folders that lack something, with one finding each', async () => {
    const whole = filmedEpisode(ownFolder, steps);
    const cut = Buffer.from(droidEpisode(steps)['trajectory.h5'] as Uint8Array).subarray(0, 60);
    const set = await read({
      ...whole,
      ...placed(incomplete, { [`metadata_${uuid}.json`]: { uuid, success: false } }),
      ...placed(incomplete.replace('10_00', '11_00'), { 'trajectory.h5': cut }),
      ...placed(incomplete.replace('10_00', '12_00'), droidEpisode(steps)),
    });
    expect(set.episodes).toHaveLength(2);
    expect(set.unreadable.map(({ finding: { code, message } }) => [code, message])).toEqual([
      ['episode_incomplete', 'the recording is incomplete; missing: trajectory.h5; recordings/MP4'],
      [
        'episode_incomplete',
        expect.stringMatching(/a readable trajectory\.h5 \(.*\); metadata_<uuid>\.json; recordings\/MP4$/),
      ],
    ]);
    const blind = set.episodes.find(({ id }) => id.includes('12_00'))!;
    expect(finding(blind, 'episode_incomplete')?.message).toContain(`wrist (${serials.wrist})`);
    expect(streamOf(blind, 'camera/wrist').frames?.locator.type).toBe('missing');
  });

  it('says once that extrinsics are not to be trusted, and which files are not read', async () => {
    const set = await read({
      ...filmedEpisode(ownFolder, steps),
      ...filmedEpisode(incomplete, steps),
      [`${ownFolder}/recordings/SVO/${serials.wrist}.svo`]: 'a recording of the camera’s maker',
      [`${ownFolder}/recordings/MP4/${serials.wrist}-stereo.mp4`]: 'both eyes',
    });
    expect(set.findings.map(({ code }) => code)).toEqual(['extrinsics_unreliable', 'files_not_read']);
    expect(set.findings[1].message).toContain('2 files were not read, of which SVO recordings: 1 (');
  });

  it('is known by a lone trajectory in a folder of its naming', async () => {
    const { [`metadata_${uuid}.json`]: _, ...alone } = droidEpisode(steps);
    const [episode] = (await read(placed(ownFolder, alone))).episodes;
    expect(finding(episode, 'episode_incomplete')?.evidence).toEqual({
      lacks: [
        'metadata_<uuid>.json',
        `recordings/MP4 of wrist (${serials.wrist}), ext1 (${serials.ext1}), ext2 (${serials.ext2})`,
      ],
    });
  });

  it('is not taken from a folder that only bears its names', async () => {
    const root = join(top, 'other');
    await writeCase(root, { 'metadata_1.json': { uuid: 1 }, 'trajectory.h5': 'text' });
    await expect(readEverything(root)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});
