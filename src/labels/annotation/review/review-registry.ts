import type { ReviewTest } from './review-test.ts';
import { boxesDoNotFlicker } from './tests/boxes-do-not-flicker.ts';
import { boxesInsidePicture } from './tests/boxes-inside-picture.ts';
import { captionsFollowMotion } from './tests/captions-follow-motion.ts';
import { depthInRange } from './tests/depth-in-range.ts';
import { depthSteady } from './tests/depth-steady.ts';
import { flowComesBack } from './tests/flow-comes-back.ts';
import { handsMoveSmoothly } from './tests/hands-move-smoothly.ts';
import { maskAreasSteady } from './tests/mask-areas-steady.ts';
import { masksFitPicture } from './tests/masks-fit-picture.ts';
import { masksLieInBoxes } from './tests/masks-lie-in-boxes.ts';
import { metadataMatchesLayers } from './tests/metadata-matches-layers.ts';
import { metadataMatchesRecording } from './tests/metadata-matches-recording.ts';
import { peopleMoveSmoothly } from './tests/people-move-smoothly.ts';
import { segmentsCoverEpisode } from './tests/segments-cover-episode.ts';
import { textNamesTask } from './tests/text-names-task.ts';
import { tracksHoldTogether } from './tests/tracks-hold-together.ts';
import { tracksLast } from './tests/tracks-last.ts';
import { tracksMoveSmoothly } from './tests/tracks-move-smoothly.ts';

/** Every test that annotations are reviewed by. */
export const reviewTests: readonly ReviewTest[] = [
  boxesDoNotFlicker,
  boxesInsidePicture,
  captionsFollowMotion,
  depthInRange,
  depthSteady,
  flowComesBack,
  handsMoveSmoothly,
  maskAreasSteady,
  masksFitPicture,
  masksLieInBoxes,
  metadataMatchesLayers,
  metadataMatchesRecording,
  peopleMoveSmoothly,
  segmentsCoverEpisode,
  textNamesTask,
  tracksHoldTogether,
  tracksLast,
  tracksMoveSmoothly,
];
