import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { CameraEvidence, Stream } from '#core/episode';
import { collectRows, concludeComparisons } from '../compare-episodes.ts';
import { numericStream, testCamera, testEpisode, testSubject } from '../test-subject.ts';

const facts = { declared_rate_hz: null, declared_cameras: [] };

function compared(sets: readonly ReadonlyMap<string, CameraEvidence>[], streams: readonly Stream[] = []) {
  const rows = sets.map((cameras, i) => {
    const episode = testEpisode(i, streams);
    return { episode: episode.id, rows: collectRows(testSubject(episode, 'teleop', cameras)) };
  });
  const { getNotes: notesOf } = concludeComparisons(rows, facts);
  return rows.map(({ episode }) => notesOf(episode));
}

describe('cameras exchanged in one episode', () => {
  const look = (seed: number, noise: number) =>
    testCamera(20, { grid: (i, block) => 40 + ((block * seed * 37) % 150) + ((i + noise) % 3) });
  const pair = (one: number, other: number, noise: number, first = 'front') =>
    new Map([
      [first, look(one, noise)],
      ['wrist', look(other, noise + 1)],
    ]);

  it('are noted for that episode', () => {
    const notes = compared([1, 2, 3, 4, 5].map((e) => (e === 4 ? pair(5, 3, e) : pair(3, 5, e))));
    expect(notes.map((note) => note.swapped_cameras?.one ?? null)).toEqual([null, null, null, 'front', null]);
  });

  it('are noted if a name contains a line break', () => {
    const name = 'front\nleft';
    const notes = compared([1, 2, 3, 4, 5].map((e) => (e === 4 ? pair(5, 3, e, name) : pair(3, 5, e, name))));
    expect(notes[3].swapped_cameras).toMatchObject({ one: name, other: 'wrist' });
  });

  it('are not reported for cameras that look alike, or for a scene that changed', () => {
    const alike = [1, 2, 3, 4, 5].map((e) => pair(3, 3, e));
    expect(compared(alike).some((note) => note.swapped_cameras)).toBe(false);
    const changed = [1, 2, 3, 4, 5].map((e) => (e === 4 ? pair(7, 9, e) : pair(3, 5, e)));
    expect(compared(changed).some((note) => note.swapped_cameras)).toBe(false);
  });
});

describe('a camera that lags in one episode', () => {
  const rows = 200;
  const speedAt = (i: number) => Math.max(0, Math.sin(i / 4)) + Math.max(0, Math.sin(i / 11 + 1));
  const position = new Float64Array(rows);
  for (let i = 1; i < rows; i++) position[i] = position[i - 1] + speedAt(i);
  const state = numericStream('observation.state', 'state', rows, 1, (i) => position[i]);
  const filmed = (behind: number) => {
    const bytes = Int32Array.from({ length: rows }, (_, i) => 40 + 400 * speedAt(Math.max(0, i - behind)));
    const key = Uint8Array.from({ length: rows }, (_, i) => (i % 2 === 0 ? 1 : 0));
    return new Map([['front', { ...testCamera(rows), coded: { bytes, key } }]]);
  };
  const lagsOf = (behind: readonly number[]) =>
    compared(behind.map(filmed), [state]).map((note) => note.camera_lag?.frames ?? null);

  it('is reported with the number of frames', () => {
    expect(lagsOf([0, 1, 0, 0, 6, 0])).toEqual([null, null, null, null, 6, null]);
  });

  it('is not reported if every episode has that lag, or too few have any', () => {
    expect(lagsOf([6, 6, 7, 6, 6, 6])).toEqual([null, null, null, null, null, null]);
    expect(lagsOf([0, 0, 6])).toEqual([null, null, null]);
  });
});

describe('a camera that lags while signals and images hardly correlate', () => {
  const rows = 120;
  const random = seededRandom(11);
  /** Both cameras see one motion; the state shows only part of it. */
  const filmed = (frontBehind: number, topBehind: number, bFrames = 0) => {
    const motion = Float64Array.from({ length: rows + 40 }, () => random.next());
    const at = (i: number) => (motion[i + 19] + 2 * motion[i + 20] + motion[i + 21]) / 4;
    /** An encoder with B-frames spends most bytes on the frame behind them, and leaves one out now and then. */
    const coded = (behind: number) => {
      const share = new Float64Array(rows).fill(bFrames === 0 ? 1 : 0.2);
      const gap = () => bFrames + (random.next() < 0.1 ? 0 : 1);
      if (bFrames > 0) for (let i = random.integer(0, bFrames); i < rows; i += gap()) share[i] = 1;
      return {
        bytes: Int32Array.from(
          { length: rows },
          (_, i) => (100 + 400 * at(i - behind)) * share[i] + 20 * random.next(),
        ),
        key: Uint8Array.from({ length: rows }, (_, i) => (bFrames === 0 && i % 2 === 0 ? 1 : 0)),
      };
    };
    let position = 0;
    const state = numericStream('observation.state', 'state', rows, 1, (i) => {
      position += at(i) + 0.5 * random.next();
      return position;
    });
    const cameras = new Map([
      ['front', { ...testCamera(rows), coded: coded(frontBehind) }],
      ['top', { ...testCamera(rows), coded: coded(topBehind) }],
    ]);
    return { cameras, state };
  };
  const notesOf = (behind: readonly (readonly [front: number, top: number, bFrames?: number])[]) => {
    const collected = behind.map(([front, top, bFrames], i) => {
      const { cameras, state } = filmed(front, top, bFrames);
      const episode = testEpisode(i, [state]);
      return { episode: episode.id, rows: collectRows(testSubject(episode, 'teleop', cameras)) };
    });
    const { getNotes } = concludeComparisons(collected, facts);
    return collected.map(({ episode }) => getNotes(episode).camera_lag ?? null);
  };
  const usual = [0, 0] as const;

  it('is found by comparison with the other camera', () => {
    const notes = notesOf([usual, usual, [8, 0], usual, [0, 5], usual, usual, usual]);
    expect(notes.map((note) => note && [note.camera, note.frames])).toEqual([
      ...[null, null, ['front', 8], null, ['top', 5], null, null, null],
    ]);
    expect(notes[2]).toMatchObject({ beside: 'top' });
  });

  it.each([1, 2, 3, 5, 7])(
    'is not reported for videos whose %s B-frames lie at different positions',
    (bFrames) => {
      const sets = Array.from({ length: 40 }, () =>
        Array.from({ length: 9 }, () => [0, 0, bFrames] as const),
      );
      expect(sets.flatMap(notesOf).filter((note) => note?.beside)).toEqual([]);
    },
  );

  it('is not reported if both always lag equally', () => {
    expect(notesOf(Array.from({ length: 8 }, () => [0, 6] as const)).every((note) => note === null)).toBe(
      true,
    );
  });
});

describe('a camera that sees other things move', () => {
  it('is not reported as lagging', () => {
    const random = seededRandom(3);
    const state = numericStream('observation.state', 'state', 200, 1, () => random.normal());
    const filmed = () => {
      const bytes = Int32Array.from({ length: 200 }, () => 100 + Math.floor(300 * random.next()));
      return new Map([['front', { ...testCamera(200), coded: { bytes, key: new Uint8Array(200) } }]]);
    };
    const notes = compared(Array.from({ length: 12 }, filmed), [state]);
    expect(notes.some((note) => note.camera_lag)).toBe(false);
  });
});

describe('a rate that the whole set declares wrongly', () => {
  it('is noted for the episodes whose videos have the rate of the clocks', () => {
    const state = { ...numericStream('observation.state', 'state', 100, 1, (i) => i), declared_rate_hz: 60 };
    const cameras = new Map([['front', testCamera(100)]]);
    const notes = compared([cameras, cameras, cameras], [state]);
    expect(notes.map((note) => note.wrong_rate)).toEqual(Array(3).fill({ camera_rate_hz: 30, rate_hz: 30 }));
    const right = { ...state, declared_rate_hz: 30 };
    expect(compared([cameras, cameras, cameras], [right])[0].wrong_rate).toBeUndefined();
  });
});
