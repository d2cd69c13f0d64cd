import type { VideoFault } from '../fault.ts';

const frames_behind = { small: 5, medium: 9, large: 15 } as const;

export const laggingCamera: VideoFault = {
  id: 'lagging_camera',
  title: 'Lagging camera',
  about:
    'A buffer between camera and recorder: images are written 5, 9 or 15 frames after they were captured.',
  timeline: false,
  peers: 6,
  flags: ['camera_lags'],
  plants: 'video',
  plan: (frames, rate_hz, size) => ({
    source: Int32Array.from({ length: frames }, (_, i) => Math.max(0, i - frames_behind[size])),
    rate_hz,
    from_s: 0,
    to_s: frames / rate_hz,
  }),
};
