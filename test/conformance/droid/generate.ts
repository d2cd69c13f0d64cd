/** Writes the inputs of the cases beside it: `node test/conformance/droid/generate.ts`. */
import { join } from 'node:path';
import { placed, tinyVideo, writeCase } from '../../support/case-files.ts';
import { droidEpisode, serials } from '../../support/droid-episodes.ts';

const steps = 15;
const lab = join(import.meta.dirname, 'lab', 'input');
// Times with _ for :, which some file systems refuse.
const day = (outcome: string, clock: string) => `AUTOLab/${outcome}/2023-07-07/Fri_Jul__7_${clock}_2023`;
const whole = day('success', '09_42_23');
const blind = day('success', '10_15_00');

await writeCase(lab, {
  ...placed(whole, droidEpisode(steps, { held: [0, 1, 2] })),
  ...placed(blind, droidEpisode(steps, { metadata: { trajectory_length: 40, success: false } })),
  [`${blind}/recordings/SVO/${serials.ext1}.svo`]: 'depth and both eyes',
  ...placed(day('failure', '11_00_00'), droidEpisode(steps, { metadata: null })),
  ...placed(day('failure', '12_00_00'), { 'metadata_x.json': { uuid: 'x', success: false } }),
});
for (const serial of Object.values(serials)) {
  await tinyVideo(join(lab, whole, 'recordings', 'MP4', `${serial}.mp4`), steps, 'mp4');
}
await tinyVideo(join(lab, blind, 'recordings', 'MP4', `${serials.wrist}.mp4`), steps, 'mp4');
