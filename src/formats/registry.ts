import { defineRegistry } from '#kernel';
import { agibotReader } from './readers/agibot/index.ts';
import { bridgeRawReader } from './readers/bridge-raw/index.ts';
import { comma2k19Reader } from './readers/comma2k19/index.ts';
import { dataflashReader } from './readers/dataflash/index.ts';
import { droidReader } from './readers/droid/index.ts';
import { hdf5Reader } from './readers/hdf5/index.ts';
import { kittiReader } from './readers/kitti/index.ts';
import { lerobotReader } from './readers/lerobot/index.ts';
import { mappedReader } from './readers/mapped/index.ts';
import { mcapReader } from './readers/mcap/index.ts';
import { ego4dReader, epicKitchensReader } from './readers/narrations/index.ts';
import { nuScenesReader } from './readers/nuscenes/index.ts';
import { cocoReader, picturesReader, yoloReader } from './readers/pictures/index.ts';
import { rldsReader } from './readers/rlds/index.ts';
import { rosbagReader } from './readers/rosbag/index.ts';
import { rosbag2Reader } from './readers/rosbag2/index.ts';
import { ulogReader } from './readers/ulog/index.ts';
import { videosReader } from './readers/videos/index.ts';
import { zarrReader } from './readers/zarr/index.ts';

/**
 * Every format that is read. Folder readers first: what they take is not asked of the others; a mapping that a person
 * wrote wins over all.
 */
export const readers = defineRegistry([
  mappedReader,
  lerobotReader,
  comma2k19Reader,
  kittiReader,
  nuScenesReader,
  droidReader,
  bridgeRawReader,
  agibotReader,
  epicKitchensReader,
  ego4dReader,
  mcapReader,
  rosbagReader,
  rosbag2Reader,
  hdf5Reader,
  zarrReader,
  cocoReader,
  yoloReader,
  picturesReader,
  rldsReader,
  ulogReader,
  dataflashReader,
  videosReader,
]);
