import type { VideoFault } from './fault.ts';

const factors = { small: 5 / 6, medium: 2 / 3, large: 1 / 2 } as const;

export const wrongFps: VideoFault = {
  id: 'wrong_fps',
  title: 'Wrong video frame rate',
  about:
    'The encoder was configured with another rate: no frame is missing, but the frame rate is 5/6, 2/3 or half of the declared one.',
  timeline: true,
  peers: 0,
  flags: ['camera_rate_mismatch'],
  plants: 'video',
  plan(frames, rate_hz, size) {
    return {
      source: Int32Array.from({ length: frames }, (_, i) => i),
      rate_hz: Math.round(rate_hz * factors[size]),
      from_s: 0,
      to_s: frames / rate_hz,
    };
  },
};
