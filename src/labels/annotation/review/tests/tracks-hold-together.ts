import { significant } from '#core';
import { type Box, overlap } from '../../detection/boxes.ts';
import { knownTracks } from '../../known/known-tracks.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';

/** A track that begins so soon after another has ended, at its place, is the same object with another id. */
const switched_s = 2;
const samePlace = 0.3;

export const tracksHoldTogether: ReviewTest = {
  id: 'tracks_hold_together',
  layer: 'tracks',
  says: 'no track of an object ends where another one of the same class begins within two seconds',
  run: (artifact) => {
    const faults: Fault[] = [];
    let looked = 0;
    let longest_s = 0;
    for (const { camera, frames, tracks } of knownTracks.parse(artifact).cameras) {
      const ways = tracks.flatMap((track) => {
        if (!('box' in track) || track.box.length === 0) return [];
        const [from_s, to_s] = [frames.time_s[track.frame[0]], frames.time_s[track.frame.at(-1)!]];
        return [{ ...track, from_s, to_s, first: track.box[0] as Box, last: track.box.at(-1)! as Box }];
      });
      looked += ways.length;
      for (const way of ways) {
        const before = ways.find(
          ({ label, to_s, last }) =>
            label === way.label &&
            to_s < way.from_s &&
            way.from_s - to_s <= switched_s &&
            overlap(last, way.first) >= samePlace,
        );
        if (before === undefined) continue;
        const gap_s = way.from_s - before.to_s;
        longest_s = Math.max(longest_s, gap_s);
        faults.push({
          says: `${way.label} #${way.id} begins at ${way.from_s} s in ${camera} where #${before.id} ended ${gap_s.toFixed(2)} s before`,
          at: { camera, time_s: way.from_s },
        });
      }
    }
    if (looked === 0) return 'no object is followed';
    const improvement =
      longest_s > 1
        ? 'run the layer tracks again with a longer max_gap_s'
        : 'run the layer tracks again over surer boxes: choose another model for detection';
    return evidenceOf(looked, faults, improvement, { longest_gap_s: significant(longest_s, 4) });
  },
};
