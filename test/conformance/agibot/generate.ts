/** Writes the inputs of the cases beside it: `node test/conformance/agibot/generate.ts`. */
import { join } from 'node:path';
import { agibotFiles, indexOf, proprioStats, shaped, taskRow } from '../../support/agibot-episodes.ts';
import { tinyPng, tinyVideo, writeCase } from '../../support/case-files.ts';

const frames = 12;
const place = join(import.meta.dirname, 'two-tasks', 'input');
const fewer = { 'action/joint/position': shaped(5, 14), 'action/joint/index': indexOf([0, 2, 4, 7, 9]) };
const longer = { 'action/joint/position': shaped(frames + 3, 14) };

await writeCase(place, {
  'task_info/task_327.json': [taskRow(648642, frames), taskRow(648649, frames)],
  ...agibotFiles(327, 648642, proprioStats(frames)),
  ...agibotFiles(327, 648649, proprioStats(frames, fewer)),
  ...agibotFiles(361, 7, proprioStats(frames, longer)),
  'observations/327/648642/depth/head_depth_000000.png': tinyPng,
});
for (const video of ['327/648642/videos/head', '327/648642/videos/hand_left', '327/648649/videos/head']) {
  await tinyVideo(join(place, 'observations', `${video}_color.mp4`), frames, 'mp4', 30);
}
