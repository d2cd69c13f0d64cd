import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Episode, Stream } from '#core/episode';
import { collectRows, concludeComparisons } from '../compare-episodes.ts';
import { numericStream, testEpisode, testSubject } from '../test-subject.ts';

const rows = 240;

/** Creates three joints on different smooth paths; the state follows `lag` rows behind. */
function arm(seed: number, lag: number): Stream[] {
  const random = seededRandom(seed);
  const waves = Array.from({ length: 3 }, () => [random.between(0.02, 0.05), random.between(0, 6)]);
  const command = (i: number, d: number): number =>
    Math.sin(waves[d][0] * i + waves[d][1]) + 0.5 * Math.sin(3.1 * waves[d][0] * i);
  return [
    numericStream(
      'observation.state',
      'state',
      rows,
      3,
      (i, d) => command(i - lag, d) + 1e-3 * random.normal(),
    ),
    numericStream('action', 'action', rows, 3, command),
  ];
}

function compare(episodes: readonly Episode[]) {
  return concludeComparisons(
    episodes.map((episode) => ({ episode: episode.id, rows: collectRows(testSubject(episode)) })),
    { declared_rate_hz: 30, declared_cameras: [] },
  );
}

function notesOf(episodes: readonly Episode[]): (string | undefined)[] {
  const compared = compare(episodes);
  return episodes.map(({ id }) => (compared.getNotes(id).lag_drift === undefined ? undefined : id));
}

describe('lag drift', () => {
  it('gives no finding if all episodes have the same lag, however long it is', () => {
    const episodes = Array.from({ length: 8 }, (_, i) => testEpisode(i, arm(i + 1, 5)));
    expect(notesOf(episodes).filter(Boolean)).toEqual([]);
  });

  it('notes the one episode whose state is later or earlier than in the others', () => {
    for (const lag of [-2, 6]) {
      const episodes = Array.from({ length: 8 }, (_, i) => testEpisode(i, arm(i + 1, i === 5 ? lag : 2)));
      expect(notesOf(episodes).filter(Boolean)).toEqual([episodes[5].id]);
    }
  });

  it('counts one episode as one and several as several', () => {
    const messageFor = (late: number) => {
      const lags = Array.from({ length: 12 }, (_, i) => (i < late ? 8 : 2));
      const { findings } = compare(lags.map((lag, i) => testEpisode(i, arm(i + 1, lag))));
      return findings.find(({ code }) => code === 'lag_drift')?.message;
    };
    expect(messageFor(1)).toMatch(/^1 of 12 episodes has a different lag/);
    expect(messageFor(2)).toMatch(/^2 of 12 episodes have a different lag/);
  });

  it('needs other episodes', () => {
    expect(notesOf([testEpisode(0, arm(1, 2)), testEpisode(1, arm(2, 8))]).filter(Boolean)).toEqual([]);
  });
});
