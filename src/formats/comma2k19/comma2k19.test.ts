import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Episode, timesOf } from '#core/episode';
import { createFeatures } from '#quality/readiness';
import { npyBytes } from '#test/support/npy-file';
import { readEverything } from '#test/support/read-dataset';
import { discover } from '../discovery/discover.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-comma-'));
afterAll(() => rmSync(top, { recursive: true }));

const route = 'b0c9d2329ad1606b|2018-08-02--08-34-47';
const column = (numbers: readonly number[], dims = 1) =>
  npyBytes(dims === 1 ? [numbers.length] : [numbers.length / dims, dims], Float64Array.from(numbers));
const counting = (count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, i) => from + i * step);

/** A second of driving; times since the device started from 100 s. */
function segment(): Record<string, Uint8Array> {
  const frames = counting(20, 100, 0.05);
  return {
    'global_pose/frame_times': column(frames),
    'global_pose/frame_gps_times': column(
      frames.flatMap((t) => [2012, 404_106.397 + t - 100]),
      2,
    ),
    'global_pose/frame_positions': column(
      frames.flatMap((t) => [t, 2, 3]),
      3,
    ),
    'global_pose/frame_orientations': column(
      frames.flatMap(() => [1, 0, 0, 0]),
      4,
    ),
    'processed_log/CAN/speed/t': column(counting(50, 100.01, 0.02)),
    'processed_log/CAN/speed/value': column(counting(50, 8, 0.1)),
    'processed_log/IMU/magnetometer/t': column(counting(10, 100.02, 0.1)),
    'processed_log/IMU/magnetometer/value': column(
      counting(10, 0, 1).flatMap(() => [22, -26, -25]),
      3,
    ),
    'processed_log/GNSS/live_gnss_ublox/t': column([100.1, 100.6]),
    'processed_log/GNSS/live_gnss_ublox/value': column(
      [
        [37.7, -122.5, 8, 1_533_226_488_497, 33, 2],
        [37.7, -122.5, 8, 1_533_226_488_997, 33, 2],
      ].flat(),
      6,
    ),
    'video.hevc': Buffer.from('not decoded here'),
  };
}

let made = 0;
function write(files: Readonly<Record<string, Uint8Array>>): string {
  const root = join(top, `set${made++}`);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return root;
}

const below = (folder: string, files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

async function read(files: Readonly<Record<string, Uint8Array>>) {
  const [set] = (await readEverything(write(files))).sets;
  return set;
}

const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;
const codes = (episode: Episode) => episode.findings.map((finding) => finding.code);

describe('a segment of comma2k19', () => {
  it('has the times of each signal since its first stamp, and says when that was by GPS', async () => {
    const set = await read(below(`Chunk_1/${route}/3`, segment()));
    const [episode] = set.episodes;
    expect(set.format).toBe('comma2k19');
    expect(episode).toMatchObject({
      id: `Chunk_1/${route}/3`,
      start_ns: '1533226488397000000',
      robot: 'Toyota RAV4',
      tasks: null,
      findings: [],
    });
    expect(episode.outcome.value).toBe('unknown');
    expect(timesOf(streamOf(episode, 'CAN/speed'))![0]).toBeCloseTo(0.01, 9);
    expect(streamOf(episode, 'CAN/speed')).toMatchObject({ role: 'vehicle', unit: { unit: 'm/s' } });
    expect(episode.duration_s).toBeCloseTo(0.99, 9);
  });

  it('finds frames of the raw video by their number, at the times of frame_times', async () => {
    const [episode] = (await read(below(route, below('3', segment())))).episodes;
    const video = streamOf(episode, 'video');
    expect(video.frames?.locator).toEqual({
      type: 'video',
      path: `${route}/3/video.hevc`,
      from_s: 0,
      to_s: null,
      expected_frames: 20,
      unstamped: true,
    });
    expect(video.clocks.map(({ name, provenance }) => [name, provenance])).toEqual([
      ['frame_times', 'log'],
      ['frame_gps_times', 'synthesised'],
    ]);
    expect(timesOf(video)![19]).toBeCloseTo(0.95, 9);
    expect(episode.sources.find(({ role }) => role === 'video')?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps the receiver’s UTC, which the README gives in seconds and the data in milliseconds', async () => {
    const [episode] = (await read(segment())).episodes;
    const [, utc] = streamOf(episode, 'GNSS/live_gnss_ublox').clocks;
    expect(utc.name).toBe('utc_timestamp');
    expect(utc.time_s[0]).toBeCloseTo(0.1, 4);
  });

  it('counts on where a GPS week turns over', async () => {
    const files = segment();
    const rows = [604_799.95, 0, 0.05].flatMap((second, i) => [i === 0 ? 2012 : 2013, second]);
    files['global_pose/frame_times'] = column([100, 100.05, 100.1]);
    files['global_pose/frame_gps_times'] = column(rows, 2);
    delete files['global_pose/frame_positions'];
    delete files['global_pose/frame_orientations'];
    const [episode] = (await read(files)).episodes;
    const { time_s } = streamOf(episode, 'video').clocks[1];
    expect([...time_s].map((time) => time.toFixed(2))).toEqual(['0.00', '0.05', '0.10']);
  });

  it.each([
    [1, 'uT'],
    [1e-6, 'T'],
    [1e-3, 'unknown'],
  ])('takes the unit of the compass from the earth’s field: %s times', async (factor, unit) => {
    const files = segment();
    files['processed_log/IMU/magnetometer/value'] = column(
      counting(10, 0, 1).flatMap(() => [22 * factor, -26 * factor, -25 * factor]),
      3,
    );
    const [episode] = (await read(files)).episodes;
    expect(streamOf(episode, 'IMU/magnetometer').unit.unit).toBe(unit);
  });

  it('with samples lost shows the hole in that signal alone', async () => {
    const files = segment();
    const kept = counting(10, 100.02, 0.1).filter((_, i) => i !== 4 && i !== 5);
    files['processed_log/IMU/magnetometer/t'] = column(kept);
    files['processed_log/IMU/magnetometer/value'] = column(
      kept.flatMap(() => [22, -26, -25]),
      3,
    );
    const [episode] = (await read(files)).episodes;
    const features = createFeatures(episode);
    expect(features.clock(streamOf(episode, 'IMU/magnetometer'))?.missing).toBeCloseTo(2, 6);
    expect(features.clock(streamOf(episode, 'CAN/speed'))?.missing).toBe(0);
  });

  it('is read by the names of the README and with .npy behind them', async () => {
    const { 'global_pose/frame_times': times } = segment();
    const set = await read({
      'global_pos/frame_times.npy': times,
      'processed_log/CAN/wheel_speeds/t.npy': column([100, 100.1]),
      'processed_log/CAN/wheel_speeds/value.npy': column([1, 2, 3, 4, 5, 6, 7, 8], 4),
    });
    const [episode] = set.episodes;
    expect(streamOf(episode, 'CAN/wheel_speeds')).toMatchObject({ role: 'vehicle', shape: [4] });
    expect(streamOf(episode, 'video').sample_count).toBe(20);
  });

  it.each<[string, Record<string, Uint8Array | null>, string]>([
    [
      'Python objects',
      { 'processed_log/CAN/speed/value': npyBytes([1], new Uint8Array(8), { descr: '|O' }) },
      'array_unreadable',
    ],
    [
      'a cut array',
      { 'processed_log/CAN/speed/value': segment()['processed_log/CAN/speed/value'].subarray(0, 200) },
      'array_unreadable',
    ],
    ['fewer values than times', { 'processed_log/CAN/speed/value': column([1, 2]) }, 'signal_lengths_differ'],
    ['values without times', { 'processed_log/CAN/speed/t': null }, 'signal_incomplete'],
    ['times without values', { 'processed_log/CAN/speed/value': null }, 'signal_incomplete'],
    [
      'poses of fewer frames',
      { 'global_pose/frame_positions': column([1, 2, 3], 3) },
      'signal_lengths_differ',
    ],
  ])('with %s loses that signal and says so', async (_, changes, code) => {
    const files: Record<string, Uint8Array> = segment();
    for (const [path, bytes] of Object.entries(changes)) {
      if (bytes === null) delete files[path];
      else files[path] = bytes;
    }
    const [episode] = (await read(files)).episodes;
    expect(codes(episode)).toEqual([code]);
    expect(streamOf(episode, 'IMU/magnetometer').sample_count).toBe(10);
  });

  it.each([
    [{}, true, true],
    [{ hashes: false }, false, true],
    [{ look: true }, false, false],
  ])('read with %o is hashed as far as that', async (options, ofData, ofVideo) => {
    const { datasets } = await discover(write(segment()));
    const [{ dataset }] = datasets;
    for await (const episode of dataset.read(dataset.units[0], options)) {
      if ('unreadable' in episode) throw new Error('it can be read');
      const hashed = (role: string) =>
        episode.sources.filter((source) => source.role === role).every(({ sha256 }) => sha256 !== null);
      expect([hashed('data'), hashed('video')]).toEqual([ofData, ofVideo]);
    }
  });

  it('with times that are no numbers still has a length', async () => {
    const files = segment();
    files['processed_log/CAN/speed/t'] = column(
      counting(50, 100.01, 0.02).map((t, i) => (i === 49 ? Infinity : t)),
    );
    const [episode] = (await read(files)).episodes;
    expect(episode.duration_s).toBeCloseTo(0.95, 9);
  });

  it('in which nothing can be read costs itself and not the others', async () => {
    const broken = { 'processed_log/CAN/speed/t': npyBytes([1], new Uint8Array(8), { descr: '|O' }) };
    const set = await read({ ...below(`${route}/2`, broken), ...below(`${route}/10`, segment()) });
    expect(set.unreadable).toMatchObject([{ id: `${route}/2`, finding: { code: 'array_unreadable' } }]);
    expect(set.episodes.map((episode) => [episode.id, episode.index])).toEqual([[`${route}/10`, 1]]);
  });
});

describe('a set of comma2k19', () => {
  it('has its segments in the order of route and number', async () => {
    const other = route.replace('|', '_').replace('08-02', '07-27');
    const set = await read({
      ...below(`Chunk_1/${route}/10`, segment()),
      ...below(`Chunk_1/${route}/9`, segment()),
      ...below(`Chunk_1/${other}/1`, segment()),
    });
    expect(set.episodes.map(({ id }) => id)).toEqual([
      `Chunk_1/${other}/1`,
      `Chunk_1/${route}/9`,
      `Chunk_1/${route}/10`,
    ]);
    expect(set.findings.map(({ code }) => code)).toEqual(['name_not_portable']);
  });

  it('says once which videos are absent and what is not read', async () => {
    const { 'video.hevc': _, ...without } = segment();
    const set = await read({
      ...below('1', { ...without, 'raw_log.bz2': Buffer.from('x') }),
      ...below('2', without),
    });
    expect(set.findings).toMatchObject([
      { code: 'videos_missing', evidence: { segments: 2, without_video: 2 } },
      { code: 'files_not_read', severity: 'info' },
    ]);
    expect(streamOf(set.episodes[0], 'video').frames?.locator.type).toBe('missing');
  });

  it('is not taken from folders that only bear its names', async () => {
    const root = write({ 'global_pose/frame_times': Buffer.from('1\n2\n'), 'a.mcap': Buffer.from('x') });
    await expect(readEverything(root)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});

const real = resolve(import.meta.dirname, '../../../../shared/data/driving/comma2k19');

describe.skipIf(!existsSync(real))('a real drive (needs ../shared/data/driving)', () => {
  it('has the counts and times that NumPy reads', async () => {
    const [set] = (await readEverything(real)).sets;
    const [episode] = set.episodes;
    const counts = Object.fromEntries(episode.streams.map((stream) => [stream.id, stream.sample_count]));
    expect(counts).toMatchObject({
      video: 1200,
      'CAN/speed': 4974,
      'CAN/steering_angle': 4974,
      'CAN/wheel_speed': 4974,
      'CAN/raw_can': 135_468,
      'IMU/accelerometer': 6256,
      'IMU/gyro': 6256,
      'IMU/magnetometer': 592,
      'GNSS/live_gnss_ublox': 579,
    });
    const frames = timesOf(streamOf(episode, 'video'))!;
    expect(frames[1199] - frames[0]).toBeCloseTo(59.94916, 5);
    const compass = timesOf(streamOf(episode, 'IMU/magnetometer'))!;
    const steps = compass.slice(1).map((time, i) => time - compass[i]);
    expect(Math.max(...steps)).toBeCloseTo(0.1476, 4);
    expect(episode.start_ns).toBe('1533226488397000000');
    expect(streamOf(episode, 'IMU/magnetometer').unit.unit).toBe('uT');
    expect(episode.findings).toEqual([]);
  });
});
