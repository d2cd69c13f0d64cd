import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timesOf } from '#core/episode';
import type { LaneEpisode } from '#labels/annotation';
import { computeMetadata } from '../../src/labels/annotation/layers/metadata/layer.ts';
import { findSegments } from '../../src/labels/annotation/layers/segments/layer.ts';
import { laneEpisodes } from './lane-episodes.ts';
import { segmentsOf } from './segment-rows.ts';

const shared = resolve(import.meta.dirname, '../../../shared/data');
const missing = existsSync(shared) ? '' : ' (skipped: no ../shared/data here)';
const read = (path: string, most?: number) => laneEpisodes(resolve(shared, path), most);
const spansOf = (episode: LaneEpisode) => segmentsOf(findSegments(episode, {}));

/** Times at which a number between 0 and 1 comes below a limit or above it. */
function switches({ streams }: LaneEpisode, id: string, dimension: number, limit: number): number[] {
  const stream = streams.find((own) => own.id === id)!;
  const times = timesOf(stream)!;
  const { values, dims } = stream.series!;
  const side = (i: number) => values[i * dims + dimension] > limit;
  return [...times.keys()].filter((i) => i > 0 && side(i) !== side(i - 1)).map((i) => times[i]);
}

describe.skipIf(missing !== '')(`spans of real recordings${missing}`, () => {
  it('stand still before take-off and after landing, as the autopilot says', async () => {
    const flights = await read('ulog/flight-review');
    const flight = flights.find(({ facts }) => facts.episode.id.includes('battery_brownout'))!;
    const detected = flight.streams.find(({ id }) => id === 'vehicle_land_detected')!;
    const changes = switches(flight, detected.id, detected.names!.indexOf('landed'), 0.5);
    expect(changes).toHaveLength(2);
    const spans = spansOf(flight);
    const [first, last] = [spans[0], spans.at(-1)!];
    expect([first.kind, last.kind]).toEqual(['still', 'still']);
    expect(Math.abs(first.to_s - changes[0])).toBeLessThan(2);
    expect(Math.abs(last.from_s - changes[1])).toBeLessThan(2);
  });

  it('turn where a simulated robot turns round', async () => {
    const logs = await read('rosbag/PlotJuggler');
    const log = logs.find(({ facts }) => facts.episode.id.includes('rosbag2_test'))!;
    const pose = log.streams.find(({ id }) => id === '/pose')!;
    const { values, dims } = pose.series!;
    const x = (i: number) => values[i * dims];
    const turns = [...timesOf(pose)!.keys()].filter(
      (i) => i > 0 && i + 1 < pose.sample_count && (x(i) - x(i - 1)) * (x(i + 1) - x(i)) < 0,
    );
    const found = spansOf(log)
      .slice(1)
      .map(({ from_s }) => from_s);
    expect(found).toHaveLength(turns.length);
    turns.forEach((row, i) => {
      expect(Math.abs(found[i] - timesOf(pose)![row])).toBeLessThan(0.1);
    });
  });

  it('begin where a gripper of a WidowX closes or opens', async () => {
    const episodes = await read('rlds/bridge');
    let changes = 0;
    for (const episode of episodes) {
      const truth = switches(episode, 'observation/state', 6, 0.9);
      const told = computeMetadata(episode).artifact.facts as unknown as {
        gripper_cycles: { value: readonly { closes: number; opens: number }[] };
      };
      const [{ closes, opens }] = told.gripper_cycles.value;
      changes += truth.length;
      expect(closes + opens).toBe(truth.length);
      const spans = spansOf(episode);
      const grasps = spans.filter(
        ({ begins }, i) => begins?.type === 'gripper' && !spans[i - 1].kind.startsWith('gripper'),
      );
      for (const { from_s } of grasps)
        expect(Math.min(...truth.map((at_s) => Math.abs(at_s - from_s)))).toBeLessThanOrEqual(0.4);
    }
    expect(changes).toBeGreaterThan(3);
  });

  it('are some seconds long where a humanoid is steered, all of it motion', async () => {
    const lengths = (await read('lerobot-v21-g1-bottle', 20)).flatMap((episode) => {
      const spans = spansOf(episode);
      expect(spans[0].from_s).toBe(0);
      expect(spans.at(-1)!.to_s).toBeCloseTo(episode.facts.episode.duration_s, 4);
      return spans.map(({ from_s, to_s }) => to_s - from_s);
    });
    const middle = lengths.toSorted((a, b) => a - b)[lengths.length >> 1];
    expect(middle).toBeGreaterThan(0.7);
    expect(middle).toBeLessThan(4);
  });

  it.each([
    ['lerobot-v20-gr00t-pick-place', 'state'],
    ['lerobot-v21-g1-bottle', 'state'],
    ['rosbag/PlotJuggler', 'odometry'],
  ])('are several where arms and sensors move: %s', async (path, role) => {
    const all = await read(path, path.startsWith('rosbag') ? undefined : 2);
    const episodes = all.filter(
      ({ facts }) => !path.startsWith('rosbag') || facts.episode.id.includes('tilt_laser'),
    );
    expect(episodes.length).toBeGreaterThan(0);
    for (const episode of episodes) {
      const { artifact, counts, quality } = findSegments(episode, {});
      expect(counts.segments).toBeGreaterThan(2);
      expect(quality).toBeGreaterThan(0);
      expect(artifact.motion).toMatchObject({ role });
    }
  });

  it('are in the phases of a flight, from the ground to the ground', async () => {
    const phases = new Map<string, Set<unknown>>();
    for (const flight of await read('ulog/flight-review')) {
      const { segments } = findSegments(flight, {}).artifact as unknown as {
        segments: readonly { phase: string | null }[];
      };
      phases.set(flight.facts.episode.id, new Set(segments.map(({ phase }) => phase)));
    }
    for (const of of phases.values())
      for (const phase of ['ground', 'take_off', 'hover']) expect(of).toContain(phase);
    expect(phases.get('gps_interference')).toContain('landing');
  });

  it('are told by rows where nothing has a clock, and end with the grasps that the simulation notes', async () => {
    let near = 0;
    let all = 0;
    for (const episode of await read('hdf5/isaaclab-snake', 5)) {
      const output = findSegments(episode, {});
      const { rows, segments } = output.artifact as unknown as {
        rows: { segments: readonly { from_row: number; to_row: number; begins: { type: string } | null }[] };
        segments: readonly unknown[];
      };
      expect([segments.length, output.counts.segments]).toEqual([1, rows.segments.length]);
      expect(rows.segments.length).toBeGreaterThan(3);
      expect(rows.segments[0].from_row).toBe(0);
      for (const [at, { from_row }] of rows.segments.entries())
        if (at > 0) expect(from_row).toBe(rows.segments[at - 1].to_row);
      const grasp = episode.streams.find(({ id }) => id.endsWith('subtask_term_signals/grasp_1'));
      if (grasp === undefined) continue;
      const row = [...grasp.series!.values].findIndex((value) => value > 0.5);
      const grips = rows.segments.filter(({ begins }) => begins?.type === 'gripper');
      all++;
      if (grips.some(({ from_row }) => from_row <= row + 2 && from_row >= row - 20)) near++;
    }
    process.stdout.write(`grasps of the simulation just after a gripper's change: ${near} of ${all}\n`);
    expect(near).toBe(all);
  });

  it('are one where nothing says where to cut, and no picture is looked at', async () => {
    for (const episode of await read('video/decord', 2)) {
      const output = findSegments(episode, {});
      expect(segmentsOf(output)).toHaveLength(1);
      const quality_reason = 'no stream with timestamps shows motion';
      expect(output).toMatchObject({ quality: null, quality_reason });
    }
  });
});

describe.skipIf(missing !== '')(`facts of real recordings${missing}`, () => {
  it.each([
    'driving',
    'ulog',
    'hdf5/isaaclab-snake',
    'lerobot-v20-gr00t-pick-place',
    'rlds',
    'rosbag',
    'mcap',
  ])('are told of every episode: %s', async (path) => {
    for (const episode of await read(path, 3)) {
      const { counts, quality } = computeMetadata(episode);
      expect(counts.facts).toBeGreaterThan(0);
      expect(quality).toBeGreaterThan(0);
    }
  });

  it('are what a car did in a minute', async () => {
    const [drive] = await read('driving');
    const { facts } = computeMetadata(drive).artifact as unknown as {
      facts: { manoeuvres: { value: { runs: readonly { what: string }[] } } };
    };
    const done = facts.manoeuvres.value.runs.map(({ what }) => what);
    // It comes up from 8 to 20 m/s first, goes straight on, and slows down in the end.
    expect([done[0], done.at(-1)]).toEqual(['accelerate', 'brake']);
    expect(done).not.toContain('turn_left');
    expect(done).not.toContain('stop');
  });
});
