import { beforeAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { discover } from '#formats';
import { createMediaService } from '#io/media';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { type LibraryView, libraryRecording } from './lerobot-recording.ts';

const camera = 'observation.images.front';

async function readAll(folder: string): Promise<Episode[]> {
  const { datasets } = await discover(folder);
  const episodes: Episode[] = [];
  for (const { dataset } of datasets) {
    for (const unit of dataset.units) {
      for await (const item of dataset.read(unit, {})) if (!('unreadable' in item)) episodes.push(item);
    }
    await dataset.close();
  }
  return episodes;
}

function sumOf(episode: Episode, id: string): number {
  let sum = 0;
  for (const value of episode.streams.find((stream) => stream.id === id)?.series?.values ?? []) sum += value;
  return sum;
}

describe.skipIf(!lerobotPython)(onLeRobot('a set recorded by the LeRobot library'), () => {
  let folder: string;
  let theirs: LibraryView;
  let ours: Episode[];

  beforeAll(async () => {
    ({ folder, view: theirs } = await libraryRecording());
    ours = await readAll(folder);
  });

  it('has as many episodes and frames as the library says', () => {
    expect(ours.length).toBe(theirs.total_episodes);
    expect(
      ours.map((episode) => episode.streams.find((stream) => stream.role === 'state')?.sample_count),
    ).toEqual(theirs.episodes.map((episode) => episode.length));
  });

  it('has the values and the task texts that the library reads', () => {
    for (const [i, episode] of ours.entries()) {
      expect(sumOf(episode, 'observation.state')).toBeCloseTo(theirs.episodes[i].state_sum, 3);
      expect(sumOf(episode, 'action')).toBeCloseTo(theirs.episodes[i].action_sum, 3);
      expect(episode.tasks?.map((task) => task.text)).toEqual([theirs.episodes[i].task]);
    }
  });

  it('has the frames that the library decodes, each at its own index', async () => {
    const media = createMediaService();
    try {
      for (const [i, episode] of ours.entries()) {
        const stream = episode.streams.find((candidate) => candidate.id === camera)!;
        const evidence = await media.examine({
          root: folder,
          frames: stream.frames!,
          declared_rate_hz: 30,
          expected_frames: theirs.episodes[i].length,
          thumbnails: 0,
        });
        expect(evidence.decodable).toBe('yes');
        expect(evidence.container?.frame_count).toBe(theirs.episodes[i].length);
        for (const [k, index] of evidence.sampled.index.entries()) {
          // Our luma is the decoder's limited-range Y; the library's is full-range, computed from RGB.
          const full = ((evidence.sampled.luma_mean[k] - 16) * 255) / 219;
          expect(Math.abs(full - theirs.episodes[i].cameras[camera][index])).toBeLessThan(1.5);
        }
      }
    } finally {
      await media.close();
    }
  });
});
