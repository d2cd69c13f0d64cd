import type { VideoFault } from '../fault.ts';

const factors = { small: 2, medium: 3, large: 4 } as const;

export const slowCamera: VideoFault = {
  id: 'slow_camera',
  title: 'Camera slower than the recording rate',
  about: 'The recording loop ran faster than the camera and wrote each frame two, three or four times.',
  timeline: false,
  peers: 0,
  flags: ['camera_frames_repeated'],
  plants: 'video',
  plan(frames, rate_hz, size, random) {
    const factor = factors[size];
    const phase = random.integer(0, factor);
    const source = Int32Array.from({ length: frames }, (_, i) => Math.max(0, i - ((i + phase) % factor)));
    return { source, rate_hz, from_s: 0, to_s: frames / rate_hz };
  },
};
