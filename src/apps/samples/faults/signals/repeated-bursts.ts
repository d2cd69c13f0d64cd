import type { VideoFault } from '../fault.ts';
import { identityPlan } from '../video/frame-plan.ts';

const shares = { small: 0.2, medium: 0.3, large: 0.45 } as const;

export const repeatedBursts: VideoFault = {
  id: 'repeated_bursts',
  title: 'Frames repeated in bursts',
  about:
    'The camera stalls several times per episode for 3 to 9 frames: 20, 30 or 45 % of the frames repeat the previous one.',
  timeline: false,
  peers: 0,
  flags: ['camera_frames_repeated', 'camera_frozen'],
  plants: 'video',
  plan(frames, rate_hz, size, random) {
    const { source } = identityPlan(frames, rate_hz);
    const usual = 6 / shares[size];
    for (let at = Math.floor(usual * random.next()); at < frames; ) {
      const length = random.integer(3, 10);
      for (let i = at; i < Math.min(frames, at + length + 1); i++) source[i] = at;
      at += length + 1 + Math.round(random.between(0.5, 1.5) * (usual - 7));
    }
    return { source, rate_hz, from_s: 0, to_s: frames / rate_hz };
  },
};
