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
    holds: 'Every video file that an episode names is there.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Copy or download the missing files; the library asks the Hub for them and fails offline.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'video_missing',
    holds: 'Every video file that the episode names is there.',
    on: 'episode',
    consequences: sameInBoth(refusesSet),
    advice: 'Copy or download the missing file.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'camera_missing',
    holds: 'Every camera has pictures in every episode.',
    on: 'episode',
    consequences: sameInBoth(refusesSet),
    advice: 'Restore the missing file, or take the camera out of the metadata of the whole dataset.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'camera_without_files',
    holds: 'Every declared camera has videos.',
    on: 'dataset',
    consequences: sameInBoth(refusesSet),
    advice: 'Add the videos, or take the camera out of features.',
    peers: ['robovet VIDEO-401', 'doctor Video Integrity'],
  },
  {
    id: 'lfs_pointers',
    holds: 'No file is a Git LFS pointer.',
    on: 'dataset',
    consequences: sameInBoth(refusesRows),
    advice: 'Fetch them: run git lfs install and git lfs pull in the folder.',
    peers: ['robovet VIDEO-401b', 'robovet DATA-101', 'doctor Video Integrity'],
  },
  {
    id: 'video_columns_missing',
    holds: 'The table of episodes says where the video of every camera and episode is.',
    on: 'dataset',
    consequences: { [v30]: refusesSet },
    advice:
      'Write videos/<camera>/chunk_index, file_index, from_timestamp and to_timestamp for every episode and declared camera.',
    peers: ['robovet VIDEO-401'],
  },
  {
    id: 'video_spans_overlap',
    holds: 'No two episodes claim the same frames of a video.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Write from_timestamp as (frames before the episode in its file) / fps.',
    peers: ['robovet META-504', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_foreign',
    holds: 'The window of an episode covers its own frames of the video file.',
    on: 'episode',
    consequences: { [v30]: servesWrongRows },
    advice: 'Write from_timestamp as (frames before the episode in its file) / fps.',
    peers: ['robovet META-504', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_not_reset',
    holds: 'Windows count from the start of their own file.',
    on: 'episode',
    consequences: { [v30]: refusesRows },
    advice: 'Subtract the end of the previous file from the windows of this file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'video_windows_not_reset',
    holds: 'Windows count from the start of their own file.',
    on: 'dataset',
    consequences: { [v30]: refusesRows },
    advice: 'Subtract the end of the previous file from the windows of the file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'video_span_mismatch',
    holds: 'The window of an episode is as long as its rows.',
    on: 'episode',
    consequences: { [v30]: trainsWrong },
    advice: 'Write from_timestamp and to_timestamp as (count of frames) / fps.',
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
    advice: 'Record or encode the video again, or drop the rows that have no frame.',
    peers: ['robovet VIDEO-402', 'robovet VIDEO-405', 'doctor Video Integrity'],
  },
  {
    id: 'camera_frames_foreign',
    holds: 'Every row gets a frame of its own episode.',
    on: 'episode',
    consequences: { [v30]: servesWrongRows },
    advice: 'Record or encode the episode again, or leave it out.',
    peers: ['robovet VIDEO-405', 'robovet META-504'],
  },
  {
    id: 'camera_rows_refused',
    holds: 'Every frame lies within 0.1 ms of the time that its row asks for (tolerance_s of the library).',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice:
      'Align windows and stamps with multiples of 1 / fps, or load with the tolerance_s named in the finding.',
    peers: ['robovet TIME-205', 'robovet VIDEO-404'],
  },
  {
    id: 'camera_window_past_file',
    holds: 'The window of an episode lies inside its video file.',
    on: 'episode',
    consequences: { [v30]: refusesRows },
    advice: 'Count from_timestamp from the start of each video file.',
    peers: ['robovet VIDEO-405'],
  },
  {
    id: 'camera_frames_extra',
    holds: 'Every frame of an episode belongs to a row.',
    on: 'episode',
    consequences: sameInBoth(trainsWorse),
    advice: 'Cut off the frames of the discarded take: viewers show them, and they take disk space.',
    peers: ['robovet VIDEO-402', 'robovet VIDEO-405', 'doctor Video Integrity'],
  },
  {
    id: 'camera_rate_mismatch',
    holds: 'Videos run at the declared rate.',
    on: 'episode',
    consequences: sameInBoth(trainsWorse),
    advice: 'Encode the video again at the rate of the rows.',
    peers: ['robovet VIDEO-404', 'doctor Video Integrity'],
  },
  {
    id: 'video_file_lacks_frames',
    holds: 'A video file holds all frames that its episodes claim.',
    on: 'dataset',
    consequences: { [v30]: servesWrongRows },
    advice: 'Encode the file again from its sources; counts do not show which episodes are shifted.',
    peers: ['doctor Video Integrity', 'robovet VIDEO-405'],
  },
  {
    id: 'video_window_drift',
    holds: 'Windows stay aligned with the frames through all episodes of a file.',
    on: 'dataset',
    consequences: { [v30]: refusesRows },
    advice: 'Write from_timestamp as (count of frames) / fps, not as a sum of durations.',
    peers: ['robovet TIME-205'],
  },
  {
    id: 'video_stamps_off_grid',
    holds: 'Frames are stamped at multiples of 1 / fps.',
    on: 'dataset',
    consequences: sameInBoth(refusesRows),
    advice:
      'Remux with a time base that holds 1 / fps exactly, or load with the tolerance_s named in the finding.',
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
    advice: 'Restore the file; a video that the recorder did not finish lacks the index at its end.',
    peers: ['robovet VIDEO-401b', 'doctor Video Integrity'],
  },
  {
    id: 'camera_size_mismatch',
    holds: 'A camera has one picture size in all episodes.',
    on: 'episode',
    consequences: sameInBoth(refusesRows),
    advice: 'Bring all episodes to one size: a batch of two sizes cannot be stacked.',
    peers: ['doctor Video Integrity'],
  },
  {
    id: 'picture_size_wrong',
    holds: 'Pictures have their declared size.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Correct the declared shape: policies are built from it.',
    peers: ['doctor Video Integrity'],
  },
  {
    id: 'picture_shape_turned',
    holds: 'The shape of a camera is in the order of its names.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Write shape as [height, width, channels] beside the names ["height", "width", "channels"].',
  },
  {
    id: 'camera_shape_wrong',
    holds: 'Shapes of cameras have three numbers.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Write shape as [height, width, channels].',
  },
  {
    id: 'camera_names_wrong',
    holds: 'Cameras name their three axes.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Write names as ["height", "width", "channels"].',
  },
  {
    id: 'video_codec_unshown',
    holds: 'Browsers can play the videos.',
    on: 'dataset',
    consequences: sameInBoth(showsWrong),
    advice: 'Encode as H.264 or AV1 if people watch the videos in a browser.',
    peers: ['robovet VIDEO-403'],
  },
] as const satisfies readonly ContractRule[];

/** All rules for video files, windows, frames and pictures. */
export const videoRules = [...locationRules, ...frameRules, ...pictureRules] as const;
