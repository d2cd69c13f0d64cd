import { defineRegistry } from '#core';

/** Format of recordings; the id equals that of its reader. */
interface SourceFormat<Id extends string> {
  readonly id: Id;
  readonly title: string;
  /** Description of the usual content, and of whether capture times are recorded. */
  readonly carries: string;
}

const defineFormat = <const Id extends string>(id: Id, title: string, carries: string): SourceFormat<Id> => ({
  id,
  title,
  carries,
});

/** All source formats that use cases refer to, including those that this version cannot read. */
export const sourceFormats = defineRegistry([
  defineFormat(
    'lerobot',
    'LeRobot',
    'episodes of one rate: state, action, cameras, task text; stamps mostly computed',
  ),
  defineFormat('mcap', 'MCAP', 'topics at their own rates with log and publish times'),
  defineFormat('rosbag', 'ROS 1 bag', 'topics at their own rates with receive times'),
  defineFormat('rosbag2', 'ROS 2 bag in SQLite', 'topics at their own rates with receive times'),
  defineFormat('ulog', 'PX4 ULog', 'estimator, sensors and actuators of one flight, stamped since boot'),
  defineFormat(
    'dataflash',
    'ArduPilot DataFlash',
    'estimator, sensors and outputs of one flight, stamped since boot',
  ),
  defineFormat(
    'hdf5',
    'HDF5 demonstrations',
    'state, action and pictures as arrays; rarely a time of capture',
  ),
  defineFormat('rlds', 'RLDS', 'steps of observation and action; no time of capture'),
  defineFormat(
    'zarr',
    'zarr replay buffer',
    'one array a signal, all at one rate; times only where a key holds them',
  ),
  defineFormat(
    'droid',
    'DROID raw',
    'one arm at 15 Hz: state, commands and three cameras with their own times, task text, success',
  ),
  defineFormat(
    'bridge-raw',
    'BridgeData V2 raw',
    'one arm at 5 Hz: pictures of up to four cameras and task text; its numbers lie in pickles, which are not read',
  ),
  defineFormat(
    'agibot',
    'AgiBot World',
    'a humanoid at 30 Hz: state and commands with their own times, up to eight cameras, task and sub-task text',
  ),
  defineFormat(
    'comma2k19',
    'comma2k19',
    'minutes of driving: road camera, CAN, IMU, GNSS with their own times',
  ),
  defineFormat(
    'kitti-raw',
    'KITTI raw',
    'drives of minutes: cameras, laser scanner, inertial and satellite navigation with their own times',
  ),
  defineFormat(
    'nuscenes',
    'nuScenes',
    'scenes of twenty seconds: six cameras, laser, radar, pose of the car and calibration with their own times',
  ),
  defineFormat(
    'epic-kitchens',
    'EPIC-KITCHENS narrations',
    'video of a head-worn camera with narrated intervals',
  ),
  defineFormat('ego4d', 'Ego4D narrations', 'video of a head-worn camera with narrated moments'),
  defineFormat(
    'mapped',
    'CSV or Parquet with a mapping file',
    'tables of signals beside videos; roles, units and clocks as a mapping file declares them',
  ),
  defineFormat('coco', 'COCO annotations', 'pictures with boxes, categories and captions; no time'),
  defineFormat('yolo', 'YOLO labels', 'pictures with boxes, corners or outlines and classes; no time'),
  defineFormat('pictures', 'Image folders', 'still pictures, classes from folder names; no time'),
  defineFormat('videos', 'Video folders', 'video with the times of its frames; no signals'),
]);

/** Id of a source format. */
export type SourceFormatId = (typeof sourceFormats.ids)[number];
