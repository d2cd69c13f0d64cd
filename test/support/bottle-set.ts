import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const original = join(import.meta.dirname, '../../../shared/data/lerobot-v21-g1-bottle');
/** The episodes of the original that have their video. */
const whole = [1, 2, 4, 5];

/** True if the third-party recordings are on this machine. */
export const hasBottleSet = existsSync(original);

/** A real LeRobot v2.1 set, cut to the four episodes that are whole: a humanoid picks up a bottle, one camera, 1,400 rows. */
export function copyBottleSet(folder: string): void {
  const take = (path: string) => write(join(folder, path), readFileSync(join(original, path)));
  take('LICENSE');
  take('meta/tasks.jsonl');
  for (const index of whole) {
    const name = `episode_${String(index).padStart(6, '0')}`;
    take(`data/chunk-000/${name}.parquet`);
    take(`videos/chunk-000/observation.images.cam_high/${name}.mp4`);
  }
  const lines = (name: string) =>
    readFileSync(join(original, 'meta', name), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && whole.includes(JSON.parse(line).episode_index));
  for (const name of ['episodes.jsonl', 'episodes_stats.jsonl'])
    write(join(folder, 'meta', name), `${lines(name).join('\n')}\n`);
  const total_frames = lines('episodes.jsonl').reduce((sum, line) => sum + JSON.parse(line).length, 0);
  const info = JSON.parse(readFileSync(join(original, 'meta/info.json'), 'utf8'));
  const counts = { total_episodes: 4, total_frames, total_videos: 4, splits: { train: '0:4' } };
  write(join(folder, 'meta/info.json'), JSON.stringify({ ...info, ...counts }, null, 2));
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
