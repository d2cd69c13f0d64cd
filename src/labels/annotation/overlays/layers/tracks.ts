import { type ArtifactTrack, type TracksCamera, tracksSchema } from '../../artifact-schemas.ts';
import type { Canvas, Point, Size } from '../canvas.ts';
import { colourByIndex } from '../colours.ts';
import { lastAtOrBefore, type Overlay, parseArtifact } from '../overlay.ts';

/** Duration of the trail behind a track. */
const trail_s = 1;

/** Draws each track at the current frame, with its id and trail. */
export const tracks: Overlay = {
  layer: 'tracks',
  open: (artifact) => {
    const { cameras } = parseArtifact('tracks', tracksSchema, artifact);
    const followed = cameras.filter(({ width_px, height_px }) => width_px > 0 && height_px > 0);
    return {
      cameras: followed.map(({ camera }) => camera),
      at: (id, time_s) => {
        const camera = followed.find((one) => one.camera === id);
        if (camera === undefined) return null;
        const times = camera.frames.time_s.map((at, frame) => ({ time_s: at, frame }));
        const now = lastAtOrBefore(times, time_s);
        if (now === null) return null;
        const draw = (canvas: Canvas) => {
          for (const track of camera.tracks) drawTrack(track, camera, now.frame, canvas);
        };
        return { time_s: now.time_s, opaque_size: null, draw };
      },
    };
  },
};

function drawTrack(
  track: ArtifactTrack,
  { frames, width_px, height_px }: TracksCamera,
  frame: number,
  canvas: Canvas,
): void {
  const now = track.frame.indexOf(frame);
  if (now < 0) return;
  const size: Size = [width_px, height_px];
  const colour = colourByIndex(track.id);
  const since_s = frames.time_s[frame] - trail_s;
  const way: Point[] = [];
  for (let at = now; at >= 0 && frames.time_s[track.frame[at]] >= since_s; at--) {
    const place = trackPosition(track, at);
    if (place !== null) way.push(canvas.toCanvas(place, size));
  }
  for (const [at, place] of way.slice(1).entries()) canvas.line(way[at], place, colour, 1.5);
  const box = 'box' in track ? track.box[now] : undefined;
  if (box !== undefined && 'label' in track) {
    const [left, top, width, height] = box;
    const corners = [
      canvas.toCanvas([left, top], size),
      canvas.toCanvas([left + width, top + height], size),
    ] as const;
    canvas.box(...corners, `${track.label} #${track.id}`, colour);
  } else if (way.length > 0) canvas.dot(way[0], colour, 3);
}

function trackPosition(track: ArtifactTrack, at: number): Point | null {
  if ('point' in track) return track.point[at] ?? null;
  const box = track.box[at];
  return box === undefined ? null : [box[0] + box[2] / 2, box[1] + box[3] / 2];
}
