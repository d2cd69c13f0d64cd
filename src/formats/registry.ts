import { defineRegistry } from '#kernel';
import { comma2k19Reader } from './readers/comma2k19/index.ts';
import { kittiReader } from './readers/kitti/index.ts';
import { lerobotReader } from './readers/lerobot/index.ts';
import { mcapReader } from './readers/mcap/index.ts';
import { cocoReader, picturesReader } from './readers/pictures/index.ts';
import { ulogReader } from './readers/ulog/index.ts';
import { videosReader } from './readers/videos/index.ts';

/** Every format that is read. Folder readers first: what they claim is not asked of the others. */
export const readers = defineRegistry([
  lerobotReader,
  comma2k19Reader,
  kittiReader,
  mcapReader,
  cocoReader,
  picturesReader,
  ulogReader,
  videosReader,
]);
