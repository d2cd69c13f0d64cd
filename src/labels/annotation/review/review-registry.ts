import {
  boxesDoNotFlicker,
  boxesInsidePicture,
  tracksHoldTogether,
  tracksLast,
  tracksMoveSmoothly,
} from './box-and-track-tests.ts';
import {
  depthInRange,
  depthSteady,
  flowComesBack,
  maskAreasSteady,
  masksFitPicture,
  masksLieInBoxes,
} from './pixel-tests.ts';
import { handsMoveSmoothly, peopleMoveSmoothly } from './pose-tests.ts';
import type { ReviewTest } from './review-test.ts';
import {
  captionsFollowMotion,
  metadataMatchesLayers,
  metadataMatchesRecording,
  segmentsCoverEpisode,
  textNamesTask,
} from './text-tests.ts';

/** All review tests. */
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
