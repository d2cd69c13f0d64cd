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
    'episodes at a fixed rate: state, action, cameras, task text; timestamps mostly computed',
  ),
  defineFormat('mcap', 'MCAP', 'topics at individual rates with log and publish times'),
  defineFormat('rosbag', 'ROS 1 bag', 'topics at individual rates with receive times'),
  defineFormat('rosbag2', 'ROS 2 bag in SQLite', 'topics at individual rates with receive times'),
  defineFormat('ulog', 'PX4 ULog', 'estimator, sensors and actuators of one flight, timestamps since boot'),
  defineFormat(
    'dataflash',
    'ArduPilot DataFlash',
    'estimator, sensors and outputs of one flight, timestamps since boot',
  ),
  defineFormat(
    'mavlink',
    'MAVLink telemetry log',
    'messages of one or more vehicles as a ground station received them, at a few Hz, with receive times',
  ),
  defineFormat(
    'hdf5',
    'HDF5 demonstrations',
    'state, action and images as arrays; rarely with capture times',
  ),
  defineFormat('rlds', 'RLDS', 'steps of observation and action; no capture times'),
  defineFormat(
    'zarr',
    'zarr replay buffer',
    'one array per signal, all at one rate; timestamps only if a key contains them',
  ),
  defineFormat(
    'droid',
    'DROID raw',
    'one arm at 15 Hz: state, commands and three cameras with individual timestamps, task text, success',
  ),
  defineFormat(
    'bridge-raw',
    'BridgeData V2 raw',
    'one arm at 5 Hz: images of up to four cameras and task text; numeric data is in pickle files, which are not read',
  ),
  defineFormat(
    'agibot',
    'AgiBot World',
    'a humanoid at 30 Hz: state and commands with individual timestamps, up to eight cameras, task and subtask text',
  ),
  defineFormat(
    'comma2k19',
    'comma2k19',
    'one-minute drive segments: road camera, CAN, IMU, GNSS with individual timestamps',
  ),
  defineFormat(
    'kitti-raw',
    'KITTI raw',
    'drives of a few minutes: cameras, lidar, IMU and GNSS with individual timestamps',
  ),
  defineFormat(
    'nuscenes',
    'nuScenes',
    'scenes of 20 s: six cameras, lidar, radar, ego pose and calibration with individual timestamps',
  ),
  defineFormat(
    'epic-kitchens',
    'EPIC-KITCHENS narrations',
    'video of a head-mounted camera with narrated intervals',
  ),
  defineFormat('ego4d', 'Ego4D narrations', 'video of a head-mounted camera with narrated moments'),
  defineFormat(
    'mapped',
    'Own layouts with a mapping',
    'tables of signals with cameras in CSV, Parquet, HDF5 or JSON; a mapping file declares roles, units and clocks',
  ),
  defineFormat('coco', 'COCO annotations', 'images with boxes, categories and captions; no timestamps'),
  defineFormat('yolo', 'YOLO labels', 'images with boxes, corners or outlines and classes; no timestamps'),
  defineFormat('pictures', 'Image folders', 'still images, classes from folder names; no timestamps'),
  defineFormat(
    'videos',
    'Video folders',
    'video with frame timestamps; signals only of GoPro cameras (IMU, GNSS)',
  ),
]);

/** Id of a source format. */
export type SourceFormatId = (typeof sourceFormats.ids)[number];
