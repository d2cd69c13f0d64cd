import { significant } from '#core';
import { knownTracks, type TrackedCamera } from '../../known/known-tracks.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { medianOf } from '../there-and-back.ts';

/** A track that is shorter says little of how anything moves. */
const short_s = 1;
/** A camera must have been followed for so long. */
const least_s = 3;
/** Share of the picture's width within which something may have come in or gone out. */
const edge = 0.05;

type Track = TrackedCamera['tracks'][number];

export const tracksLast: ReviewTest = {
  id: 'tracks_last',
  layer: 'tracks',
  says: 'tracks last a second, but for those that begin or end with the recording or at the edge of the picture',
  run: (artifact) => {
    const faults: Fault[] = [];
    const lengths_s: number[] = [];
    for (const own of knownTracks.parse(artifact).cameras) {
      const { time_s } = own.frames;
      if (time_s.length === 0 || time_s.at(-1)! - time_s[0] < least_s) continue;
      for (const track of own.tracks) {
        if (track.frame.length === 0) continue;
        const from_s = time_s[track.frame[0]];
        const length_s = time_s[track.frame.at(-1)!] - from_s;
        // What is cut may have been longer.
        if (length_s < short_s && isCut(track, own)) continue;
        lengths_s.push(length_s);
        if (length_s >= short_s) continue;
        faults.push({
          says: `track ${track.id} in ${own.camera} is over ${length_s.toFixed(2)} s after it began at ${from_s} s`,
          at: { camera: own.camera, time_s: from_s },
        });
      }
    }
    if (lengths_s.length === 0) return `no track is whole in a camera that was followed for ${least_s} s`;
    return evidenceOf(
      lengths_s.length,
      faults,
      'run the layer tracks again with a longer min_track_s, or a longer max_gap_s where ids break',
      { median_track_s: significant(medianOf(lengths_s), 4) },
    );
  },
};

function isCut(track: Track, { frames, width_px, height_px }: TrackedCamera): boolean {
  const last = frames.time_s.length - 1;
  if (track.frame[0] === 0 || track.frame.at(-1) === last) return true;
  return [0, track.frame.length - 1].some((at) => isAtEdge(placeOf(track, at), [width_px, height_px]));
}

/** Left, top, right and bottom. */
function placeOf(track: Track, at: number): readonly [number, number, number, number] {
  if ('point' in track) {
    const [x, y] = track.point[at];
    return [x, y, x, y];
  }
  const [left, top, width, height] = track.box[at];
  return [left, top, left + width, top + height];
}

function isAtEdge(
  [left, top, right, bottom]: readonly [number, number, number, number],
  [width_px, height_px]: readonly [number, number],
): boolean {
  const near_px = edge * width_px;
  return left <= near_px || top <= near_px || right >= width_px - near_px || bottom >= height_px - near_px;
}
