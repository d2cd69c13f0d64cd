import { significant } from '#core';
import { knownTracks } from '../../known/known-tracks.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { isThereAndBack, medianOf, neighbours_s, offWay } from '../there-and-back.ts';

type Place = readonly [number, number];

export const tracksMoveSmoothly: ReviewTest = {
  id: 'tracks_move_smoothly',
  layer: 'tracks',
  says: 'no box leaps by a quarter of its size and is back in the next frame',
  run: (artifact) => {
    const faults: Fault[] = [];
    const offs: number[] = [];
    for (const { camera, frames, tracks } of knownTracks.parse(artifact).cameras)
      for (const track of tracks) {
        if (!('box' in track)) continue;
        for (let at = 1; at + 1 < track.frame.length; at++) {
          const [from, to] = [track.frame[at - 1], track.frame[at + 1]];
          if (to - from !== 2 || frames.time_s[to] - frames.time_s[from] > 2 * neighbours_s) continue;
          const boxes = [track.box[at - 1], track.box[at], track.box[at + 1]];
          const size_px = medianOf(boxes.map(([, , width, height]) => Math.hypot(width, height)));
          const places = boxes.map(([x, y, width, height]): Place => [x + width / 2, y + height / 2]);
          const three = places as unknown as readonly [Place, Place, Place];
          const off = offWay(three, size_px);
          offs.push(off);
          if (!isThereAndBack(three, size_px)) continue;
          const time_s = frames.time_s[track.frame[at]];
          faults.push({
            says: `${track.label} #${track.id} leaps by ${Math.round(100 * off)} % of its size at ${time_s} s in ${camera}`,
            at: { camera, time_s },
          });
        }
      }
    if (offs.length === 0) return 'no object is followed through three frames in a row';
    return evidenceOf(
      offs.length,
      faults,
      'run the layer tracks again with another model for detection: its boxes do not stay on the object',
      { median_jitter_of_size: significant(medianOf(offs), 3) },
    );
  },
};
