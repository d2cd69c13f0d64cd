import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Episode, Stream } from '#episode';
import { type McapMessage, openJpegEncoder, writeMcap } from '#formats';
import { seededRandom } from '#kernel';
import type { FaultSize } from '../faults/fault.ts';
import { faults } from '../faults/registry.ts';
import { nanoseconds } from '../logged-time.ts';
import { Picture } from '../picture.ts';
import { type RosType, rosDefinitions, rosStamp } from '../ros-definitions.ts';
import type { EpisodeTruth, PlantedTruth, SetTruth } from '../truth.ts';
import { loggedEpisode, topics } from './logged-episode.ts';
import { backdrop, cameraSize } from './scene.ts';
import { recordTake } from './take.ts';
import { photograph } from './take-video.ts';

const episodeCount = 24;

const spoiled: Readonly<Record<number, readonly [fault: string, size: FaultSize]>> = {
  2: ['dropped_rows', 'medium'],
  6: ['swapped_stamps', 'small'],
  9: ['frozen_state', 'medium'],
  13: ['unit_change', 'medium'],
  16: ['missing_camera', 'large'],
  19: ['empty_instruction', 'large'],
};

const channels = [
  [topics.state, 'sensor_msgs/msg/JointState'],
  [topics.action, 'sensor_msgs/msg/JointState'],
  [topics.camera, 'sensor_msgs/msg/CompressedImage'],
  ['/task', 'std_msgs/msg/String'],
] as const satisfies readonly (readonly [string, RosType])[];

/** Writes the same demonstrations as ROS 2 flavoured MCAP, one file each, and says what is planted where. */
export async function writeTeleopMcap(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const encoder = await openJpegEncoder(cameraSize.width, cameraSize.height);
  const empty = backdrop(seed);
  const picture = new Picture(cameraSize.width, cameraSize.height);
  const truths: EpisodeTruth[] = [];
  const takes = Array.from({ length: episodeCount }, (_, index) => recordTake(seed, index));
  const clean = takes.map((take, index) => loggedEpisode(take, seed, index));
  for (let index = 0; index < episodeCount; index++) {
    const { episode, planted } = spoil(clean[index], index, seed, clean);
    const start_ns = BigInt(episode.start_ns ?? 0);
    const messages = messagesOf(episode, start_ns, (time_s, frame) => {
      photograph(picture, empty, takes[index], time_s, index * 1000 + frame);
      return encoder.encode(picture.bytes);
    });
    const path = episode.locator.path;
    const task = episode.tasks?.[0]?.text ?? '';
    await writeMcap(join(folder, path), {
      channels: channels.map(([topic, schema]) => ({ topic, schema, definition: rosDefinitions[schema] })),
      messages,
      metadata: { assay: { task, robot_type: 'desk_arm', success: 'true' } },
    });
    truths.push({ index, path, task, planted });
    onProgress((index + 1) / episodeCount);
  }
  encoder.close();
  return { title: 'The same demonstrations, MCAP', episodes: truths };
}

function spoil(
  clean: Episode,
  index: number,
  seed: number,
  peers: readonly Episode[],
): { episode: Episode; planted: readonly PlantedTruth[] } {
  const entry = spoiled[index];
  const fault = entry === undefined ? undefined : faults.get(entry[0]);
  if (entry === undefined || fault?.plants !== 'episode') return { episode: clean, planted: [] };
  const result = fault.plant(clean, entry[1], seededRandom(seed * 103 + index), peers);
  if (result === null) return { episode: clean, planted: [] };
  return { episode: result.episode, planted: [{ fault: entry[0], size: entry[1], marks: result.marks }] };
}

function messagesOf(
  episode: Episode,
  start_ns: bigint,
  photo: (time_s: number, frame: number) => Uint8Array,
): McapMessage[] {
  const messages: McapMessage[] = [];
  const task = episode.tasks?.[0]?.text ?? '';
  messages.push({ channel: 3, log_ns: start_ns, publish_ns: start_ns, value: { data: task } });
  for (const stream of episode.streams) {
    const channel = channels.findIndex(([topic]) => stream.id.startsWith(topic));
    for (let i = 0; i < stream.sample_count; i++) {
      const stamp_ns = nanoseconds(stream.clocks[0].time_s[i], start_ns);
      const header = { stamp: rosStamp(stamp_ns), frame_id: stream.role };
      const value =
        stream.role === 'camera'
          ? { header, format: 'jpeg', data: photo(stream.clocks[0].time_s[i], i) }
          : { header, name: stream.names, position: rowOf(stream, i), velocity: [], effort: [] };
      messages.push({
        channel,
        log_ns: nanoseconds(stream.clocks[1].time_s[i], start_ns),
        publish_ns: stamp_ns,
        value,
      });
    }
  }
  return messages;
}

function rowOf(stream: Stream, row: number): number[] {
  const { values, dims } = stream.series ?? { values: new Float64Array(0), dims: 0 };
  return Array.from(values.subarray(row * dims, (row + 1) * dims));
}
