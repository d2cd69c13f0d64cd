import { defineRegistry } from '#core';
import { agibotReader } from './agibot/index.ts';
import { bridgeRawReader } from './bridge-raw/index.ts';
import { cocoReader } from './coco/index.ts';
import { comma2k19Reader } from './comma2k19/index.ts';
import { dataflashReader } from './dataflash/index.ts';
import { droidReader } from './droid/index.ts';
import { ego4dReader, epicKitchensReader } from './egocentric/index.ts';
import { hdf5Reader } from './hdf5/index.ts';
import { picturesReader } from './image-folder/index.ts';
import { kittiReader } from './kitti/index.ts';
import { lerobotReader } from './lerobot/read/index.ts';
import { mappedReader } from './mapped/index.ts';
import { mavlinkReader } from './mavlink/index.ts';
import { mcapReader } from './mcap/index.ts';
import { nuScenesReader } from './nuscenes/index.ts';
import { rldsReader } from './rlds/index.ts';
import { rosbagReader } from './rosbag/index.ts';
import { rosbag2Reader } from './rosbag2/index.ts';
import { ulogReader } from './ulog/index.ts';
import { videosReader } from './videos/index.ts';
import { yoloReader } from './yolo/index.ts';
import { zarrReader } from './zarr/index.ts';

/**
 * All format readers, in order of precedence: folder readers claim their files before file readers, and user-written
 * mappings come first.
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
  mavlinkReader,
  videosReader,
]);
