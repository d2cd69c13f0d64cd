import type { VideoFault } from '../fault.ts';

const frames_behind = { small: 5, medium: 9, large: 15 } as const;

export const laggingCamera: VideoFault = {
  id: 'lagging_camera',
  title: 'The camera runs behind',
  about:
    'A buffer between camera and recorder: pictures are written 5, 9 or 15 frames after they were taken.',
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
