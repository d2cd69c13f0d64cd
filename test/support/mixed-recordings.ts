import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { openVideoWriter } from '#io/video';
import { movingPicture } from './moving-picture.ts';

const clips = resolve('../shared/data/video/torchcodec');

const spoiled = { 1: ['frozen_video', 'medium'], 3: ['black_video', 'medium'] } as const;

/** Writes a small folder of many kinds: a LeRobot set with video, logs, clips, real ones where there are any. */
export async function writeMixedRecordings(folder: string): Promise<string> {
  const recordings = join(folder, 'recordings');
  mkdirSync(join(recordings, 'videos'), { recursive: true });
  await writeTeleopLeRobot(join(recordings, 'set'), 7, () => {}, { episodes: 4, plan: spoiled });
  await writeTeleopMcap(join(recordings, 'logs'), 8, () => {}, {
    episodes: 3,
    plan: { 1: ['jump', 'medium'] },
  });
  for (const [name, still] of [
    ['moves.mp4', false],
    ['freezes.mp4', true],
  ] as const) {
    const writer = await openVideoWriter(join(recordings, 'videos', name), {
      ...{ width_px: 96, height_px: 64, rate_hz: 10 },
    });
    const frames = movingPicture(96, 64, 60);
    for (const [at, frame] of frames.entries()) await writer.write(still && at > 30 ? frames[30] : frame);
    await writer.close();
  }
  if (existsSync(clips)) cpSync(clips, join(recordings, 'clips'), { recursive: true });
  return recordings;
}
