import {
  type ContractRule,
  refusesRows,
  refusesSet,
  servesWrongRows,
  showsWrong,
  trainsWorse,
  trainsWrong,
} from '../../shared/rule.ts';
import { sameInBoth, v30 } from './readers.ts';

/** Rules for video files and windows. */
const locationRules = [
  {
    id: 'videos_missing',
    holds: 'Every video file that an episode references exists.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Copy or download the missing files; LeRobot requests them from the Hub and fails offline.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'video_missing',
    holds: 'Every video file that the episode references exists.',
    on: 'episode',
    consequences: sameInBoth(refusesSet),
    advice: 'Copy or download the missing file.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'camera_missing',
    holds: 'Every camera has images in every episode.',
    on: 'episode',
    consequences: sameInBoth(refusesSet),
    advice: 'Restore the missing file, or remove the camera from the metadata of the whole dataset.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'camera_without_files',
    holds: 'Every declared camera has videos.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Add the videos, or remove the camera from features in meta/info.json.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'lfs_pointers',
    holds: 'No file is a Git LFS pointer.',
    on: 'dataset',
    consequences: sameInBoth(refusesRows),
    advice: 'Download the files: run git lfs install and git lfs pull in the folder.',
    peers: ['robovet VIDEO-401b', 'robovet DATA-101', 'doctor Video Integrity'],
  },
  {
    id: 'video_columns_missing',
    holds: 'The episode table gives the video file and time range of every camera and episode.',
    on: 'dataset',
    consequences: { [v30]: refusesSet },
    advice:
      'Add videos/<camera>/chunk_index, file_index, from_timestamp and to_timestamp for every episode and declared camera.',
    peers: ['robovet VIDEO-401'],
  },
  {
    id: 'video_spans_overlap',
    holds: 'No two episodes use the same frames of a video.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Set from_timestamp to (number of frames before the episode in its file) / fps.',
    peers: ['robovet META-504', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_foreign',
    holds: 'The video time range of an episode covers its own frames.',
    on: 'episode',
    consequences: { [v30]: servesWrongRows },
    advice: 'Set from_timestamp to (number of frames before the episode in its file) / fps.',
    peers: ['robovet META-504', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_not_reset',
    holds: 'Video time ranges start at 0 in each file.',
    on: 'episode',
    consequences: { [v30]: refusesRows },
    advice:
      'Subtract the end time of the previous file from from_timestamp and to_timestamp of the episodes in this file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'video_windows_not_reset',
    holds: 'Video time ranges start at 0 in each file.',
    on: 'dataset',
    consequences: { [v30]: refusesRows },
    advice:
      'Subtract the end time of the previous file from from_timestamp and to_timestamp of all episodes in the file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'video_span_mismatch',
    holds: 'The video time range of an episode is as long as its rows.',
    on: 'episode',
    consequences: { [v30]: trainsWrong },
    advice: 'Compute from_timestamp and to_timestamp as (number of frames) / fps.',
    peers: ['robovet META-504', 'robovet VIDEO-405'],
  },
] as const satisfies readonly ContractRule[];

/** Rules for the frames of rows. */
const frameRules = [
  {
    id: 'camera_frames_missing',
    holds: 'The video has a frame for every row.',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice: 'Re-record or re-encode the video, or drop the rows without a frame.',
    peers: ['robovet VIDEO-402', 'robovet VIDEO-405', 'doctor Video Integrity'],
  },
  {
    id: 'camera_frames_foreign',
    holds: 'Every row is paired with a frame of its own episode.',
    on: 'episode',
    consequences: { [v30]: servesWrongRows },
    advice: 'Re-record or re-encode the episode, or exclude it.',
    peers: ['robovet VIDEO-405', 'robovet META-504'],
  },
  {
    id: 'camera_rows_refused',
    holds: 'Every frame is within 0.1 ms of the timestamp of its row (LeRobot’s tolerance_s).',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice:
      'Align video time ranges and timestamps to multiples of 1 / fps, or load with the tolerance_s given in the finding.',
    peers: ['robovet TIME-205', 'robovet VIDEO-404'],
  },
  {
    id: 'camera_window_past_file',
    holds: 'The video time range of an episode lies within its video file.',
    on: 'episode',
    consequences: { [v30]: refusesRows },
    advice: 'Measure from_timestamp from the start of each video file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'camera_frames_extra',
    holds: 'Every frame of an episode belongs to a row.',
    on: 'episode',
    consequences: sameInBoth(trainsWorse),
    advice: 'Remove the frames of the discarded take: viewers show them, and they use disk space.',
    peers: ['robovet VIDEO-402', 'robovet VIDEO-405', 'doctor Video Integrity'],
  },
  {
    id: 'camera_rate_mismatch',
    holds: 'Videos have the declared frame rate.',
    on: 'episode',
    consequences: sameInBoth(trainsWorse),
    advice: 'Re-encode the video at the frame rate of the rows.',
    peers: ['robovet VIDEO-404', 'doctor Video Integrity'],
  },
  {
    id: 'video_file_lacks_frames',
    holds: 'A video file contains all frames that its episodes need.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Re-encode the file from its sources; frame counts do not show which episodes are shifted.',
    peers: ['doctor Video Integrity', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_drift',
    holds: 'Video time ranges stay aligned with the frames across all episodes of a file.',
    on: 'dataset',
    consequences: { [v30]: refusesRows },
    advice: 'Compute from_timestamp as (number of frames) / fps, not as a sum of durations.',
    peers: ['robovet TIME-205'],
  },
  {
    id: 'video_stamps_off_grid',
    holds: 'Frame timestamps are multiples of 1 / fps.',
    on: 'dataset',
    consequences: sameInBoth(refusesRows),
    advice:
      'Remux with a time base that represents 1 / fps exactly, or load with the tolerance_s given in the finding.',
    peers: ['robovet VIDEO-404', 'doctor Video Integrity'],
  },
] as const satisfies readonly ContractRule[];

/** Rules for pictures. */
const pictureRules = [
  {
    id: 'image_undecodable',
    holds: 'Every video can be decoded.',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice: 'Restore the file; if the recorder did not finish the video, the index at its end is missing.',
    peers: ['robovet VIDEO-401b', 'doctor Video Integrity'],
  },
  {
    id: 'camera_size_mismatch',
    holds: 'A camera has the same image size in all episodes.',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice: 'Resize all episodes to one image size: images of different sizes cannot be batched.',
    peers: ['doctor Video Integrity'],
  },
  {
    id: 'picture_size_wrong',
    holds: 'Images have their declared size.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct the declared shape: policies derive their input size from it.',
    peers: ['doctor Video Integrity'],
  },
  {
    id: 'picture_shape_turned',
    holds: 'The shape of a camera uses the same axis order as its names.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Set shape to [height, width, channels] and names to ["height", "width", "channels"].',
  },
  {
    id: 'camera_shape_wrong',
    holds: 'The shape of a camera has three numbers.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Set shape to [height, width, channels].',
  },
  {
    id: 'camera_names_wrong',
    holds: 'Cameras have a name for each of their three axes.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Set names to ["height", "width", "channels"].',
  },
  {
    id: 'video_codec_unshown',
    holds: 'Browsers can play the videos.',
    on: 'dataset',
    consequences: sameInBoth(showsWrong),
    advice: 'Encode as H.264 or AV1 if the videos should play in a browser.',
    peers: ['robovet VIDEO-403'],
  },
] as const satisfies readonly ContractRule[];

/** All rules for video files, windows, frames and pictures. */
export const videoRules = [...locationRules, ...frameRules, ...pictureRules] as const;
