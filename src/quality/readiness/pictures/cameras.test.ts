import { describe, expect, it } from 'vitest';
import type { CameraEvidence, Episode, FrameLocator, PictureLabel, Stream } from '#core/episode';
import { sealedReceipt } from '../test-receipt.ts';
import {
  numericStream,
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from '../test-subject.ts';

const frames = 300;

function judged(
  evidence: CameraEvidence | null,
  {
    stream = testCameraStream('front', frames),
    notes = {},
    episode = {},
    others = swingingArm(1),
  }: {
    stream?: Stream;
    notes?: Record<string, Record<string, never>>;
    episode?: Partial<Episode>;
    others?: Stream[];
  } = {},
) {
  const cameras = new Map(evidence === null ? [] : [['front', evidence]]);
  const subject = testSubject(testEpisode(0, [...others, stream], episode), 'teleop', cameras);
  const { receipt } = sealedReceipt(subject, {}, notes);
  const of = (id: string) => receipt.checks.find((check) => check.id === id)!;
  const own = ['camera_coverage', 'image_integrity', 'annotation_coverage'];
  return {
    coverage: of('camera_coverage'),
    pictures: of('image_integrity'),
    labels: of('annotation_coverage'),
    flags: receipt.flags.filter(({ check }) => own.includes(check)),
    codes: receipt.flags.filter(({ check }) => own.includes(check)).map(({ code }) => code),
    limits: receipt.limits,
  };
}

function withContainer(more: Partial<NonNullable<CameraEvidence['container']>>): CameraEvidence {
  const evidence = testCamera(frames);
  return { ...evidence, container: { ...evidence.container!, ...more } };
}

function located(locator: FrameLocator): Stream {
  const stream = testCameraStream('front', frames);
  return { ...stream, frames: { ...stream.frames!, locator } };
}

describe('camera coverage', () => {
  it('scores a camera that covers its episode 1', () => {
    expect(judged(testCamera(frames))).toMatchObject({
      coverage: { score: 1 },
      pictures: { score: 1 },
      codes: [],
    });
  });

  it('tolerates one frame more or less and drop-frame rates', () => {
    for (const more of [{ frame_count: 299, last_pts_s: 298 / 30 }, { frame_count: 301 }, { rate_hz: 29.97 }])
      expect(judged(withContainer(more)).coverage).toMatchObject({ score: 1 });
  });

  it.each([
    [
      'half of the video',
      { frame_count: 150, last_pts_s: 149 / 30 },
      ['camera_truncated', 'camera_frames_missing'],
    ],
    [
      'a tenth lost at the end',
      { frame_count: 270, last_pts_s: 269 / 30 },
      ['camera_truncated', 'camera_frames_missing'],
    ],
    [
      'a late start',
      { frame_count: 200, first_pts_s: 100 / 30 },
      ['camera_truncated', 'camera_frames_missing'],
    ],
    ['a tenth of the frames dropped in between', { frame_count: 270 }, ['camera_frames_missing']],
    ['frames of the next episode', { frame_count: 340 }, ['camera_frames_extra']],
    ['another rate', { rate_hz: 25 }, ['camera_rate_mismatch']],
  ])('flags %s', (_, more, codes) => {
    expect(judged(withContainer(more)).codes).toEqual(codes);
  });

  const servedAll = {
    ...{ rows: 300, absent: 0, first_absent: null, off: 0, first_off: null, worst_off_s: 0, first_off_s: 0 },
    ...{ start_off_s: 0, foreign: 0, first_foreign: null, file_frames: 300, file_last_s: 299 / 30 },
  };
  const asked = { rows: 300, rate_hz: 30, tolerance_s: 1e-4, until_s: null };

  it.each([
    ['nothing of rows that all have their frame', {}, {}, [], ''],
    [
      'one frame short at the end',
      { absent: 1, first_absent: 299, file_frames: 299 },
      { frame_count: 299, last_pts_s: 298 / 30 },
      ['camera_frames_missing'],
      'no frame for 1 of 300 rows, starting at row 299',
    ],
    [
      'frames of the next episode at the end',
      { foreign: 3, first_foreign: 297 },
      { frame_count: 297 },
      ['camera_frames_foreign'],
      '3 of 300 rows, starting at row 297',
    ],
    [
      'a window that starts beside a frame',
      { off: 300, first_off: 0, worst_off_s: 0.004, first_off_s: 0.004 },
      {},
      ['camera_rows_refused'],
      'starts 4 ms away from the nearest frame; it loads with tolerance_s=0.005',
    ],
    [
      'whole milliseconds',
      { off: 200, first_off: 1, worst_off_s: 3.334e-4, first_off_s: 3.334e-4 },
      {},
      ['camera_rows_refused'],
      'it loads with tolerance_s=0.0004',
    ],
    [
      'a drop-frame rate',
      { off: 297, first_off: 3, worst_off_s: 0.0099, first_off_s: 1e-4 },
      { rate_hz: 29.97 },
      ['camera_rows_refused'],
      'The video has 29.97 Hz, the rows 30 Hz',
    ],
    [
      'a window behind the end of its file',
      { absent: 300, first_absent: 0, file_last_s: -1 },
      { frame_count: 0 },
      ['camera_window_past_file'],
      'no row has an image',
    ],
    [
      'pictures of a discarded take',
      {},
      { frame_count: 340 },
      ['camera_frames_extra'],
      '40 frames belong to no row',
    ],
  ])('says of rows that a loader asks for: %s', (_, served, more, codes, words) => {
    const locator = { type: 'video', path: 'v.mp4', from_s: 0, to_s: null, expected_frames: frames } as const;
    const evidence = withContainer({ ...more, served: { ...servedAll, ...served } });
    const { flags, codes: found } = judged(evidence, { stream: located({ ...locator, asked }) });
    expect(found).toEqual(codes);
    for (const flag of flags) expect(flag.message).toContain(words);
  });

  it('leaves a wrong declared rate that rows and video both contradict to the dataset', () => {
    const stream = testCameraStream('front', frames);
    const locator = { ...stream.frames!.locator, asked: { ...asked, rate_hz: 15 } } as FrameLocator;
    const evidence = withContainer({ rate_hz: 15, served: servedAll });
    const { codes } = judged(evidence, { stream: { ...stream, frames: { ...stream.frames!, locator } } });
    expect(codes).toEqual([]);
  });

  it('flags a picture size unlike in the other episodes', () => {
    const notes = { declared_pictures: { usual_size_px: { front: '640x480' } } } as never;
    expect(judged(testCamera(frames), { notes }).flags).toMatchObject([
      { code: 'camera_size_mismatch', severity: 'blocking' },
    ]);
  });

  it('marks where the pictures are lacking', () => {
    const [flag] = judged(withContainer({ frame_count: 150, last_pts_s: 149 / 30 })).flags;
    expect(flag.marks).toEqual([{ stream: 'front', from_s: 4.96667, to_s: 10 }]);
  });

  it('judges a span of a shared file from the span’s own start', () => {
    const stream = located({ type: 'video', path: 'v.mp4', from_s: 40, to_s: 50, expected_frames: frames });
    const evidence = withContainer({ first_pts_s: 40, last_pts_s: 40 + 299 / 30 });
    expect(judged(evidence, { stream }).coverage).toMatchObject({ score: 1 });
  });

  it('rejects an episode whose camera file is missing and names the file', () => {
    const stream = located({ type: 'missing', path: 'videos/front.mp4', reason: 'the file is not there' });
    const { codes, flags, pictures } = judged(null, { stream });
    expect(codes).toEqual(['camera_missing']);
    expect(flags[0]).toMatchObject({
      severity: 'blocking',
      message: expect.stringContaining('videos/front.mp4'),
    });
    expect(pictures).toMatchObject({ status: 'not_assessable' });
  });

  it('does not blame single episodes for a camera that the whole dataset lacks', () => {
    const missing = located({ type: 'missing', path: 'videos/side.mp4', reason: 'the file is not there' });
    const others = [...swingingArm(1), { ...missing, id: 'side' }];
    const notes = { missing_camera: { absent_everywhere: ['side'], absent_here: [] } } as never;
    expect(judged(testCamera(frames), { others, notes }).codes).toEqual([]);
    expect(judged(testCamera(frames), { others }).codes).toEqual(['camera_missing']);
  });

  it('flags a camera that only this episode does not even name', () => {
    const episode = testEpisode(0, swingingArm(1));
    const notes = { missing_camera: { absent_everywhere: [], absent_here: ['front'] } };
    const { receipt } = sealedReceipt(testSubject(episode, 'state-only'), {}, notes);
    expect(receipt.flags.map(({ code }) => code)).toContain('camera_missing');
    const alone = sealedReceipt(testSubject(episode, 'state-only')).receipt;
    expect(alone.checks.find(({ id }) => id === 'camera_coverage')).toMatchObject({ status: 'inapplicable' });
  });
});

describe('image integrity', () => {
  const share = (part: number) => (i: number) => i < part * frames;

  it.each([
    ['black', 0.15, { luma_mean: 17, luma_std: 1, dark_ratio: 1 }, 'camera_black', 'blocking'],
    ['blank', 0.15, { luma_mean: 128, luma_std: 0.4 }, 'camera_blank', 'blocking'],
    ['dark', 0.8, { dark_ratio: 0.95, luma_mean: 30, luma_std: 12 }, 'image_underexposed', 'warning'],
    ['burnt out', 0.8, { bright_ratio: 0.7 }, 'image_overexposed', 'warning'],
    ['blurred', 0.8, { sharpness: 2, luma_std: 40 }, 'image_blurred', 'warning'],
  ])('flags %s frames and marks them', (_, part, look, code, severity) => {
    const usual = { luma_mean: 110, luma_std: 50, dark_ratio: 0.05, bright_ratio: 0.02, sharpness: 400 };
    const at = (key: keyof typeof usual) => (i: number) =>
      share(part)(i) ? ({ ...usual, ...look } as typeof usual)[key] : usual[key];
    const evidence = testCamera(frames, {
      luma_mean: at('luma_mean'),
      luma_std: at('luma_std'),
      dark_ratio: at('dark_ratio'),
      bright_ratio: at('bright_ratio'),
      sharpness: at('sharpness'),
    });
    const { flags } = judged(evidence);
    expect(flags).toMatchObject([{ code, severity, marks: [{ stream: 'front', from_s: 0 }] }]);
    expect(flags[0].marks[0].to_s).toBeCloseTo((part * frames) / 30, 1);
  });

  it('flags a camera that stands still while the arm moves', () => {
    const run = { from_s: 4, to_s: 5.5, frames: 45 };
    expect(judged(testCamera(frames, {}, [run])).flags).toContainEqual(
      expect.objectContaining({ code: 'camera_frozen', severity: 'blocking', observed: 1.5 }),
    );
  });

  it('lets a still scene be still while nothing moves', () => {
    const still = numericStream('observation.state', 'state', 300, 2, (i) => Math.max(0, i - 150) / 100);
    const run = { from_s: 0.5, to_s: 2.5, frames: 20 };
    expect(judged(testCamera(frames, {}, [run]), { others: [still] }).codes).toEqual([]);
  });

  it('lets a video without signals end in a short rest, and no longer one', () => {
    const alone = (from_s: number, leap: number | null) =>
      judged(testCamera(frames, {}, [{ from_s, to_s: 9.97, frames: 30 * (9.97 - from_s), leap }]), {
        others: [],
      });
    expect(alone(8.5, null).codes).not.toContain('camera_frozen');
    expect(alone(8.5, 20).codes).toContain('camera_frozen');
    expect(alone(5, null).codes).toContain('camera_frozen');
  });

  it('warns of a camera slower than its grid', () => {
    const runs = Array.from({ length: 16 }, (_, i) => ({
      from_s: i * 0.1,
      to_s: i * 0.1 + 0.033,
      frames: 1,
    }));
    const evidence = testCamera(frames, {}, runs);
    const repeats = { ...evidence.repeats, pairs_equal: 75 };
    expect(judged({ ...evidence, repeats }).flags).toMatchObject(
      [{ code: 'camera_frames_repeated', severity: 'warning', observed: 75 / 299 }].map((flag) => ({
        ...flag,
        observed: 0.250836,
      })),
    );
  });

  it('only warns of a freeze that is short for its episode', () => {
    const run = { from_s: 4, to_s: 4.6, frames: 18 };
    const long = { episode: { duration_s: 60 } };
    expect(judged(testCamera(frames, {}, [run]), long).flags).toContainEqual(
      expect.objectContaining({ code: 'camera_frozen_briefly', severity: 'warning', observed: 0.6 }),
    );
    expect(judged(testCamera(frames, {}, [run])).codes).toEqual(['camera_frozen']);
  });

  it('takes a still span of a video for a freeze only if its image should have changed', () => {
    // The image of the arm follows the first joint, and stands still from 6 s on.
    const moves = (i: number, block: number) =>
      block === 9 ? 110 + 60 * Math.sin(Math.min(i, 180) / 20) : 110;
    const arm = numericStream('observation.state', 'state', frames, 2, (i, d) =>
      d === 0 ? Math.sin(i / 20) : Math.sin(i / 31),
    );
    const still = { from_s: 6, to_s: 9.96667, frames: 119, motion_before: 9, leap: null };
    const in_motion = { pairs: 180, equal: 0, every: 1, one_in: null, discarded: 0 };
    const video = (grid: (i: number, block: number) => number, run: object) => {
      const evidence = testCamera(frames, { grid }, [{ ...still, ...run }]);
      const repeats = { ...evidence.repeats, in_motion };
      return judged({ ...evidence, repeats }, { others: [arm] }).codes;
    };
    expect(video(moves, {})).toEqual(['camera_frozen']);
    expect(video(moves, { to_s: 8, frames: 60, leap: 40 })).toEqual(['camera_frozen']);
    expect(video(moves, { to_s: 8, frames: 60, leap: 1 })).toEqual([]);
    expect(video(() => 110, {})).toEqual([]);
    expect(video(() => 110, { to_s: 8, frames: 60, leap: 40 })).toEqual([]);
  });

  it('says that an encoder discarded slow motion, and does not warn of it', () => {
    const evidence = testCamera(frames);
    const in_motion = { pairs: 80, equal: 0, every: 1, one_in: null, discarded: 40 };
    const { flags, pictures } = judged({ ...evidence, repeats: { ...evidence.repeats, in_motion } });
    expect(flags).toMatchObject([{ code: 'slow_motion_discarded', severity: 'info' }]);
    expect(pictures).toMatchObject({ score: 1 });
  });

  it('counts the repeats of a rhythm that coding hides', () => {
    const evidence = testCamera(frames);
    const in_motion = { pairs: 150, equal: 13, every: 1, one_in: 5, discarded: 0 };
    const { flags } = judged({ ...evidence, repeats: { ...evidence.repeats, in_motion } });
    expect(flags).toMatchObject([{ code: 'camera_frames_repeated', observed: 0.2 }]);
    expect(flags[0].message).toContain('one in 5 frames; new images arrive at about 24 Hz');
  });

  it('does not tell black frames again as frozen', () => {
    const black = (i: number) => i >= 100 && i < 200;
    const evidence = testCamera(
      frames,
      { luma_mean: (i) => (black(i) ? 16 : 110), luma_std: (i) => (black(i) ? 0 : 50) },
      [{ from_s: 100 / 30, to_s: 199 / 30, frames: 99 }],
    );
    expect(judged(evidence).codes).toEqual(['camera_black']);
  });

  it.each([
    ['no', 'image_undecodable', 'blocking'],
    ['partial', 'image_partly_undecodable', 'warning'],
  ] as const)('says what the decoder said when frames decode: %s', (decodable, code, severity) => {
    const evidence = testCamera(decodable === 'no' ? 0 : 10, {}, [], {
      decodable,
      reason: 'Invalid NAL unit',
    });
    expect(judged(evidence).flags.filter(({ check }) => check === 'image_integrity')).toMatchObject([
      { code, severity, message: 'front: Invalid NAL unit' },
    ]);
  });

  it('is not assessable when pictures were not decoded, and the receipt says so', () => {
    const { pictures, limits } = judged(null);
    expect(pictures).toMatchObject({ status: 'not_assessable' });
    expect(limits).toEqual(['front: images were not decoded']);
  });

  it('tells what was only sampled', () => {
    const sampled = testCamera(20);
    const evidence = {
      ...sampled,
      container: { ...sampled.container!, frame_count: 300, last_pts_s: 299 / 30 },
    };
    const repeats = { ...sampled.repeats, method: 'sampled' as const, pairs_compared: 12 };
    expect(judged({ ...evidence, repeats }).limits).toEqual([
      'front: exposure and sharpness measured in 20 of 300 frames',
      'front: repeated frames checked in 12 of 299 pairs of consecutive frames',
    ]);
  });
});

describe('annotation coverage', () => {
  const labelled = (labels: readonly PictureLabel[] | null) =>
    judged(testCamera(frames), { episode: { labels } });
  const box = (x: number, y: number, width: number, height: number): PictureLabel => ({
    category: 'hand',
    box_px: [x, y, width, height],
  });

  it('does not apply without labels in the recording', () => {
    expect(labelled(null).labels).toMatchObject({ status: 'inapplicable' });
  });

  it('scores sound boxes 1, up to a pixel over the edge', () => {
    expect(labelled([box(0, 0, 320.6, 240), { category: 'hand', box_px: null }]).labels).toMatchObject({
      score: 1,
    });
  });

  it.each<[string, PictureLabel[], string]>([
    ['no label', [], 'labels_missing'],
    ['a box outside', [box(300, 0, 40, 20), box(1, 1, 5, 5)], 'box_invalid'],
    ['a box without area', [box(3, 3, 0, 20)], 'box_invalid'],
    ['a box that is not a number', [box(3, 3, Number.NaN, 20)], 'box_invalid'],
    ['a label without category', [{ category: ' ', box_px: null }], 'label_unnamed'],
  ])('flags %s', (_, labels, code) => {
    expect(labelled(labels).codes).toEqual([code]);
  });
});
