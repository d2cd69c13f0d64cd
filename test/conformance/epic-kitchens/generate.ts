/** Writes the inputs of the cases beside it: `node test/conformance/epic-kitchens/generate.ts`. */
import { join } from 'node:path';
import { tinyVideo, writeCase } from '../../support/case-files.ts';

const header =
  'narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,stop_frame,narration,verb,verb_class,noun,noun_class,all_nouns,all_noun_classes';
const row = (id: string, start: string, stop: string, text: string): string =>
  `${id},P01,${id.replace(/_\d+$/, '')},,${start},${stop},1,9,"${text}",open,3,door,8,"['door', 'cup']","[8, 13]"`;
const place = join(import.meta.dirname, 'overlapping', 'input');

await writeCase(place, {
  'EPIC_100_train.csv': [
    header,
    row('P01_101_1', '00:00:00.20', '00:00:00.30', 'take plate, cup'),
    row('P01_101_0', '00:00:00.04', '00:00:00.36', 'open door'),
    row('P01_101_2', '00:01:00.00', '00:01:01.00', 'close door'),
    row('P02_01_0', '00:00:01.00', '00:00:02.00', 'open door'),
    row('P02_01_1', '1 s', '2 s', 'open door'),
  ].join('\n'),
  'EPIC_100_video_info.csv': 'video_id,duration,fps,resolution\nP01_101,0.4,50.0,64x48\n',
});
await tinyVideo(join(place, 'P01', 'videos', 'P01_101.mp4'), 20, 'mp4');
