import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { ByteTrack, byteTrackSettings } from '../../src/labels/annotation/layers/tracks/byte-track.ts';
import { crossingObjects } from '../support/crossing-objects.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { askScript } from './python-worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-interop-tracks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Scores {
  readonly HOTA: number;
  readonly MOTA: number;
  readonly IDSW: number;
}

describe.skipIf(!peersPython)(onPeers('tracks beside ByteTrack of supervision, by TrackEval'), () => {
  it.each([5, 18, 29])(
    'have its HOTA and MOTA to half a point: objects that cross, seed %d',
    async (seed) => {
      const { truth, detections } = crossingObjects(seededRandom(seed));
      const longest_gap_frames = 30;
      const tracker = new ByteTrack(longest_gap_frames);
      for (const found of detections) tracker.add(found);
      const ours: (readonly [number, ...number[]])[][] = detections.map(() => []);
      // The other one tells of a track from its second sighting on.
      for (const { id, detections: seen } of tracker.finish())
        for (const [at, { frame, box }] of seen.entries())
          if (at > 0 || frame === 0) ours[frame].push([id, ...box]);
      const file = join(folder, `${seed}.json`);
      const boxes = detections.map((found) => found.map(({ box, score }) => [...box, score]));
      const { sure, begins, first_cost } = byteTrackSettings;
      const given = { truth, detections: boxes, ours, sure, begins, first_cost, longest_gap_frames };
      writeFileSync(file, JSON.stringify(given));
      const scores: Record<'ours' | 'peer', Scores> = await askScript('peers', 'tracks.py', file);
      expect(Math.abs(scores.ours.HOTA - scores.peer.HOTA)).toBeLessThanOrEqual(0.5);
      expect(Math.abs(scores.ours.MOTA - scores.peer.MOTA)).toBeLessThanOrEqual(0.5);
      // Neither is good on what cannot be followed, nor perfect on what is missed.
      expect(scores.ours.HOTA).toBeGreaterThan(50);
      expect(scores.ours.MOTA).toBeLessThan(99);
    },
  );
});
