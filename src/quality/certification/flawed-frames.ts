import { significant } from '#core';
import { type EpisodeEvidence, notAssessable, type Observation } from './metric.ts';
import { computeFlawShare, readPictures, selectDecodedCameras } from './read-pictures.ts';

/** Observes the share of frames (0 to 1) with one of these flaws, for the camera with the largest share. */
export function observeFlawedFrames({ receipt }: EpisodeEvidence, flaws: readonly string[]): Observation {
  const read = readPictures(receipt);
  if ('reason' in read) return notAssessable(read.reason);
  if (read.showing.length === 0)
    return notAssessable('every camera is a placeholder without images in the whole dataset');
  const cameras = selectDecodedCameras(read.showing);
  if (cameras.length === 0) return notAssessable('no frame could be decoded');
  const worst = cameras.reduce((best, next) =>
    computeFlawShare(next, flaws) > computeFlawShare(best, flaws) ? next : best,
  );
  return {
    observed: significant(computeFlawShare(worst, flaws)),
    confidence: read.confidence,
    inputs: { camera: worst.camera, frames: worst.frames, sharpness: worst.sharpness },
    provenance: read.confidence === 'high' ? 'all frames, decoded' : 'sampled frames, decoded',
  };
}
