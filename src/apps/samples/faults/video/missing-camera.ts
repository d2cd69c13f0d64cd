import type { EpisodeFault } from '../fault.ts';

export const missingCamera: EpisodeFault = {
  id: 'missing_camera',
  title: 'Missing camera',
  about: 'The file was never copied (small, medium), or the episode has no such stream at all (large).',
  timeline: false,
  peers: 0,
  flags: ['camera_missing'],
  plants: 'episode',
  plant(episode, size, random) {
    const cameras = episode.streams.filter((stream) => stream.role === 'camera');
    if (cameras.length === 0) return null;
    const lost = random.pick(cameras);
    if (size === 'large') {
      return {
        episode: { ...episode, streams: episode.streams.filter((stream) => stream !== lost) },
        marks: [],
      };
    }
    const path = lost.frames?.locator.type === 'video' ? lost.frames.locator.path : lost.id;
    const streams = episode.streams.map((stream) => {
      if (stream !== lost || stream.frames === undefined) return stream;
      const locator = { type: 'missing' as const, path, reason: 'the file is absent' };
      return { ...stream, frames: { ...stream.frames, locator } };
    });
    return { episode: { ...episode, streams }, marks: [] };
  },
};
