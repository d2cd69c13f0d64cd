import { boxesInsidePicture } from './boxes-inside-picture.ts';
import { captionsFollowMotion } from './captions-follow-motion.ts';
import type { ReviewTest } from './review-test.ts';
import { segmentsCoverEpisode } from './segments-cover-episode.ts';
import { textNamesTask } from './text-names-task.ts';

/** Every test that annotations are reviewed by. */
export const reviewTests: readonly ReviewTest[] = [
  segmentsCoverEpisode,
  boxesInsidePicture,
  captionsFollowMotion,
  textNamesTask,
];
