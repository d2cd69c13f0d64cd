import { describe, expect, it } from 'vitest';
import type { DeclaredStatistics, Episode } from '#core/episode';
import { collectRows, concludeComparisons } from '../compare-episodes.ts';
import {
  numericStream,
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from '../test-subject.ts';

const wrong = { code: 'set_stats_wrong', severity: 'error', advice: 'compute them again' } as const;
const pictures_wrong = { ...wrong, code: 'picture_stats_wrong', severity: 'warning' } as const;
const episodes = Array.from({ length: 5 }, (_, e) => testEpisode(e, swingingArm(e, 200 + 40 * e)));

/** Computes the statistics of all rows of a stream by their textbook formulas. */
function statisticsOf(id: string) {
  const series = episodes.map(({ streams }) => streams.find((stream) => stream.id === id)!.series!);
  const [{ dims }] = series;
  const column = (d: number) =>
    series.flatMap(({ values }) => Array.from(values.filter((_, at) => at % dims === d)));
  const all = Array.from({ length: dims }, (_, d) => column(d));
  const mean = all.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const std = all.map((values, d) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean[d]) ** 2, 0) / values.length),
  );
  const [min, max] = [Math.min, Math.max].map((of) => all.map((values) => of(...values)));
  return { min, max, mean, std, count: all[0].length };
}

const declared: DeclaredStatistics = {
  path: 'meta/stats.json',
  episodes: episodes.length,
  streams: { action: statisticsOf('action'), 'observation.state': statisticsOf('observation.state') },
  luma: {},
  wrong,
  pictures_wrong,
};

function findings(own: DeclaredStatistics, of: readonly Episode[] = episodes) {
  const rows = of.map((episode) => ({
    episode: episode.id,
    rows: collectRows({ ...testSubject(episode), declared_statistics: own }),
  }));
  const facts = { declared_rate_hz: null, declared_cameras: [], declared_statistics: own };
  return concludeComparisons(rows, facts).findings.filter(({ path }) => path === 'meta/stats.json');
}

const withAction = (more: object): DeclaredStatistics => ({
  ...declared,
  streams: { ...declared.streams, action: { ...declared.streams.action, ...more } },
});
const changed = (list: readonly number[] | null, by: number) =>
  list!.map((value, d) => (d === 2 ? value + by : value));

describe('statistics of a set', () => {
  it('that match its rows give no finding', () => {
    expect(findings(declared)).toEqual([]);
  });

  const { action } = declared.streams;
  it.each([
    ['min', withAction({ min: changed(action.min, 0.01) })],
    ['max', withAction({ max: changed(action.max, 0.01) })],
    ['mean', withAction({ mean: changed(action.mean, 0.002) })],
    ['std', withAction({ std: changed(action.std, 0.002) })],
  ])('are an error with the place where %s is another', (name, own) => {
    const [finding, ...more] = findings(own);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'set_stats_wrong', severity: 'error' });
    expect(finding.message).toContain(`${name} of action dimension 2`);
  });

  it('are compared if the name of a stream contains a line break', () => {
    const id = 'action\nof the arm';
    const renamed = episodes.map((episode) => ({
      ...episode,
      streams: episode.streams.map((stream) => (stream.id === 'action' ? { ...stream, id } : stream)),
    }));
    const own = { ...declared, streams: { [id]: { ...action, min: changed(action.min, 0.01) } } };
    expect(findings(own, renamed)[0].message).toContain(`min of ${id} dimension 2`);
  });

  it('give an error if they are of other rows or of another vector', () => {
    expect(findings(withAction({ count: 7 }))[0].message).toContain(
      'count of action is 7, but there are 1400 rows',
    );
    expect(findings(withAction({ mean: [0] }))[0].message).toContain('action has 1 values, a row has 6');
  });

  it('may be of more rows than could be read, but not of fewer', () => {
    expect(findings(declared, episodes.slice(1))).toEqual([]);
    const narrow = withAction({ max: action.max!.map(() => 0) });
    expect(findings(narrow, episodes.slice(1))).toHaveLength(1);
  });

  it('are not compared if rows are not finite', () => {
    const holed = numericStream('action', 'action', 200, 6, (i) => (i === 9 ? Number.NaN : i));
    expect(findings(declared, [testEpisode(0, [holed]), ...episodes.slice(1)])).toEqual([]);
  });
});

describe('statistics of a camera', () => {
  const of = (brightness: number) => {
    const own = { ...declared, streams: {}, luma: { top: brightness } };
    const rows = episodes.map((episode) => {
      const seen = testSubject(
        { ...episode, streams: [testCameraStream('top', 20)] },
        'teleop',
        new Map([['top', testCamera(20)]]),
      );
      return { episode: episode.id, rows: collectRows({ ...seen, declared_statistics: own }) };
    });
    const facts = { declared_rate_hz: null, declared_cameras: [], declared_statistics: own };
    return concludeComparisons(rows, facts).findings.map(({ code }) => code);
  };

  it('may differ slightly from its sampled frames, and are reported if they are of other pictures', () => {
    expect(of(140)).not.toContain('picture_stats_wrong');
    expect(of(20)).toContain('picture_stats_wrong');
  });
});
