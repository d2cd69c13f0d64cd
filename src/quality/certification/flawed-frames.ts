import { significant } from '#core';
import { type EpisodeEvidence, notAssessable, type Observation } from './metric.ts';
import { decoded, flawShare, readPictures } from './read-pictures.ts';

/** The share of frames with one of these flaws, of the camera that has most of them. */
export function flawedFrames({ receipt }: EpisodeEvidence, flaws: readonly string[]): Observation {
  const read = readPictures(receipt);
  if ('reason' in read) return notAssessable(read.reason);
  if (read.showing.length === 0)
    return notAssessable('every camera is a placeholder: it shows nothing in any episode of the set');
  const cameras = decoded(read.showing);
  if (cameras.length === 0) return notAssessable('no frame could be decoded');
  const worst = cameras.reduce((most, next) =>
    flawShare(next, flaws) > flawShare(most, flaws) ? next : most,
  );
  return {
    observed: significant(flawShare(worst, flaws)),
    confidence: read.confidence,
    inputs: { camera: worst.camera, frames: worst.frames, sharpness: worst.sharpness },
    provenance: read.confidence === 'high' ? 'every frame, decoded' : 'frames decoded at intervals',
  };
}
