import { describe, expect, it } from 'vitest';
import type { CameraEvidence } from '#core/episode';
import { collectRows, concludeComparisons } from '../compare-episodes.ts';
import { sealedReceipt } from '../test-receipt.ts';
import { swingingArm, testCamera, testCameraStream, testEpisode, testSubject } from '../test-subject.ts';

const frames = 300;
const alive = testCamera(frames);
const black = testCamera(frames, { luma_mean: () => 2, luma_std: () => 1 });
const halfBlack = testCamera(frames, {
  luma_mean: (i) => (i < 150 ? 2 : 110),
  luma_std: (i) => (i < 150 ? 1 : 50),
});

/** Compares episodes with these cameras, and evaluates each with the notes on it. */
function judged(episodes: readonly Readonly<Record<string, CameraEvidence>>[]) {
  const subjects = episodes.map((cameras, i) => {
    const streams = Object.keys(cameras).map((id) => testCameraStream(id, frames));
    const episode = testEpisode(i, [...swingingArm(i + 1), ...streams]);
    return testSubject(episode, 'teleop', new Map(Object.entries(cameras)));
  });
  const rows = subjects.map((subject) => ({ episode: subject.episode.id, rows: collectRows(subject) }));
  const { findings, getNotes: notesOf } = concludeComparisons(rows, {
    declared_rate_hz: null,
    declared_cameras: [],
  });
  const codes = subjects.map((subject) => {
    const { receipt } = sealedReceipt(subject, {}, notesOf(subject.episode.id));
    return receipt.flags.map(({ code }) => code).filter((code) => code.startsWith('camera_'));
  });
  return { findings: findings.filter(({ code }) => code === 'camera_shows_nothing'), codes };
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('a camera that shows nothing', () => {
  it('in any episode is a finding of the dataset, and episodes are judged by the others', () => {
    const { findings, codes } = judged(times(5, () => ({ front: alive, unused: black })));
    expect(findings.map(({ evidence }) => evidence)).toEqual([{ camera: 'unused', episodes: 5 }]);
    expect(codes).toEqual(times(5, () => []));
  });

  it('in some episodes is theirs', () => {
    const { findings, codes } = judged(times(5, (i) => ({ front: alive, wrist: i === 2 ? black : alive })));
    expect(findings).toEqual([]);
    expect(codes[2]).toContain('camera_black');
    expect(codes.filter((found) => found.length > 0)).toHaveLength(1);
  });

  it('in part of each episode is each one’s', () => {
    const { findings, codes } = judged(times(5, () => ({ front: alive, wrist: halfBlack })));
    expect(findings).toEqual([]);
    for (const found of codes) expect(found).toContain('camera_black');
  });

  it('and is the only one there rejects the episodes', () => {
    const { findings, codes } = judged(times(5, () => ({ front: black })));
    expect(findings).toEqual([]);
    for (const found of codes) expect(found).toContain('camera_black');
  });

  it('in fewer than four episodes may as well have been covered', () => {
    const { findings, codes } = judged(times(3, () => ({ front: alive, wrist: black })));
    expect(findings).toEqual([]);
    for (const found of codes) expect(found).toContain('camera_black');
  });
});
