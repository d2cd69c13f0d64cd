import { blackFrame, type EpisodeFault, identityPlan, replaceRun, type VideoFault } from './fault.ts';

const blackVideoShares = { small: 0.15, medium: 0.4, large: 1 } as const;

export const blackVideo: VideoFault = {
  id: 'black_video',
  title: 'Black frames',
  about: 'A lens cap, no light or a lost connection: 15, 40 or 100 % of the frames are black.',
  timeline: false,
  peers: 0,
  flags: ['camera_black'],
  plants: 'video',
  plan: (frames, rate_hz, size, random) =>
    replaceRun(frames, rate_hz, blackVideoShares[size], random, () => blackFrame),
};

const frozenVideoShares = { small: 0.15, medium: 0.4, large: 1 } as const;

export const frozenVideo: VideoFault = {
  id: 'frozen_video',
  title: 'Frozen camera',
  about:
    'The camera stopped delivering frames and the last one was repeated: for 15, 40 or 100 % of the frames.',
  timeline: false,
  peers: 0,
  flags: ['camera_frozen', 'camera_frozen_briefly', 'camera_frames_repeated'],
  plants: 'video',
  plan: (frames, rate_hz, size, random) =>
    replaceRun(frames, rate_hz, frozenVideoShares[size], random, (_, first) => first),
};

const slowCameraFactors = { small: 2, medium: 3, large: 4 } as const;

export const slowCamera: VideoFault = {
  id: 'slow_camera',
  title: 'Camera slower than the recording rate',
  about: 'The recording loop ran faster than the camera and wrote each frame two, three or four times.',
  timeline: false,
  peers: 0,
  flags: ['camera_frames_repeated'],
  plants: 'video',
  plan(frames, rate_hz, size, random) {
    const factor = slowCameraFactors[size];
    const phase = random.integer(0, factor);
    const source = Int32Array.from({ length: frames }, (_, i) => Math.max(0, i - ((i + phase) % factor)));
    return { source, rate_hz, from_s: 0, to_s: frames / rate_hz };
  },
};

const repeatedBurstsShares = { small: 0.2, medium: 0.3, large: 0.45 } as const;

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
    const usual = 6 / repeatedBurstsShares[size];
    for (let at = Math.floor(usual * random.next()); at < frames; ) {
      const length = random.integer(3, 10);
      for (let i = at; i < Math.min(frames, at + length + 1); i++) source[i] = at;
      at += length + 1 + Math.round(random.between(0.5, 1.5) * (usual - 7));
    }
    return { source, rate_hz, from_s: 0, to_s: frames / rate_hz };
  },
};

const laggingCameraFrames = { small: 5, medium: 9, large: 15 } as const;

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
    source: Int32Array.from({ length: frames }, (_, i) => Math.max(0, i - laggingCameraFrames[size])),
    rate_hz,
    from_s: 0,
    to_s: frames / rate_hz,
  }),
};

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

const truncatedVideoShares = { small: 0.9, medium: 0.5, large: 0.2 } as const;

export const truncatedVideo: VideoFault = {
  id: 'truncated_video',
  title: 'Truncated video',
  about: 'The encoder was stopped before the episode ended: only 90, 50 or 20 % of the frames exist.',
  timeline: true,
  peers: 0,
  flags: ['camera_truncated', 'camera_frames_missing'],
  plants: 'video',
  plan(frames, rate_hz, size) {
    const remainingFrames = Math.round(frames * truncatedVideoShares[size]);
    return {
      source: Int32Array.from({ length: remainingFrames }, (_, i) => i),
      rate_hz,
      from_s: remainingFrames / rate_hz,
      to_s: frames / rate_hz,
    };
  },
};

const wrongFpsFactors = { small: 5 / 6, medium: 2 / 3, large: 1 / 2 } as const;

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
      rate_hz: Math.round(rate_hz * wrongFpsFactors[size]),
      from_s: 0,
      to_s: frames / rate_hz,
    };
  },
};

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
