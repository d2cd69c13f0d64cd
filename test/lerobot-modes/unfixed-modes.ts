const again = 'what was recorded is itself wrong: record again, or leave the episode out';
const pictures = 'pictures are lost, and counts do not say which rows lack one';

/** Modes that `assay fix` does not mend, and why. */
export const unfixedModes: Readonly<Record<string, string>> = {
  recorder_stall: again,
  camera_at_a_third: again,
  camera_frozen: again,
  camera_black: again,
  camera_lags: 'a lag is measured, not known: moving pictures against rows would be a guess',
  cameras_swapped: 'which camera is which is measured, not known; renaming would be a guess',
  video_short_tail: pictures,
  video_frames_dropped: pictures,
  v3_video_lost_in_file: pictures,
  video_missing: 'the file is not there: copy or download it',
  video_truncated: 'the index at its end is lost, and with it where each frame lies',
  video_lfs_pointer: 'the file is elsewhere: git lfs pull',
  video_other_size: 'needs encoding, which fixes never do',
  video_codec_mpeg4: 'needs encoding, which fixes never do',
  state_width_changes: 'which of the numbers a row should have is not known',
  action_column_missing: 'no file has the commands',
  episode_deleted_by_hand:
    'leaving the episode out renumbers all others: lerobot’s delete_episodes does that',
  not_a_number: 'what was measured there is not known',
  duplicate_exact: 'which of the two should go is for a person to say',
  duplicate_with_fresh_noise: 'which of the two should go is for a person to say',
  unit_changes: 'the true unit is measured, not known',
  joint_offset: again,
  joints_swapped: 'the true order is measured, not known',
  state_frozen: again,
  servo_spike: again,
  operator_idle: again,
  tiny_episode: again,
  instruction_wrong: 'what the text should be is for a person to say',
};
