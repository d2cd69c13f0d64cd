import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { seededRandom } from '#core';
import { type Clock, type Episode, type Stream, unknownOutcome } from '#core/episode';
import { computeCameraStatistics, lerobotVideoPath, writeLeRobotV3 } from '#formats/write';
import type { FramePlan } from '../faults/fault.ts';
import { identityPlan } from '../faults/fault.ts';
import { faults } from '../faults/registry.ts';
import { Picture } from '../picture.ts';
import type { FaultPlan } from '../plant-fault.ts';
import type { EpisodeTruth, PlantedTruth, SetTruth } from '../truth.ts';
import { jointNames } from './arm.ts';
import { backdrop, cameraSize } from './scene.ts';
import { recordTake, sampleTake, type Take } from './take.ts';
import { openTakeVideo, renderTake, writeTake } from './take-video.ts';

const episodesPerFile = 12;

export interface TeleopOptions {
  /** Number of demonstrations. */
  readonly episodes: number;
  readonly plan: FaultPlan;
}

/** Default faults. The set stays readable by the LeRobot library: its files are complete. */
const defaultOptions: TeleopOptions = {
  episodes: 24,
  plan: {
    3: ['frozen_video', 'medium'],
    8: ['jump', 'medium'],
    11: ['lag', 'medium'],
    14: ['duplicate_episode', 'large'],
    17: ['black_video', 'medium'],
    20: ['nan', 'medium'],
    22: ['wrong_instruction', 'medium'],
  },
};

interface PlannedEpisode {
  readonly take: Take;
  readonly episode: Episode;
  readonly plan: FramePlan;
  readonly planted: readonly PlantedTruth[];
}

/** Writes the teleoperation set as LeRobot v3.0 and returns the planted faults. */
export async function writeTeleopLeRobot(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
  options: TeleopOptions = defaultOptions,
): Promise<Omit<SetTruth, 'path'>> {
  const script = planEpisodes(seed, options);
  const empty = backdrop(seed);
  const framesBefore: number[] = [];
  let done = 0;
  const films = Array.from({ length: Math.ceil(script.length / episodesPerFile) }, async (_, file) => {
    const path = join(folder, lerobotVideoPath(cameraKey, file));
    await mkdir(dirname(path), { recursive: true });
    const writer = await openTakeVideo(path, gridRate_hz);
    for (let e = file * episodesPerFile; e < Math.min((file + 1) * episodesPerFile, script.length); e++) {
      framesBefore[e] = writer.frames;
      await writeTake(writer, empty, script[e].take, script[e].plan, gridRate_hz);
      onProgress(++done / script.length);
    }
    await writer.close();
  });
  await Promise.all(films);
  await writeLeRobotV3(folder, {
    rate_hz: gridRate_hz,
    robot_type: 'desk_arm',
    features: [
      { key: 'observation.state', names: jointNames },
      { key: 'action', names: jointNames },
    ],
    cameras: [{ key: cameraKey, width_px: cameraSize.width, height_px: cameraSize.height, codec: 'h264' }],
    episodes: script.map(({ episode }, e) => ({
      task: episode.tasks?.[0].text ?? '',
      rows: rowsOf(episode),
      series: {
        'observation.state': valuesOf(episode, 'observation.state'),
        action: valuesOf(episode, 'action'),
      },
      videos: { [cameraKey]: { file: Math.floor(e / episodesPerFile), frames_before: framesBefore[e] } },
    })),
    episodes_per_file: episodesPerFile,
    camera_statistics: { [cameraKey]: computeColourStatistics(script, empty) },
  });
  return { title: 'Teleoperation, LeRobot v3.0', episodes: script.map(truthOf) };
}

function planEpisodes(seed: number, { episodes, plan: faultPlan }: TeleopOptions): PlannedEpisode[] {
  const takes = Array.from({ length: episodes }, (_, index) => recordTake(seed, index));
  const clean = takes.map((take, index) => gridEpisode(take, seed, index));
  return takes.map((take, index) => {
    const plan = identityPlan(rowsOf(clean[index]), gridRate_hz);
    const entry = faultPlan[index];
    if (entry === undefined) return { take, episode: clean[index], plan, planted: [] };
    const [id, size] = entry;
    const fault = faults.get(id);
    const random = seededRandom(seed * 101 + index);
    if (fault?.plants === 'video') {
      const changed = fault.plan(plan.source.length, gridRate_hz, size, random);
      const mark = { stream: cameraKey, from_s: changed.from_s, to_s: changed.to_s };
      return { take, episode: clean[index], plan: changed, planted: [{ fault: id, size, marks: [mark] }] };
    }
    const peers = id === 'duplicate_episode' ? [clean[index - 9]] : clean;
    const result = fault?.plant(clean[index], size, random, peers);
    if (result == null) return { take, episode: clean[index], plan, planted: [] };
    const filmed = id === 'duplicate_episode' ? takes[index - 9] : take;
    return {
      take: filmed,
      episode: result.episode,
      plan: identityPlan(rowsOf(result.episode), gridRate_hz),
      planted: [{ fault: id, size, marks: result.marks }],
    };
  });
}

function truthOf({ episode, planted }: PlannedEpisode, index: number): EpisodeTruth {
  const path = `data/chunk-000/file-${String(Math.floor(index / episodesPerFile)).padStart(3, '0')}.parquet`;
  return { index, path, task: episode.tasks?.[0].text ?? null, planted };
}

function rowsOf(episode: Episode): number {
  return episode.streams[0].sample_count;
}

function valuesOf(episode: Episode, id: string): Float32Array {
  const values = episode.streams.find((stream) => stream.id === id)?.series?.values;
  return values instanceof Float32Array ? values : new Float32Array(values ?? []);
}

/**
 * Computes colour statistics from one picture of every second episode, BT.601 limited range converted to RGB on every
 * 16th pixel.
 */
function computeColourStatistics(script: readonly PlannedEpisode[], empty: Picture) {
  const { width, height } = cameraSize;
  const picture = new Picture(width, height);
  const channels: [number[], number[], number[]] = [[], [], []];
  const sample = script.filter((_, index) => index % 2 === 0);
  sample.forEach(({ take }, index) => {
    renderTake(picture, empty, take, take.duration_s / 2, index);
    for (let y = 0; y < height; y += 4) {
      for (let x = 0; x < width; x += 4) {
        const rgb = picture.rgbAt(x, y);
        for (let channel = 0; channel < 3; channel++) channels[channel].push(rgb[channel]);
      }
    }
  });
  return computeCameraStatistics(
    channels.map((channel) => Float64Array.from(channel)),
    sample.length,
  );
}

const gridRate_hz = 30;
const cameraKey = 'observation.images.front';

/** Converts a take to a LeRobot-like episode: one time grid, stamps computed from row numbers. */
export function gridEpisode(take: Take, seed: number, index: number): Episode {
  const rows = Math.floor(take.duration_s * gridRate_hz);
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / gridRate_hz);
  const { state, action } = sampleTake(take, time_s, seededRandom(seed * 31 + index));
  const clock: Clock = { name: 'timestamp', provenance: 'synthesised', time_s };
  const numeric = (id: string, role: 'state' | 'action', values: Float32Array): Stream => ({
    id,
    role,
    modality: 'numeric',
    shape: [jointNames.length],
    names: jointNames,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'the table does not say' },
    declared_rate_hz: gridRate_hz,
    sample_count: rows,
    clocks: [clock],
    clock: { index: 0, reason: 'the only clock of the table' },
    series: { values, dims: jointNames.length },
  });
  const camera: Stream = {
    id: cameraKey,
    role: 'camera',
    modality: 'video',
    shape: [cameraSize.height, cameraSize.width, 3],
    names: ['height', 'width', 'channels'],
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'pictures' },
    declared_rate_hz: gridRate_hz,
    sample_count: rows,
    clocks: [clock],
    clock: { index: 0, reason: 'the only clock of the table' },
    frames: {
      locator: {
        type: 'video',
        path: `videos/${cameraKey}/chunk-000/file-000.mp4`,
        from_s: 0,
        to_s: rows / gridRate_hz,
        expected_frames: rows,
      },
      declared_size_px: [cameraSize.width, cameraSize.height],
      declared_codec: 'h264',
    },
  };
  const id = `episode_${String(index).padStart(6, '0')}`;
  return {
    id,
    index,
    locator: {
      format: 'lerobot-v3',
      path: 'data/chunk-000/file-000.parquet',
      span: { unit: 'row', from: 0, to: rows },
    },
    sources: [],
    start_ns: null,
    duration_s: rows / gridRate_hz,
    streams: [numeric('observation.state', 'state', state), numeric('action', 'action', action), camera],
    events: [],
    tasks: [{ text: take.plan.text, source: 'meta/tasks.parquet' }],
    outcome: unknownOutcome,
    robot: 'desk_arm',
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}
