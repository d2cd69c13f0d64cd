import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { CameraEvidence, FrameLocator, Stream } from '#core/episode';
import { collectRows, concludeComparisons } from '../compare-episodes.ts';
import { numericStream, testCamera, testEpisode, testSubject } from '../test-subject.ts';

const rows = 180;
const rate_hz = 30;

/** Speed of the arm by episode and row: motions and rests of their own in each episode. */
function createMotion(seed: number, episodes: number, isStill: boolean): Float64Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: episodes }, () => {
    const speed = new Float64Array(rows);
    for (let at = 0; at < rows && !isStill; at += random.integer(14, 30)) {
      const [length, height] = [random.integer(8, 20), random.between(0.3, 1)];
      for (let i = 0; i < length && at + i < rows; i++)
        speed[at + i] += height * Math.sin((Math.PI * i) / length);
    }
    return speed;
  });
}

interface Case {
  readonly episodes?: number;
  /** Frames [episode, row, count] that the film of `front` lacks; a negative count repeats a frame. */
  readonly changes: readonly (readonly [episode: number, row: number, count: number])[];
  readonly still?: boolean;
  /** First episodes of the files of `front`. */
  readonly files?: readonly number[];
  readonly seed?: number;
  /** The stamps keep the time of the frames that the film lacks. */
  readonly keepsTime?: boolean;
}

interface Film {
  readonly bytes: number[];
  readonly path: string;
  readonly first: number;
  readonly until: number;
}

function createFilms(
  camera: string,
  motion: readonly Float64Array[],
  { changes, files = [0] }: Case,
): Film[] {
  const random = seededRandom(camera.length);
  return files.map((first, n) => {
    const until = files[n + 1] ?? motion.length;
    const bytes: number[] = [];
    for (let e = first; e < until; e++)
      motion[e].forEach((speed, row) => {
        const size = () => Math.round(40 + 300 * speed + 40 * random.between(0, 1));
        const [, at = 0, count = 0] = changes.find(([episode]) => episode === e) ?? [];
        if (count < 0 && row === at) for (let i = count; i < 0; i++) bytes.push(size());
        if (!(count > 0 && row >= at && row < at + count)) bytes.push(size());
      });
    return { bytes, path: `videos/${camera}/file-00${n}.mp4`, first, until };
  });
}

/** Summarises the result: one mark per episode (`!` shifted, `?` possibly shifted, `.` neither), and the dataset finding. */
function conclude(options: Case) {
  const { episodes = 10, seed = 1, still = false, keepsTime = false } = options;
  const motion = createMotion(seed, episodes, still);
  const films = new Map([
    ['front', createFilms('front', motion, options)],
    ['wrist', createFilms('wrist', motion, { changes: [] })],
  ]);
  const collected = motion.map((speed, e) => {
    const cameras = new Map<string, CameraEvidence>();
    const streams: Stream[] = [];
    let position = 0;
    streams.push(numericStream('observation.state', 'state', rows, 1, (i) => (position += speed[i])));
    for (const [camera, all] of films) {
      const { stream, evidence } = filmEpisode(
        camera,
        all.find(({ first, until }) => e >= first && e < until)!,
        e,
        keepsTime,
      );
      streams.push(stream);
      cameras.set(camera, evidence);
    }
    const episode = testEpisode(e, streams);
    return { episode: episode.id, rows: collectRows(testSubject(episode, 'teleop', cameras)) };
  });
  const { findings, getNotes } = concludeComparisons(collected, {
    declared_rate_hz: 30,
    declared_cameras: [],
  });
  const signs = collected.map(({ episode }) => {
    const notes = getNotes(episode);
    if (notes.camera_lag !== undefined) return 'L';
    const shifts = (notes.served_frames?.shifts ?? []) as { is_certain: boolean }[];
    return shifts.length === 0 ? '.' : shifts[0].is_certain ? '!' : '?';
  });
  return { findings: findings.filter(({ code }) => code.startsWith('video_')), signs: signs.join('') };
}

function filmEpisode(
  camera: string,
  { bytes, path, first, until }: Film,
  episode: number,
  keepsTime: boolean,
) {
  const frames = keepsTime ? (until - first) * rows : bytes.length;
  const from = (episode - first) * rows;
  const own = bytes.slice(from, from + rows);
  const asked = {
    ...{ rows, rate_hz, tolerance_s: 1e-4, until_s: null },
    windows_end_s: ((until - first) * rows) / rate_hz,
  };
  const window = { from_s: from / rate_hz, to_s: (from + rows) / rate_hz, expected_frames: rows };
  const locator: FrameLocator = { type: 'video', path, ...window, asked };
  const stream: Stream = {
    ...numericStream(camera, 'camera', rows, 1, () => 0),
    modality: 'video',
    frames: { locator, declared_size_px: null, declared_codec: null },
  };
  const evidence = testCamera(own.length);
  const served = {
    ...{ rows, absent: rows - own.length, first_absent: null, off: 0, first_off: null, worst_off_s: 0 },
    ...{ first_off_s: 0, start_off_s: 0, foreign: 0, first_foreign: null },
    ...{ file_frames: bytes.length, file_last_s: (frames - 1) / rate_hz },
  };
  const key = Uint8Array.from(own, (_, i) => (i % 2 === 0 ? 1 : 0));
  return {
    stream,
    evidence: {
      ...evidence,
      container: { ...evidence.container!, served },
      coded: { bytes: Int32Array.from(own), key },
    },
  };
}

const lost = { code: 'video_file_lacks_frames', severity: 'blocking' };

describe('frames lost in a shared video file', () => {
  it('shift the later episodes, not the earlier ones', () => {
    const { findings, signs } = conclude({ changes: [[3, 90, 7]] });
    expect(signs).toBe('...!!!!!!!');
    expect(findings).toMatchObject([{ ...lost, evidence: { lacking: 7 } }]);
    expect(findings[0].message).toContain('the shift begins in episode_000003');
  });

  it('shift all episodes where they are lost in the first one', () => {
    expect(conclude({ changes: [[0, 20, 7]] }).signs).toMatch(/^[!?]!{9}$/);
  });

  it('shift nothing where they are lost at the end of the file', () => {
    const { findings, signs } = conclude({ changes: [[9, rows - 7, 7]] });
    expect(signs).toMatch(/^\.{9}[.?]$/);
    expect(findings).toMatchObject([lost]);
  });

  it('shift nothing where the stamps keep their time', () => {
    const { findings, signs } = conclude({ changes: [[3, 90, 7]], keepsTime: true });
    expect(findings).toEqual([]);
    expect(signs).not.toMatch(/[!?]/);
  });

  it('are located at two positions', () => {
    const { signs } = conclude({
      episodes: 14,
      changes: [
        [3, 90, 6],
        [9, 90, 8],
      ],
    });
    expect(signs).toMatch(/^\.{3}!{11}$/);
  });

  it('concern their own file and camera only', () => {
    const { signs } = conclude({ episodes: 14, files: [0, 7], changes: [[9, 90, 8]] });
    expect(signs).toBe('.........!!!!!');
  });

  it('leave the later episodes to a review where there are too many to be compared', () => {
    expect(conclude({ changes: [[4, 60, 90]] }).signs).toBe('....??????');
  });

  it('leave every episode to a review where nothing moves', () => {
    expect(conclude({ changes: [[3, 90, 7]], still: true }).signs).toBe('??????????');
  });

  it('of which motion shows too little are not called certain', () => {
    for (let seed = 1; seed <= 5; seed++)
      expect(conclude({ changes: [[5, 90, 1]], seed }).signs).toMatch(/^[.?]{5}[?!]{5}$/);
  });
});

describe('frames too many in a shared video file', () => {
  it('shift the later episodes', () => {
    const { findings, signs } = conclude({ changes: [[4, 90, -8]] });
    expect(signs).toBe('....!!!!!!');
    expect(findings).toEqual([]);
  });

  it('shift nothing where they follow the last episode', () => {
    expect(conclude({ changes: [[9, rows - 1, -8]] }).signs).toMatch(/^\.{10}$/);
  });
});

it('files with all frames, and still scenes, are not accused', () => {
  expect(conclude({ changes: [] })).toEqual({ findings: [], signs: '..........' });
  expect(conclude({ changes: [], still: true })).toEqual({ findings: [], signs: '..........' });
});
