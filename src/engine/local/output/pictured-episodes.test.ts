import { describe, expect, it } from 'vitest';
import type { EpisodeVerdict } from '../../steps/judge/verdict.ts';
import { selectPicturedEpisodes } from './write-report.ts';

function verdict(index: number): EpisodeVerdict {
  const decision = index % 100 === 7 ? 'reject' : 'accept';
  return {
    ...{ dataset: 0, index, id: `episode_${index}`, kind: 'teleop', decision, score: 1 - index / 1e6 },
    ...{ graded_fraction: 1, duration_s: 5, flags: [], findings: [], reason: null, receipt: null },
  };
}

const setOf = (episodes: number, pictureBytes: number) => ({
  verdicts: Array.from({ length: episodes }, (_, index) => verdict(index)),
  pictures: episodes * pictureBytes,
});

describe('the pictures of a report', () => {
  it('are those of every episode where there is room', () => {
    expect(selectPicturedEpisodes(setOf(480, 45_000))).toBeNull();
    expect(selectPicturedEpisodes(setOf(100_000, 0))).toBeNull();
  });

  it('are those of the episodes that need looking at most where there is not', () => {
    const pictured = selectPicturedEpisodes(setOf(5000, 20_000));
    expect(pictured?.size).toBe(200);
    for (let index = 7; index < 5000; index += 100) expect(pictured?.has(`episode_${index}`)).toBe(true);
  });
});
