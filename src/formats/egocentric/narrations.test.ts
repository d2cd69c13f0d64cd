import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timesOf } from '#core/episode';
import { openVideoWriter } from '#io/video';
import { deriveKind } from '#quality/readiness';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-narrations-'));
afterAll(() => rmSync(top, { recursive: true }));

const rate_hz = 50;
const [short, long] = [join(top, 'short.mp4'), join(top, 'long.mp4')];

async function writeVideo(path: string, seconds: number): Promise<void> {
  const settings = { width_px: 32, height_px: 32, rate_hz, keyframe_every: 50 };
  const writer = await openVideoWriter(path, settings);
  const frame = new Uint8Array((32 * 32 * 3) / 2).fill(128);
  for (let i = 0; i < seconds * rate_hz; i++) await writer.write(frame.fill(i % 200, 0, 1024));
  await writer.close();
}

beforeAll(async () => {
  await writeVideo(short, 4);
  // Long enough that one frame in a thousand shows.
  await writeVideo(long, 110);
});

/** A number: a video of so many seconds, 4 or 110. */
type Files = Readonly<Record<string, string | object | 4 | 110>>;

let made = 0;
async function readAll(files: Files) {
  const root = join(top, `set${made++}`);
  for (const [path, body] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (typeof body === 'number') copyFileSync(body === 4 ? short : long, join(root, path));
    else writeFileSync(join(root, path), typeof body === 'string' ? body : JSON.stringify(body));
  }
  return (await readEverything(root)).sets;
}

async function read(files: Files) {
  const [set] = await readAll(files);
  return set;
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

const columns =
  'narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,stop_frame,narration,verb,verb_class,noun,noun_class,all_nouns,all_noun_classes';
interface Row {
  readonly video?: string;
  readonly start: string;
  readonly stop: string;
  readonly frame?: number;
  readonly text?: string;
}
const row = ({ video = 'P01_101', start, stop, frame = 1, text = 'open door' }: Row, i: number) =>
  `${video}_${i},P01,${video},,${start},${stop},${frame},9,"${text}",open,3,door,3,"['door', 'handle']","[3, 4]"`;
const list = (...rows: readonly Row[]) => [columns, ...rows.map(row)].join('\n');

const one: Row = { start: '00:00:00.14', stop: '00:00:03.37' };

describe('EPIC-KITCHENS', () => {
  it('gives an episode a video, with narrations at their starts and intervals beside', async () => {
    const later: Row = { start: '00:00:02.5', stop: '00:00:03.0', text: 'put down plate, cup' };
    const overlapping: Row = { start: '00:00:01.0', stop: '00:00:03.9', text: 'take plate' };
    const set = await read({
      'EPIC_100_train.csv': list(one, later, overlapping),
      'EPIC_100_video_info.csv': 'video_id,duration,fps,resolution\nP01_101,4.0,50.0,1920x1080\n',
      'P01/videos/P01_101.MP4': 4,
    });
    expect(set).toMatchObject({ format: 'epic-kitchens', findings: [], declared_episodes: 1 });
    const [episode] = set.episodes;
    expect(episode.events).toEqual(
      [
        [0.14, 'open door'],
        [1, 'take plate'],
        [2.5, 'put down plate, cup'],
      ].map(([time_s, label]) => ({ time_s, label, source: 'EPIC_100_train.csv' })),
    );
    const [camera, narrations] = episode.streams;
    expect(camera).toMatchObject({ role: 'camera', declared_rate_hz: 50, sample_count: 200 });
    expect([...timesOf(narrations)!]).toEqual([0.14, 1, 2.5]);
    expect([...narrations.series!.values.subarray(3, 6)]).toEqual([3.9, 3, 3]);
    expect(episode.sources.map(({ role }) => role)).toEqual(['video', 'annotation', 'annotation']);
    expect(episode).toMatchObject({ tasks: null, findings: [], outcome: { value: 'unknown' } });
    expect(deriveKind(episode).kind).toBe('egocentric');
  });

  it.each([
    [50, []],
    [50.05, ['frame_numbers_other_rate']],
    [60, ['frame_numbers_other_rate']],
  ])('whose frames are numbered at %s of 50 a second', async (numbered_hz, expected) => {
    const frame = Math.floor(105.5 * numbered_hz);
    const rows = list({ start: '00:01:45.50', stop: '00:01:46.0', frame });
    const { episodes } = await read({ 'EPIC_100_train.csv': rows, 'videos/P01_101.MP4': 110 });
    expect(codes(episodes[0].findings)).toEqual(expected);
  });

  it('names absent videos in one finding, and reads those that no list names', async () => {
    const rows = [one, ...['P02_01', 'P02_02', 'P02_03', 'P02_04'].map((video) => ({ ...one, video }))];
    const set = await read({
      'annotations/EPIC_100_train.csv': list(...rows),
      'P01_101.mp4': 4,
      'P09_09.mp4': 4,
    });
    expect(set.findings).toMatchObject([
      { code: 'videos_missing', evidence: { named: 5, absent: 4 } },
      { code: 'videos_without_narrations', evidence: { videos: 1 } },
    ]);
    expect(set.episodes.map(({ id, events }) => [id, events.length])).toEqual([
      ['P01_101.mp4', 1],
      ['P09_09.mp4', 0],
    ]);
  });

  it('without labels, as in the test list, has intervals and no texts', async () => {
    const test =
      'narration_id,participant_id,video_id,narration_timestamp,start_timestamp,stop_timestamp,start_frame,stop_frame\nP01_101_0,P01,P01_101,00:00:01.000,00:00:01.00,00:00:02.00,60,120\n';
    const { episodes } = await read({ 'EPIC_100_test_timestamps.csv': test, 'P01_101.MP4': 4 });
    expect(episodes[0].events).toEqual([]);
    expect(episodes[0].streams[1].series?.values).toEqual(Float64Array.of(2, Number.NaN, Number.NaN));
  });

  it.each<[string, Row, string]>([
    ['behind the end of its video', { start: '00:01:00.0', stop: '00:01:01.0' }, 'narrations_beyond_video'],
  ])('with a narration %s says so', async (_, bad, code) => {
    const { episodes } = await read({ 'EPIC_100_train.csv': list(one, bad), 'P01_101.MP4': 4 });
    expect(codes(episodes[0].findings)).toEqual([code]);
  });

  it.each<[string, Row, string]>([
    ['without times', { start: '', stop: '00:00:01.0' }, 'narration_rows_broken'],
    ['of odd times', { start: '1.5 s', stop: '00:00:01.0' }, 'narration_rows_broken'],
    ['that end before they start', { start: '00:00:02.0', stop: '00:00:01.0' }, 'narrations_reversed'],
  ])('counts rows %s', async (_, bad, code) => {
    const { findings } = await read({ 'EPIC_100_train.csv': list(one, bad), 'P01_101.MP4': 4 });
    expect(findings).toMatchObject([{ code, evidence: { narrations: 2, affected: 1 } }]);
  });

  it('with another length than its list says is told', async () => {
    const { episodes } = await read({
      'EPIC_100_train.csv': list(one),
      'EPIC_100_video_info.csv': 'video_id,duration,fps,resolution\nP01_101,1652.15,50,1920x1080\n',
      'P01_101.MP4': 4,
    });
    expect(codes(episodes[0].findings)).toEqual(['video_length_differs']);
  });

  it('leaves pickles alone and knows which frames were published wrong', async () => {
    const { findings } = await read({
      'EPIC_100_train.csv': list(one),
      'EPIC_100_train.pkl': 'cos\nsystem\n',
      'P01_101.MP4': 4,
      'P27/rgb_frames/P27_103/frame_0000000001.jpg': 'x',
    });
    expect(codes(findings)).toEqual(['frames_with_erratum', 'files_not_read']);
  });

  it('without one video still says what is absent', async () => {
    const set = await read({ 'EPIC_100_train.csv': list(one) });
    expect(codes(set.findings)).toEqual(['videos_missing']);
    expect(set.episodes).toEqual([]);
  });

  it('is not taken from other lists beside videos', async () => {
    const sets = await readAll({ 'videos.csv': 'video_id,label\na,1\n', 'a.mp4': 4 });
    expect(sets.map(({ format }) => format)).toEqual(['videos']);
  });
});

const uid = 'a1b2c3d4-0000-4000-8000-000000000001';
const said = (timestamp_sec: number, narration_text: string, hz = rate_hz) => ({
  timestamp_sec,
  timestamp_frame: Math.round(timestamp_sec * hz),
  narration_text,
  annotation_uid: 'x',
});
const passes = (...narrations: object[]) => ({
  status: 'complete',
  narration_pass_1: { narrations, summaries: [] },
});

describe('Ego4D', () => {
  it('gives an episode a video, with the narrations of both passes at their moments', async () => {
    const set = await read({
      'v2/annotations/all_narrations_redacted.json': {
        version: '2.0',
        videos: {
          [uid]: {
            ...passes(said(2.5, '#C C picks a knife '), said(0.5, '#O A man X walks')),
            narration_pass_2: { narrations: [said(1.5, '#C C #unsure')] },
          },
          gone: passes(said(1, '#C C cuts')),
        },
      },
      'v2/ego4d.json': { videos: [{ video_uid: uid, duration_sec: 4, video_metadata: { fps: 50 } }] },
      [`v2/full_scale/${uid}.mp4`]: 4,
    });
    expect(set).toMatchObject({ format: 'ego4d', declared_episodes: 2 });
    expect(set.findings).toMatchObject([{ code: 'videos_missing', evidence: { named: 2, absent: 1 } }]);
    const [episode] = set.episodes;
    const source = 'v2/annotations/all_narrations_redacted.json#narration_pass_';
    expect(episode.events).toEqual([
      { time_s: 0.5, label: '#O A man X walks', source: `${source}1` },
      { time_s: 1.5, label: '#C C #unsure', source: `${source}2` },
      { time_s: 2.5, label: '#C C picks a knife', source: `${source}1` },
    ]);
    expect(episode.findings).toMatchObject([
      { code: 'narrations_marked', severity: 'info', evidence: { narrations: 3, unsure: 1, others: 1 } },
    ]);
    expect(episode.streams[0].declared_rate_hz).toBe(50);
    expect(episode.sources.map(({ path }) => path)).toEqual([
      `v2/full_scale/${uid}.mp4`,
      'v2/annotations/all_narrations_redacted.json',
      'v2/ego4d.json',
    ]);
  });

  it('of the first version is read alike, and the full video before scaled copies', async () => {
    const set = await read({
      'narration.json': { [uid]: passes(said(1, '#C C cuts')) },
      [`clips_540/${uid}.mp4`]: 4,
      [`full_scale/${uid}.mp4`]: 4,
    });
    expect(set.findings).toEqual([]);
    expect(set.episodes.map(({ id }) => id)).toEqual([`full_scale/${uid}.mp4`]);
  });

  it.each<[string, object, string]>([
    [
      'streams that begin apart',
      { video_metadata: { video_start_sec: 0, audio_start_sec: 0.4 } },
      'streams_start_apart',
    ],
    ['a late picture', { video_metadata: { video_start_sec: 1.2 } }, 'streams_start_apart'],
    ['blanked spans', { redacted_intervals: [{ start_sec: 1, end_sec: 2 }] }, 'video_redacted'],
    ['blanked regions', { has_redacted_regions: true }, 'video_redacted'],
    ['another length', { duration_sec: 400 }, 'video_length_differs'],
  ])('with %s says so', async (_, facts, code) => {
    const { episodes } = await read({
      'narration.json': { [uid]: passes(said(1, '#C C cuts')) },
      'ego4d.json': { videos: [{ video_uid: uid, ...facts }] },
      [`${uid}.mp4`]: 4,
    });
    expect(codes(episodes[0].findings)).toEqual([code]);
  });

  it('with frames numbered at another rate, or narrations it cannot place, says so', async () => {
    const { episodes } = await read({
      'narration.json': { [uid]: passes(said(105, '#C C cuts', 50.05), { narration_text: '#C C waits' }) },
      [`${uid}.mp4`]: 110,
    });
    expect(codes(episodes[0].findings)).toEqual(['narration_rows_broken', 'frame_numbers_other_rate']);
  });

  it('cut in the middle keeps the videos before the cut', async () => {
    const text = JSON.stringify({ [uid]: passes(said(1, '#C C cuts')), next: passes(said(1, 'x')) });
    const set = await read({ 'narration.json': text.slice(0, -40), [`${uid}.mp4`]: 4 });
    expect(codes(set.findings)).toEqual(['file_truncated']);
    expect(set.episodes[0].events).toHaveLength(1);
  });

  it('is not taken from its file names alone', async () => {
    const sets = await readAll({ 'narration.json': { a: { text: 'x' } }, 'a.mp4': 4 });
    expect(sets.map(({ format }) => format)).toEqual(['videos']);
  });
});
