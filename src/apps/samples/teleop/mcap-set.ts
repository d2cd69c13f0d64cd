import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openJpegEncoder } from '#io/video';
import { type LoggedTopic, writeLogged } from '../logged-file.ts';
import { Picture } from '../picture.ts';
import { plantFault } from '../plant-fault.ts';
import type { EpisodeTruth, SetTruth } from '../truth.ts';
import { jointNames } from './arm.ts';
import type { TeleopOptions } from './lerobot-set.ts';
import { loggedTake, topics } from './logged-take.ts';
import { backdrop, cameraSize } from './scene.ts';
import { recordTake } from './take.ts';
import { renderTake } from './take-video.ts';

const defaultOptions: TeleopOptions = {
  episodes: 24,
  plan: {
    2: ['dropped_rows', 'medium'],
    6: ['swapped_stamps', 'small'],
    9: ['frozen_state', 'medium'],
    13: ['unit_change', 'medium'],
    16: ['missing_camera', 'large'],
    19: ['empty_instruction', 'large'],
  },
};

const names = jointNames.map((name) => name.replace('.pos', ''));

/**
 * Writes the demonstrations as ROS 2 style MCAP, one file each, and returns the planted faults. `succeeded` is the
 * outcome stored in each file.
 */
export async function writeTeleopMcap(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
  {
    episodes: count,
    plan,
    succeeded = true,
  }: TeleopOptions & { readonly succeeded?: boolean } = defaultOptions,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const encoder = await openJpegEncoder(cameraSize.width, cameraSize.height);
  const empty = backdrop(seed);
  const picture = new Picture(cameraSize.width, cameraSize.height);
  const takes = Array.from({ length: count }, (_, index) => recordTake(seed, index));
  const clean = takes.map((take, index) => loggedTake(take, seed, index));
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < count; index++) {
    const { episode, planted } = plantFault(clean[index], plan, seed, clean);
    const photo = (time_s: number, frame: number): Uint8Array => {
      renderTake(picture, empty, takes[index], time_s, index * 1000 + frame);
      return encoder.encode(picture.bytes);
    };
    const task = episode.tasks?.[0]?.text ?? '';
    const metadata = { task, robot_type: 'desk_arm', success: String(succeeded) };
    await writeLogged(join(folder, episode.locator.path), episode, topicsOf(photo), metadata);
    episodes.push({ index, path: episode.locator.path, task, planted });
    onProgress((index + 1) / count);
  }
  encoder.close();
  return { title: 'Teleoperation, MCAP', episodes };
}

function topicsOf(photo: (time_s: number, frame: number) => Uint8Array): LoggedTopic[] {
  const joints = (topic: string): LoggedTopic => ({
    stream: topic,
    topic,
    schema: 'sensor_msgs/msg/JointState',
    value: (header, position) => ({ header, name: names, position, velocity: [], effort: [] }),
  });
  return [
    joints(topics.state),
    joints(topics.action),
    {
      stream: topics.camera,
      topic: topics.camera,
      schema: 'sensor_msgs/msg/CompressedImage',
      value: (header, _row, index, time_s) => ({ header, format: 'jpeg', data: photo(time_s, index) }),
    },
  ];
}
