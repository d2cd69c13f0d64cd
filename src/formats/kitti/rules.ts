import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  servesWrongRows,
  trainsWorse,
} from '../shared/rule.ts';

const reader = 'pykitti';

const dayRules = [
  {
    id: 'calibration_missing',
    holds: 'The date folder has calib_cam_to_cam.txt, calib_velo_to_cam.txt and calib_imu_to_velo.txt.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the calibration archive of this date next to its drives.',
  },
  {
    id: 'kitti_calibration_incomplete',
    holds:
      'calib_cam_to_cam.txt has P_rect (12 numbers) and R_rect (9) for four cameras; the other files have R (9) and T (3).',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the calibration archive of this date again.',
  },
  {
    id: 'kitti_calibration_line',
    holds: 'Every line of a calibration file has a colon after its name; no line is empty.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Remove the line.',
  },
] as const satisfies readonly ContractRule[];

const driveRules = [
  {
    id: 'kitti_oxts_times_missing',
    holds: 'The drive has oxts/timestamps.txt, with one line per frame.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Copy oxts/timestamps.txt from the archive of this drive.',
  },
  {
    id: 'kitti_oxts_time_malformed',
    holds:
      'Every line of oxts/timestamps.txt is a time with fractional seconds, such as 2011-09-26 13:02:25.964389445.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Restore the file from the archive of this drive; no line may be empty.',
  },
  {
    id: 'oxts_packet_unreadable',
    holds: 'Each file in oxts/data is one line of 30 numbers.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the archive of this drive again.',
  },
  {
    id: 'kitti_frames_shifted',
    holds:
      'The i-th file of a sensor, by name, is frame i: no file is missing, and no other file is in the folder.',
    on: 'episode',
    consequences: { [reader]: servesWrongRows },
    advice: 'Restore missing files and move other files away, or pair files with timestamps by their number.',
  },
  {
    id: 'kitti_frames_fewer',
    holds: 'A sensor of a synchronised drive has a file for every line of oxts/timestamps.txt.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Unpack the archive of this drive again, or trim the drive to the frames that all sensors have.',
  },
  {
    id: 'kitti_frames_more',
    holds: 'A sensor of a synchronised drive has no more files than oxts/timestamps.txt has lines.',
    on: 'episode',
    consequences: { [reader]: trainsWorse },
    advice: 'Restore oxts/timestamps.txt; frames beyond its last line are ignored.',
  },
  {
    id: 'kitti_scan_cut',
    holds: 'A laser scan has exactly four numbers per point.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Unpack the archive of this drive again.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...dayRules, ...driveRules];

/**
 * Contract of pykitti's `raw` loader, which opens a drive with the calibration of its day and pairs sensors by the
 * order of their files.
 */
export const kittiContract: Contract = {
  format: 'kitti-raw',
  title: 'KITTI raw',
  readers: [{ id: reader, title: 'pykitti', release: '0.3.1' }],
  rules,
};

/** Creates the finding for a violated rule of pykitti. */
export const kittiViolation = ruleFindings(rules, reader);
