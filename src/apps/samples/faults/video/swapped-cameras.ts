import type { EpisodeFault } from '../fault.ts';

export const swappedCameras: EpisodeFault = {
  id: 'swapped_cameras',
  title: 'Swapped cameras',
  about: 'Device numbers changed between sessions: the videos of two cameras of the episode are swapped.',
  timeline: false,
  peers: 4,
  flags: ['cameras_swapped'],
  several_cameras: true,
  plants: 'episode',
  plant(episode, _size, random) {
    const cameras = episode.streams.filter(({ frames }) => frames !== undefined);
    if (cameras.length < 2) return null;
    const one = random.pick(cameras);
    const other = random.pick(cameras.filter((camera) => camera !== one));
    const streams = episode.streams.map((stream) => {
      if (stream === one) return { ...other, id: one.id };
      return stream === other ? { ...one, id: other.id } : stream;
    });
    return { episode: { ...episode, streams }, marks: [] };
  },
};
