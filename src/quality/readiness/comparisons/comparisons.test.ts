import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Episode, GripperConvention, Stream } from '#core/episode';
import { type ComparisonRows, collectRows, concludeComparisons } from '../compare-episodes.ts';
import type { DeclaredDatasetFacts } from '../comparison.ts';
import {
  numericStream,
  swingingArm,
  testCamera,
  testCameraStream,
  testEpisode,
  testSubject,
} from '../test-subject.ts';

const noFacts: DeclaredDatasetFacts = { declared_rate_hz: null, declared_cameras: [] };

/** An arm that does one of two tasks, each a path of its own with some scatter. */
function taskArm(task: number, seed: number, rows = 240, dims = 6): Stream[] {
  const random = seededRandom(100 + seed);
  const from = Array.from({ length: dims }, () => 0.1 * random.normal());
  const goal = Array.from(
    { length: dims },
    (_, d) => (task === 0 ? 1 : -0.8) * (d + 1) * 0.2 + 0.08 * random.normal(),
  );
  const command = (i: number, d: number) =>
    from[d] + (goal[d] - from[d]) * (0.5 - 0.5 * Math.cos((Math.PI * i) / rows));
  return [
    numericStream(
      'observation.state',
      'state',
      rows,
      dims,
      (i, d) => command(Math.max(0, i - 2), d) + 1e-3 * random.normal(),
    ),
    numericStream('action', 'action', rows, dims, command),
  ];
}

const texts = ['put the cube on the shelf', 'open the lower drawer'];
function taskEpisode(i: number, more: Partial<Episode> = {}, streams = taskArm(i % 2, i)): Episode {
  return testEpisode(i, streams, { tasks: [{ text: texts[i % 2], source: 'meta/tasks.parquet' }], ...more });
}
function compare(episodes: readonly Episode[], facts = noFacts) {
  const rows = episodes.map((episode) => ({ episode: episode.id, rows: collectRows(testSubject(episode)) }));
  return concludeComparisons(rows, facts);
}
const clean = (count: number): Episode[] => Array.from({ length: count }, (_, i) => taskEpisode(i));
function changed(stream: Stream, change: (value: number, row: number, d: number) => number): Stream {
  const { values, dims } = stream.series!;
  return {
    ...stream,
    series: { dims, values: values.map((value, i) => change(value, Math.floor(i / dims), i % dims)) },
  };
}

describe('comparing a clean set', () => {
  it('gives neither findings nor notes', () => {
    const episodes = clean(40);
    const { findings, getNotes: notesOf } = compare(episodes, { declared_rate_hz: 30, declared_cameras: [] });
    expect(findings).toEqual([]);
    expect(episodes.map(({ id }) => notesOf(id)).filter((notes) => Object.keys(notes).length > 0)).toEqual(
      [],
    );
  });

  it('gives the same result for rows that were serialised and parsed', () => {
    const episodes = [...clean(20), { ...taskEpisode(4), id: 'copy', index: 20 }];
    const rows = episodes.map((episode) => ({
      episode: episode.id,
      rows: collectRows(testSubject(episode)),
    }));
    const again = concludeComparisons(JSON.parse(JSON.stringify(rows)), noFacts);
    const first = compare(episodes);
    expect(again.findings).toEqual(first.findings);
    expect(again.getNotes('copy')).toEqual(first.getNotes('copy'));
  });

  it('keeps rows short', () => {
    expect(JSON.stringify(collectRows(testSubject(taskEpisode(1)))).length).toBeLessThan(1800);
  });
});

describe('duplicate episodes', () => {
  it.each([
    ['whole', 0, 0, true],
    ['cut at the start', 12, 0, false],
    ['cut at the end', 0, 20, false],
  ])('are found %s, and only the later one is told', (_, head, tail, exact) => {
    const episodes = clean(10);
    const original = episodes[3];
    const streams = original.streams.map((stream) => {
      const { values, dims } = stream.series!;
      const rows = stream.sample_count - head - tail;
      return {
        ...stream,
        sample_count: rows,
        series: { dims, values: values.slice(head * dims, (head + rows) * dims) },
      };
    });
    const { getNotes: notesOf, findings } = compare([...episodes, testEpisode(10, streams)]);
    expect(notesOf('episode_000010').duplicate_episode).toMatchObject({
      of: original.id,
      exact,
      of_pictures: false,
    });
    expect(notesOf(original.id)).toEqual({});
    expect(findings.map(({ code }) => code)).toContain('duplicate_episodes');
  });

  it('are not found in recordings without motion', () => {
    const still = (i: number) => testEpisode(i, [numericStream('state', 'state', 100, 3, () => 1)]);
    expect(compare([still(0), still(1)]).findings).toEqual([]);
  });

  it('are found among pictures by file and by difference hash', () => {
    const picture = (i: number, sha: string, hash: number) => {
      const stream: Stream = { ...testCameraStream('image', 1), modality: 'image', clocks: [], clock: null };
      const sources = [
        { path: `${i}.jpg`, bytes: 1, sha256: sha.repeat(64).slice(0, 64), role: 'image' as const },
      ];
      const episode = testEpisode(i, [stream], {
        sources,
        locator: { format: 'image-folder', path: `${i}.jpg` },
      });
      const evidence = testCamera(1);
      const sampled = {
        ...evidence.sampled,
        hash_high: Uint32Array.of(hash),
        hash_low: Uint32Array.of(0x0ff0f00f),
      };
      return testSubject(episode, 'vision-asset', new Map([['image', { ...evidence, sampled }]]));
    };
    const subjects = [
      picture(0, 'a', 0xf0f0f0f0),
      picture(1, 'b', 0x12345678),
      picture(2, 'a', 0xf0f0f0f0),
      picture(3, 'c', 0x1234567b),
    ];
    const rows = subjects.map((subject) => ({ episode: subject.episode.id, rows: collectRows(subject) }));
    const { getNotes: notesOf } = concludeComparisons(rows, noFacts);
    expect(notesOf('episode_000002').duplicate_episode).toMatchObject({ of: 'episode_000000', exact: true });
    expect(notesOf('episode_000003').duplicate_episode).toMatchObject({ of: 'episode_000001', exact: false });
    expect(notesOf('episode_000001')).toEqual({});
  });
});

describe('an offset joint', () => {
  it.each([0.1, 0.25, 0.6])('is found at %d of its range, with stream and dimension', (share) => {
    const episodes = clean(16);
    const [state, action] = episodes[9].streams;
    episodes[9] = {
      ...episodes[9],
      streams: [changed(state, (value, _, d) => (d === 4 ? value + share : value)), action],
    };
    const { getNotes: notesOf } = compare(episodes);
    expect(notesOf(episodes[9].id).joint_offset).toMatchObject({ stream: 'observation.state', dimension: 4 });
    const others = episodes.filter((_, i) => i !== 9).map(({ id }) => notesOf(id).joint_offset);
    expect(others.every((note) => note === undefined)).toBe(true);
  });
});

describe('units', () => {
  it.each([
    ['of all signals', 2],
    ['of the state alone', 1],
  ])('that differ from the other episodes are found: %s', (_, touched) => {
    const episodes = clean(12);
    const streams = episodes[5].streams.map((stream, s) =>
      s < touched ? changed(stream, (v) => (v * 180) / Math.PI) : stream,
    );
    episodes[5] = { ...episodes[5], streams };
    const { getNotes: notesOf, findings } = compare(episodes);
    expect(notesOf(episodes[5].id).unit_drift).toMatchObject({ meaning: 'degrees instead of radians' });
    expect(findings.find(({ code }) => code === 'unit_drift')?.severity).toBe('error');
  });
});

describe('texts', () => {
  it('of another task are found by the motion, and no others', () => {
    const episodes = clean(30);
    for (const i of [6, 13])
      episodes[i] = taskEpisode(i, { tasks: [{ text: texts[(i + 1) % 2], source: 'x' }] });
    const { getNotes: notesOf } = compare(episodes);
    const noted = episodes
      .filter(({ id }) => notesOf(id).wrong_instruction !== undefined)
      .map(({ index }) => index);
    expect(noted).toEqual([6, 13]);
    expect(Number(notesOf('episode_000006').wrong_instruction.confidence)).toBeGreaterThan(0.5);
  });

  it('that stand alone and share no word with the text whose motion they follow are found', () => {
    const episodes = Array.from({ length: 20 }, (_, i) => testEpisode(i, taskArm(0, i)));
    episodes[4] = { ...episodes[4], tasks: [{ text: 'fold the towel twice', source: 'x' }] };
    episodes[5] = { ...episodes[5], tasks: [{ text: 'place the red cube in the box', source: 'x' }] };
    const { getNotes: notesOf } = compare(episodes);
    expect(notesOf(episodes[4].id).wrong_instruction).toMatchObject({
      suggests: 'put the red cube into the box',
    });
    expect(notesOf(episodes[5].id)).toEqual({});
  });

  it('that stand alone and ask for another motion than the one they follow are mostly found where texts decide the motion', () => {
    const notes = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map((i) => {
      const episodes = clean(20);
      episodes[i] = { ...episodes[i], tasks: [{ text: 'wipe the lower drawer', source: 'x' }] };
      return compare(episodes).getNotes(episodes[i].id).wrong_instruction;
    });
    const found = notes.filter((note) => note !== undefined);
    expect(found.length).toBeGreaterThanOrEqual(5);
    expect(new Set(found.map(({ suggests }) => suggests))).toEqual(new Set([texts[0]]));
    expect(found.some(({ rare }) => rare === false)).toBe(true);
  });

  it('that are paraphrases of one task are one text, whichever motion they stand beside', () => {
    const wordings = [
      'Put the red block into the right tray.',
      'Pick up the red block and put it in the tray on the right.',
    ];
    for (let round = 0; round < 5; round++) {
      const random = seededRandom(round);
      const episodes = Array.from({ length: 12 }, (_, i) =>
        taskEpisode(
          i,
          { tasks: [{ text: random.pick(wordings), source: 'x' }] },
          taskArm(i % 2, 40 * round + i),
        ),
      );
      const { getNotes: notesOf, findings } = compare(episodes);
      expect(episodes.filter(({ id }) => notesOf(id).wrong_instruction !== undefined)).toEqual([]);
      expect(findings.map(({ code }) => code)).not.toContain('instruction_mismatch');
    }
  });

  it('of several wordings are found where one episode carries the text of the other task', () => {
    const reworded = [
      [texts[0], 'pick up the cube and place it on the shelf'],
      [texts[1], 'open the bottom drawer'],
    ];
    const episodes = Array.from({ length: 12 }, (_, i) =>
      taskEpisode(i, { tasks: [{ text: reworded[i % 2][i % 4 < 2 ? 0 : 1], source: 'x' }] }),
    );
    episodes[2] = taskEpisode(2, { tasks: [{ text: texts[1], source: 'x' }] });
    const { getNotes: notesOf } = compare(episodes);
    const noted = episodes.filter(({ id }) => notesOf(id).wrong_instruction !== undefined);
    expect(noted.map(({ index }) => index)).toEqual([2]);
  });

  it('whose motions do not differ are left alone', () => {
    const episodes = Array.from({ length: 40 }, (_, i) => taskEpisode(i, {}, taskArm(0, i)));
    const { getNotes: notesOf } = compare(episodes);
    expect(episodes.filter(({ id }) => notesOf(id).wrong_instruction !== undefined)).toEqual([]);
  });
});

describe('cameras', () => {
  const withCameras = (i: number, ids: readonly string[], gone: readonly string[] = []) => {
    const cameras = ids.map((id) => {
      const stream = testCameraStream(id, 240);
      if (!gone.includes(id)) return stream;
      const locator = { type: 'missing', path: `${id}.mp4`, reason: 'the file is not there' } as const;
      return { ...stream, frames: { ...stream.frames!, locator } };
    });
    return taskEpisode(i, {}, [...taskArm(i % 2, i), ...cameras]);
  };

  it('that are missing everywhere give a finding about the dataset and a note on each episode', () => {
    const episodes = Array.from({ length: 6 }, (_, i) => withCameras(i, ['front', 'wrist'], ['wrist']));
    const { findings, getNotes: notesOf } = compare(episodes, {
      ...noFacts,
      declared_cameras: ['front', 'wrist'],
    });
    expect(findings.map(({ code }) => code)).toEqual(['camera_absent_everywhere']);
    expect(notesOf('episode_000002').missing_camera).toEqual({
      absent_everywhere: ['wrist'],
      absent_here: [],
    });
  });

  it('that are missing in one episode are counted and noted, also if the episode does not name them', () => {
    const episodes = Array.from({ length: 6 }, (_, i) =>
      i === 2 ? withCameras(i, ['front']) : withCameras(i, ['front', 'wrist'], i === 4 ? ['wrist'] : []),
    );
    const { findings, getNotes: notesOf } = compare(episodes);
    expect(findings.find(({ code }) => code === 'camera_missing')?.message).toContain('2 of 6');
    expect(findings.find(({ code }) => code === 'schema_drift')?.evidence).toEqual({
      episodes: ['episode_000002'],
    });
    expect(notesOf('episode_000002').missing_camera).toMatchObject({ absent_here: ['wrist'] });
  });
});

describe('the schema', () => {
  it('of single episodes that differs gives a finding with the differences', () => {
    const episodes = clean(8);
    episodes[3] = taskEpisode(3, {}, taskArm(1, 3, 240, 7));
    const [finding] = compare(episodes).findings.filter(({ code }) => code === 'schema_drift');
    expect(finding.message).toContain('1 episode has a different schema');
    expect(finding.message).toContain('observation.state [7]');
  });
});

describe('rates', () => {
  it('that the dataset declares wrongly are one finding', () => {
    const { findings } = compare(clean(4), { declared_rate_hz: 50, declared_cameras: [] });
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'rate_mismatch',
        evidence: { declared_rate_hz: 50, measured_rate_hz: 30 },
      }),
    ]);
  });
});

describe('gripper conventions', () => {
  it('that differ among episodes give a finding and notes on the minority', () => {
    const gripper = (open: number, high: number): GripperConvention => ({
      stream: 'observation.state',
      dimension: 5,
      name: 'gripper',
      unit: 'normalised',
      range_observed: [0, high],
      open_value: open,
      evidence: 'declared',
      reason: 'test',
    });
    const episodes = clean(6).map((episode, i) => ({
      ...episode,
      grippers: [i === 5 ? gripper(0, 100) : gripper(1, 1)],
    }));
    const { findings, getNotes: notesOf } = compare(episodes);
    expect(findings.map(({ code }) => code)).toEqual(['gripper_conventions_mixed']);
    expect(notesOf('episode_000005').convention_mix).toBeDefined();
    expect(notesOf('episode_000004')).toEqual({});
  });
});

describe('the scale of a gripper at rest', () => {
  it('is no other convention than that of the episodes in which it moves', () => {
    const gripper = (range_observed: readonly [number, number]): GripperConvention => ({
      stream: 'observation.state',
      dimension: 5,
      name: 'gripper',
      unit: 'unknown',
      range_observed,
      open_value: null,
      evidence: 'unknown',
      reason: 'test',
    });
    const low = seededRandom(3);
    const resting = (episode: Episode): Episode => ({
      ...episode,
      streams: episode.streams.map((stream) =>
        stream.role === 'state'
          ? changed(stream, (v, _, d) => (d === 5 ? 1 + 0.2 * low.normal() : v))
          : stream,
      ),
    });
    const episodes = clean(6).map((episode, i) =>
      i === 5
        ? { ...resting(episode), grippers: [gripper([0.4, 1.6])] }
        : { ...episode, grippers: [gripper([0, 97])] },
    );
    expect(compare(episodes).findings.map(({ code }) => code)).not.toContain('gripper_conventions_mixed');
  });
});

describe('leakage between splits', () => {
  const split = (episodes: readonly Episode[], from: number): Episode[] =>
    episodes.map((episode, i) => ({ ...episode, split: i < from ? 'train' : 'test' }));

  it('is a copy in another split than the original, reported for the pair and noted on the later one', () => {
    const episodes = clean(6).map((episode, i, all) =>
      i === 5 ? { ...episode, streams: all[1].streams } : episode,
    );
    const { findings, getNotes: notesOf } = compare(split(episodes, 4));
    const leak = findings.find(({ code }) => code === 'split_leakage');
    expect(leak).toMatchObject({ severity: 'error' });
    expect(leak?.message).toContain('episode_000005 (test) is episode_000001 (train)');
    expect(notesOf('episode_000005').split_leakage).toMatchObject({
      of: 'episode_000001',
      of_split: 'train',
    });
    const within = compare(split(episodes, 0)).findings.map(({ code }) => code);
    expect(within).not.toContain('split_leakage');
  });

  it('is not searched for if the dataset declares no split', () => {
    expect(collectRows(testSubject(clean(1)[0]))).not.toHaveProperty('split_leakage');
  });
});

describe('a large set', () => {
  it('is concluded in linear time and without confusing its episodes', () => {
    const base = swingingArm(1);
    const random = seededRandom(9);
    const all: { episode: string; rows: ComparisonRows }[] = [];
    const row = collectRows(testSubject(testEpisode(0, base)));
    for (let i = 0; i < 20_000; i++) {
      const rows = Array.from({ length: 8 }, () => Math.floor(random.next() * 2 ** 32)).sort((a, b) => a - b);
      const commands = rows.map((hash) => hash ^ i);
      const sketches = { ...row.duplicate_episode, commands, rows };
      all.push({ episode: `e${i}`, rows: { ...row, duplicate_episode: sketches } });
    }
    expect(concludeComparisons(all, noFacts).findings).toEqual([]);
  });
});
