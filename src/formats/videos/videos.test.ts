import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaService } from '#io/media';
import { videoRequest } from '#test/support/camera-requests';
import { type Encoding, encodeVideo } from '#test/support/encode-video';
import { movingPicture } from '#test/support/moving-picture';
import { readEverything } from '#test/support/read-dataset';

const folder = mkdtempSync(join(tmpdir(), 'assay-videos-'));
const service = createMediaService({ children: 1 });
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const scene = movingPicture(96, 64, 60);
const x264: Encoding = { encoder: 'libx264', container: 'mp4', options: { preset: 'ultrafast' } };

async function readOne(path: string) {
  const { sets, findings } = await readEverything(path);
  return { ...sets[0], beside: findings, episode: sets[0]?.episodes[0] };
}

const stampsOf = (episode: { streams: readonly { clocks: readonly { time_s: Float64Array }[] }[] }) => [
  ...episode.streams[0].clocks[0].time_s,
];

describe.each([
  ['MP4', 'a.mp4', x264],
  ['MP4 with B-frames and an edit list', 'b.mp4', { ...x264, b_frames: 3, options: { crf: '23' } }],
  ['fragmented MP4', 'c.mp4', { ...x264, muxer: { movflags: 'frag_keyframe+empty_moov+default_base_moof' } }],
  ['QuickTime', 'd.mov', { ...x264, container: 'mov' }],
  ['Matroska', 'e.mkv', { ...x264, container: 'matroska', b_frames: 2, options: {} }],
  [
    'WebM',
    'f.webm',
    { encoder: 'libvpx-vp9', container: 'webm', options: { deadline: 'realtime', 'cpu-used': '8' } },
  ],
  ['AVI', 'g.avi', { ...x264, encoder: 'mpeg4', container: 'avi', options: {} }],
] as const satisfies readonly [string, string, Encoding][])('%s', (_, name, encoding) => {
  it('gives the times at which its frames are shown, as decoding sees them', async () => {
    const path = join(folder, name);
    await encodeVideo(path, 96, 64, scene, encoding);
    const { episode, format } = await readOne(path);
    expect(format).toBe('videos');
    expect(episode).toMatchObject({ id: name, start_ns: null, tasks: null, findings: [] });
    expect(episode.duration_s).toBeCloseTo(2, 1);
    const { streams } = episode;
    expect(streams).toMatchObject([{ role: 'camera', modality: 'video', sample_count: 60 }]);
    expect(streams[0].clocks[0].provenance).toBe('synthesised');
    const { sampled, container } = await service.examine(videoRequest(path));
    expect(container?.frame_count).toBe(60);
    const stamps = stampsOf(episode);
    sampled.index.forEach((index, i) => {
      expect(stamps[index]).toBeCloseTo(sampled.time_s[i] - sampled.time_s[0], 3);
    });
  });
});

describe('stamps of a video', () => {
  it('that are uneven come from the recorder', async () => {
    const path = join(folder, 'uneven.mp4');
    const stamps = scene.map((_, i) => 3 * i + (i % 3) + (i > 30 ? 12 : 0));
    await encodeVideo(path, 96, 64, scene, { ...x264, rate_hz: 90, stamps });
    const { episode } = await readOne(path);
    expect(episode.streams[0].clocks[0]).toMatchObject({ name: 'pts', provenance: 'log' });
    expect(stampsOf(episode)).toEqual(stamps.map((stamp) => expect.closeTo(stamp / 90, 5)));
  });

  it('that begin late are counted from the first frame, and the span in the file keeps them', async () => {
    const path = join(folder, 'late.mkv');
    await encodeVideo(path, 96, 64, scene, {
      ...x264,
      container: 'matroska',
      stamps: scene.map((_, i) => i + 30),
    });
    const { episode } = await readOne(path);
    expect(stampsOf(episode)[0]).toBe(0);
    const { frames } = episode.streams[0];
    expect(frames?.locator).toMatchObject({ from_s: expect.closeTo(1, 3), to_s: null });
    const { sampled } = await service.examine({ ...videoRequest(path), frames: frames! });
    expect(sampled.time_s[0]).toBeCloseTo(0, 3);
  });
});

describe('broken and odd video files', () => {
  let whole: Buffer;
  beforeAll(async () => {
    const path = join(folder, 'whole.mp4');
    await encodeVideo(path, 96, 64, scene, x264);
    whole = readFileSync(path);
    rmSync(path);
  });

  it('without their header give an episode that says so', async () => {
    const path = join(folder, 'cut.mp4');
    writeFileSync(path, whole.subarray(0, whole.length >> 1));
    const { episode } = await readOne(path);
    expect(episode.findings).toMatchObject([
      { code: 'video_header_damaged', severity: 'error', path: 'cut.mp4' },
    ]);
    expect(episode.findings[0].message).toContain('no header (moov)');
    expect(episode.streams[0]).toMatchObject({ sample_count: 0, clock: null });
  });

  it('cut behind their header are truncated', async () => {
    const path = join(folder, 'cut.mkv');
    await encodeVideo(path, 96, 64, scene, { ...x264, container: 'matroska' });
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
    const { episode } = await readOne(path);
    expect(episode.findings).toMatchObject([{ code: 'file_truncated', severity: 'error' }]);
    expect(episode.streams[0].sample_count).toBeLessThan(60);
    expect(episode.streams[0].sample_count).toBeGreaterThan(5);
  });

  it('whose tables claim more than the file could hold do no harm', async () => {
    const at = whole.indexOf('stts');
    for (const value of [0xffffffff, 0x7fffffff]) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt32BE(value, at + 12);
      const path = join(folder, 'hostile.mp4');
      writeFileSync(path, bytes);
      const { episode } = await readOne(path);
      expect(episode.findings).toHaveLength(1);
    }
  });

  it('whose fragments claim more frames than the file has bytes are damaged', async () => {
    const path = join(folder, 'fragments.mp4');
    await encodeVideo(path, 96, 64, scene, { ...x264, muxer: { movflags: 'frag_keyframe+empty_moov' } });
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(0, bytes.indexOf('trun') + 4);
    bytes.writeUInt32BE(0xffffffff, bytes.indexOf('trun') + 8);
    writeFileSync(path, bytes);
    const { episode } = await readOne(path);
    expect(episode.findings).toMatchObject([{ code: 'video_header_damaged' }]);
    expect(episode.findings[0].message).toContain('more frames than the file has bytes');
  });

  it('called videos that are none are named, and the rest is read', async () => {
    const root = mkdtempSync(join(folder, 'mixed-'));
    writeFileSync(join(root, 'good.mp4'), whole);
    writeFileSync(join(root, 'empty.mp4'), '');
    writeFileSync(join(root, 'text.mkv'), 'words');
    writeFileSync(join(root, 'pointer.mp4'), 'version https://git-lfs.github.com/spec/v1\n');
    const { episodes, beside } = await readOne(root);
    expect(episodes.map((episode) => episode.id)).toEqual(['good.mp4']);
    expect(beside.map((finding) => [finding.code, finding.path])).toEqual([
      ['file_empty', 'empty.mp4'],
      ['file_misnamed', 'text.mkv'],
      ['lfs_pointer', 'pointer.mp4'],
    ]);
  });
});

describe('videos in several folders', () => {
  it('are a dataset each, and those that lie alone in theirs one of the folder above', async () => {
    const root = mkdtempSync(join(folder, 'folders-'));
    const one = join(root, 'one.mp4');
    await encodeVideo(one, 96, 64, scene, x264);
    const places = [
      'kitchen/a.mp4',
      'kitchen/b.mp4',
      'street/a.mp4',
      'street/b.mp4',
      'runs/1/c.mp4',
      'runs/2/c.mp4',
    ];
    for (const place of places) {
      mkdirSync(join(root, dirname(place)), { recursive: true });
      copyFileSync(one, join(root, place));
    }
    const { sets } = await readEverything(root);
    expect(sets.map(({ path, episodes }) => [path, episodes.map(({ id }) => id)])).toEqual([
      ['kitchen', ['a.mp4', 'b.mp4']],
      ['', ['one.mp4']],
      ['runs', ['1/c.mp4', '2/c.mp4']],
      ['street', ['a.mp4', 'b.mp4']],
    ]);
    expect(sets[0].evidence).toEqual([
      '2 of 7 video files; containers detected by first bytes: MP4 or QuickTime',
    ]);
    expect(sets[3].episodes[1]).toMatchObject({ index: 1, sources: [{ path: 'b.mp4' }] });
  });

  it('in one folder are one dataset', async () => {
    const root = mkdtempSync(join(folder, 'folders-'));
    for (const name of ['a.mp4', 'b.mp4']) await encodeVideo(join(root, name), 96, 64, scene, x264);
    const { sets } = await readEverything(root);
    expect(sets).toMatchObject([
      {
        path: '',
        evidence: ['2 video files; containers detected by first bytes: MP4 or QuickTime'],
        episodes: [{}, {}],
      },
    ]);
  });
});

const video = '../shared/data/video';
describe.skipIf(!existsSync(video))('real clips (needs ../shared/data/video)', () => {
  it('have their known numbers of frames', async () => {
    const { sets } = await readEverything(video);
    expect(sets.flatMap(({ unreadable }) => unreadable)).toEqual([]);
    const episodes = sets.flatMap((set) => set.episodes);
    const counts = episodes.map((episode) => [episode.id.split('/').at(-1), episode.streams[0].sample_count]);
    expect(Object.fromEntries(counts)).toEqual({
      'flipping_a_pancake.mkv': 310,
      'corrupted.mp4': 50,
      'unordered.mov': 4,
      'video_0.mov': 3,
      'video_180.mov': 3,
      'video_270.mov': 3,
      'video_90.mov': 3,
      'av1_video.mkv': 125,
      'bt709_full_range.mp4': 30,
      'h264_10bits.mp4': 30,
      'h265_10bits.mp4': 30,
      'h265_video.mp4': 10,
      'nasa_13013.mp4': 390,
    });
  });

  it('stamp the frames of the main of several video streams as its published list does', async () => {
    const list = join(video, 'torchcodec/test/resources/nasa_13013.mp4.stream3.all_frames_info.json');
    const { sets } = await readEverything(join(video, 'torchcodec'));
    const nasa = sets[0].episodes.find((episode) => episode.id.endsWith('nasa_13013.mp4'))!;
    const published = Object.values<{ pts_time: string }>(JSON.parse(readFileSync(list, 'utf8')));
    expect(stampsOf(nasa)).toEqual(published.map((frame) => expect.closeTo(Number(frame.pts_time), 5)));
    expect(nasa.duration_s).toBeCloseTo(13.013, 3);
  });
});
