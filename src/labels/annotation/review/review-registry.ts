import type { ReviewTest } from './review-test.ts';
import { boxesDoNotFlicker, boxesInsidePicture } from './tests/boxes.ts';
import { depthInRange, depthSteady } from './tests/depth.ts';
import { maskAreasSteady, masksFitPicture, masksLieInBoxes } from './tests/masks.ts';
import { metadataMatchesLayers, metadataMatchesRecording } from './tests/metadata.ts';
import { flowComesBack } from './tests/optical-flow.ts';
import { handsMoveSmoothly, peopleMoveSmoothly } from './tests/poses.ts';
import { captionsFollowMotion, segmentsCoverEpisode, textNamesTask } from './tests/segments-and-texts.ts';
import { tracksHoldTogether, tracksLast, tracksMoveSmoothly } from './tests/tracks.ts';

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
