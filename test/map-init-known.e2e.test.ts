import { cpSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Episode, type Stream, timesOf } from '#core/episode';
import { discover, proposeMapping, readers } from '#formats';

/**
 * Proposals of `map init` for real recordings without the help of the reader that knows their format, which tells the
 * truth. Not among them: formats that are no container of a mapping (ULog, TFRecord, and comma2k19, whose NPY files have
 * no ending and a clock each).
 */
const data = '../shared/data';
const isaac = `${data}/hdf5/isaaclab-snake`;
const tables = [
  `${data}/lerobot-v20-gr00t-pick-place`,
  `${data}/lerobot-v21-g1-bottle`,
  `${isaac}/annotated_dataset.hdf5`,
  `${isaac}/dataset.hdf5`,
  `${isaac}/generated_dataset_small.hdf5`,
  `${data}/hdf5/d4rl-flat/src/generate/abstractsim/export_physical_trajectories/trajectories.hdf5`,
];
const bags = `${data}/mcap/rosbag2`;
const recordings = [
  `${data}/mcap/rosbags-rs/tests/test_bags/test_bag_mcap/test_bag_mcap.mcap`,
  `${data}/mcap/rosbags-rs/tests/test_bags/test_bag_sqlite3/test_bag_sqlite3.db3`,
  `${data}/mcap/rosbag2parquet/testdata/base_msgs/base_msgs_0.mcap`,
  `${data}/mcap/rosbag2parquet/testdata/array_msgs/array_msgs_0.mcap`,
  `${data}/mcap/robologs-ros-actions/actions/run_svo_slam_rosbag/input/tiny_svo.bag`,
  `${bags}/rosbag2_tests/resources/mcap/cdr_test/cdr_test_0.mcap`,
  `${bags}/rosbag2_tests/resources/sqlite3/cdr_test/cdr_test_0.db3`,
  `${bags}/rosbag2_py/test/resources/mcap/convert_a/rewriter_a_0.mcap`,
  `${bags}/rosbag2_py/test/resources/sqlite3/convert_a/rewriter_a_0.db3`,
  `${bags}/rosbag2_transport/test/resources/mcap/test_bag_for_seek/test_bag_for_seek_0.mcap`,
  `${bags}/rosbag2_transport/test/resources/sqlite3/test_bag_for_seek/test_bag_for_seek_0.db3`,
  `${bags}/rosbag2_transport/test/resources/mcap/rewriter_a/rewriter_a_0.mcap`,
  `${bags}/rosbag2_transport/test/resources/sqlite3/rewriter_a/rewriter_a_0.db3`,
  ...['fake_joint_state.bag', 'rosbag2_test/rosbag2_test_0.db3', 'tilt_laser.bag'].map(
    (name) => `${data}/rosbag/PlotJuggler/datasamples/${name}`,
  ),
  ...['example', 'example-bz2', 'example-lz4'].map((name) => `${data}/rosbag/rosbag/fixtures/${name}.bag`),
];
const minShare = 0.9;

describe.skipIf(!existsSync(data))('map init without native readers (skipped without ../shared/data)', () => {
  it('proposes role, rate and unit of 90 % of the streams of tables', async () => {
    await expectShare(tables, false);
  }, 120_000);

  it('proposes role and unit of 90 % of the numeric streams of topics, without their message types', async () => {
    await expectShare(recordings, true);
  }, 120_000);
});

async function expectShare(containers: readonly string[], isTopics: boolean): Promise<void> {
  let streams = 0;
  const misses: string[] = [];
  for (const container of containers) {
    const score = await scoreContainer(container, isTopics);
    expect(score.streams, container).toBeGreaterThan(0);
    streams += score.streams;
    misses.push(...score.misses.map((why) => `${container}: ${why}`));
  }
  expect(1 - misses.length / streams, misses.join('\n')).toBeGreaterThanOrEqual(minShare);
}

/** Reads a copy of a container by its native reader and by the proposed mapping, and compares the first episode. */
async function scoreContainer(container: string, isTopics: boolean): Promise<Score> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
  try {
    const isFolder = statSync(container).isDirectory();
    cpSync(container, isFolder ? folder : join(folder, basename(container)), { recursive: true });
    const bagFacts = join(dirname(container), 'metadata.yaml');
    if (container.endsWith('.db3') && existsSync(bagFacts)) cpSync(bagFacts, join(folder, 'metadata.yaml'));
    const native = await firstEpisode(folder, (episode) => !hasMissingVideo(episode), [...readers]);
    const { text, name } = await proposeMapping(folder, { ignoresTypes: true });
    writeFileSync(join(folder, name), text);
    const enabled = isTopics ? [...readers] : [...readers].filter(({ id }) => id === 'mapped');
    const mapped = await firstEpisode(folder, (episode) => isSameEpisode(native, episode), enabled);
    return scoreEpisode(native, mapped, isTopics);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstEpisode(
  folder: string,
  test: (episode: Episode) => boolean,
  enabled: (typeof readers.rows)[number][],
): Promise<Episode> {
  const { datasets } = await discover(folder, { readers: enabled });
  try {
    for (const { dataset } of datasets)
      for (const unit of dataset.units)
        for await (const item of dataset.read(unit, { hashes: false, copies: false }))
          if (!('unreadable' in item) && test(item)) return item;
  } finally {
    for (const { dataset } of datasets) await dataset.close();
  }
  throw new Error(`no such episode in ${folder}`);
}

const hasMissingVideo = ({ streams }: Episode): boolean =>
  streams.some(({ frames }) => frames?.locator.type === 'missing');

/** Number of streams of one container by its native reader, and those that a proposed mapping reads otherwise. */
interface Score {
  readonly streams: number;
  readonly misses: readonly string[];
}

/** Rows whose values are compared. */
const comparedRows = 200;

const pictureRoles: ReadonlySet<string> = new Set(['camera', 'depth']);

/** Streams that a mapping can have: numbers, pictures and videos. Texts and messages that are only counted are not. */
const isMappable = ({ series, frames, sample_count }: Stream, isTopics: boolean): boolean =>
  sample_count > 0 && (series !== undefined || (frames !== undefined && !isTopics));

/**
 * Compares the streams of an episode by its native reader with those of the same episode by a proposed mapping. A stream
 * is found by its values, so that names do not matter. Its unit is compared if the native reader knows it.
 * @param isTopics true if pictures are read without the mapping
 */
function scoreEpisode(native: Episode, mapped: Episode, isTopics: boolean): Score {
  const streams = native.streams.filter((stream) => isMappable(stream, isTopics));
  const misses = streams.flatMap((stream) => {
    const why = isPicture(stream) ? missedCamera(stream, mapped) : missedSignal(stream, mapped);
    return why === null ? [] : [`${stream.id}: ${why}`];
  });
  return { streams: streams.length, misses };
}

/** Returns true if a mapped episode starts with the rows of a native one. */
function isSameEpisode(native: Episode, mapped: Episode): boolean {
  const wide = native.streams.filter(({ series, shape }) => series !== undefined && shape[0] > 1);
  return (wide.length === 0 ? native.streams : wide).some((stream) => findSignal(stream, mapped) !== null);
}

const isPicture = ({ role }: Stream): boolean => pictureRoles.has(role);

function missedCamera({ frames, sample_count, ...stream }: Stream, mapped: Episode): string | null {
  const camera = mapped.streams.find(
    (one) => one.sample_count === sample_count && placeOf(one.frames) === placeOf(frames),
  );
  return camera === undefined ? 'not proposed' : differs({ ...stream, sample_count }, [camera]);
}

/** Returns the file of a video, or the array of stored pictures. */
function placeOf(frames: Stream['frames']): string | null {
  const locator = frames?.locator;
  if (locator === undefined) return null;
  return locator.type === 'embedded' ? locator.channel : 'path' in locator ? locator.path : null;
}

function missedSignal(stream: Stream, mapped: Episode): string | null {
  const parts = findSignal(stream, mapped);
  return parts === null ? 'not proposed' : differs(stream, parts);
}

/** Returns how role, rate or unit of the mapped streams differ from a native one; `null` if they do not. */
function differs(stream: Stream, parts: readonly Stream[]): string | null {
  for (const part of parts) {
    if (part.role !== stream.role) return `role ${part.role} instead of ${stream.role}`;
    const [rate, expected] = [rateOf(part), rateOf(stream)];
    if (rate !== expected && !(Math.abs((rate ?? 0) / (expected ?? 1) - 1) < 0.01))
      return `rate ${rate} instead of ${expected}`;
    const isJudged = stream.unit.unit !== 'unknown' && !isPicture(stream);
    if (isJudged && part.unit.unit !== stream.unit.unit)
      return `unit ${part.unit.unit} instead of ${stream.unit.unit}`;
  }
  return null;
}

function rateOf(stream: Stream): number | null {
  const time_s = timesOf(stream);
  if (time_s === null || time_s.length < 2) return null;
  const steps = time_s.slice(1).map((time, at) => time - time_s[at]);
  const median = steps.sort()[steps.length >> 1];
  return 1 / median;
}

/** Returns the mapped streams that hold the dimensions of a stream, nearest names first; `null` if one is in none. */
function findSignal(stream: Stream, mapped: Episode): Stream[] | null {
  const candidates = mapped.streams
    .filter(({ series, shape }) => series !== undefined && shape.length > 0)
    .sort((a, b) => nameDistance(a, stream) - nameDistance(b, stream));
  const whole = candidates.find((one) => dimensions(one) === dimensions(stream) && holds(one, stream, null));
  if (whole !== undefined) return [whole];
  const parts = new Set<Stream>();
  for (let dimension = 0; dimension < dimensions(stream); dimension++) {
    const found = candidates.find((one) => holds(one, stream, dimension));
    if (found === undefined) return null;
    parts.add(found);
  }
  return [...parts];
}

const lastPart = (id: string): string => id.split(/[/.]/).at(-1) ?? id;

function nameDistance({ id }: Stream, native: Stream): number {
  if (id === native.id) return 0;
  return lastPart(id) === lastPart(native.id) ? 1 : 2;
}

const dimensions = ({ series }: Stream): number => series?.dims ?? 0;

/** True if a stream has the values of another one: those of `dimension` in any of its own, or all in order. */
function holds(own: Stream, other: Stream, dimension: number | null): boolean {
  const rows = Math.min(comparedRows, other.sample_count, own.sample_count);
  const isEqual = (at: number, of: number) => {
    for (let row = 0; row < rows; row++) {
      const a = own.series!.values[row * own.series!.dims + at];
      const b = other.series!.values[row * other.series!.dims + of];
      if (!Object.is(Math.fround(a), Math.fround(b)) && Math.abs(a - b) > 1e-6 * Math.abs(b)) return false;
    }
    return true;
  };
  const all = Array.from({ length: own.series!.dims }, (_, at) => at);
  return dimension === null ? all.every((at) => isEqual(at, at)) : all.some((at) => isEqual(at, dimension));
}
