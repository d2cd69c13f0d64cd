import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError, type JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { Frames, Stream } from '#core/episode';
import { mediaTime_ms } from '#io/processes';
import { type LaneContext, type LaneOutput, type LayerRow, layerOf, mainPart } from '#labels/annotation';
import { ModelHost } from '#labels/models';
import { episodeOf, numbers } from '#test/annotation/known-motion';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { channelMeans } from '#test/support/onnx-model';
import type { EpisodeInput } from './episode-inputs.ts';
import { LaneResources } from './lane-resources.ts';
import { type DueLane, type LaneResult, runLanes } from './run-lanes.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-run-lanes-'));
const host = new ModelHost();
const resources = new LaneResources(host.socket);
const [width, height, count] = [64, 48, 60];

beforeAll(async () => {
  for (const [at, name] of ['left.mp4', 'right.mp4'].entries()) {
    const frames = Array.from({ length: count }, (_, i) =>
      new Uint8Array((width * height * 3) / 2).fill(128).fill(40 + 60 * at + i, 0, width * height),
    );
    await encodeVideo(join(folder, name), width, height, frames, x264);
  }
  writeFileSync(join(folder, 'means.onnx'), channelMeans());
}, 60_000);
afterAll(async () => {
  await resources.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const times = Float64Array.from({ length: count }, (_, i) => i / 30);
const camera = (id: string): Stream => {
  const { series: _, ...rest } = numbers(id, 'camera', { values: new Float64Array(0), dims: 1 }, times);
  return { ...rest, modality: 'video', sample_count: count };
};
const framesOf = (path: string): Frames => ({
  locator: { type: 'video', path, from_s: 0, to_s: null, expected_frames: null },
  declared_size_px: null,
  declared_codec: null,
});

function inputOf(files: readonly string[], stored: Record<string, JsonObject> = {}): EpisodeInput {
  const streams = files.map((file) => camera(file));
  return {
    episode: episodeOf(streams, 'egocentric', 2),
    facts: { episode: 'one' },
    recording: () => ({
      recordings: { kind: 'folder', path: folder },
      ...{ dataset_path: '', recognised: {} as never, index: 0, start_ns: null, file_sizes: new Map() },
      cameras: streams.map((stream) => ({ stream, frames: framesOf(stream.id) })),
      depths: [],
    }),
    stored: {},
    output: async (layer) => stored[layer] ?? null,
  };
}

type Run = (context: LaneContext) => Promise<JsonObject>;
const outputOf = (json: JsonObject): LaneOutput => ({
  parts: [{ name: mainPart, media_type: 'application/json', json }],
  ...{ counts: {}, quality: null, quality_reason: 'none' },
});

/** A lane in the place of a layer that this version has none for. */
function lane(id: LayerId, needs: Partial<LayerRow['needs']>, run: Run): DueLane {
  const own = { signals: false, frames: null, layers: [], models: [], ...needs };
  const row: LayerRow = {
    ...layerOf(id),
    ...{ unfit: {}, needs: own, knobs: {} },
    lane: { version: 1, run: async (_, context) => outputOf(await run(context)) },
  };
  return { row, config: {}, models: {} };
}

const frames = (rate_hz: number, longest_side_px: number, cameras: 'all' | 'first' = 'all') => ({
  frames: () => ({ cameras, rate_hz, longest_side_px }),
});

/** What it sees, frame by frame. */
const seeing: Run = async (context) => {
  const seen: JsonObject[] = [];
  for await (const batch of context.frames())
    for (const { camera: of, row, width_px, rgb } of batch.frames)
      seen.push({ of, row, width_px, level: rgb[0] });
  return { seen };
};

async function run(
  due: readonly DueLane[],
  input = inputOf(['left.mp4', 'right.mp4']),
): Promise<LaneResult[]> {
  const tools = { resources, signal: new AbortController().signal, progress: () => {} };
  const results: LaneResult[] = [];
  for await (const result of runLanes(due, input, tools)) results.push(result);
  return results;
}

const told = ({ outcome: what }: LaneResult): JsonObject => {
  if ('thrown' in what) throw what.thrown;
  return what.output.parts[0].json;
};
const codeOf = ({ outcome: what }: LaneResult): unknown =>
  'thrown' in what ? ((what.thrown as AssayError).code ?? String(what.thrown)) : 'told';

describe('lanes that look at frames', () => {
  it('are each given their own, the same whether they run together or alone', async () => {
    const due = [
      lane('depth', frames(30, 1000), seeing),
      lane('optical_flow', frames(5, 32), seeing),
      lane('hand_pose', frames(1, 16, 'first'), seeing),
    ];
    const together = (await run(due)).map(told);
    const alone = [];
    for (const one of due) alone.push(told((await run([one]))[0]));
    expect(together).toEqual(alone);
    expect((together[0].seen as unknown[]).length).toBe(2 * count);
    const [{ seen }] = [together[2] as unknown as { seen: { of: string; width_px: number }[] }];
    expect(new Set(seen.map(({ of, width_px }) => `${of} ${width_px}`))).toEqual(new Set(['left.mp4 16']));
  });

  it('may stop early, throw or ask for nothing, and the others go on', async () => {
    const results = await run([
      lane('depth', frames(30, 1000), async (context) => {
        for await (const _ of context.frames()) break;
        return { stopped: true };
      }),
      lane('optical_flow', frames(30, 1000), async (context) => {
        for await (const _ of context.frames()) throw new AssayError('unreadable_input', 'not mine');
        return {};
      }),
      lane('body_pose', frames(30, 1000), async () => ({ asked: false })),
      lane('hand_pose', frames(30, 1000), seeing),
    ]);
    expect(results.map(codeOf)).toEqual(['told', 'unreadable_input', 'told', 'told']);
    expect((told(results[3]).seen as unknown[]).length).toBe(2 * count);
    for (const { compute_ms: own_ms } of results) expect(own_ms).toBeGreaterThan(0);
  });

  it('are charged for computing and a share of the decoding, not for waiting', async () => {
    const wait_ms = 2000;
    const from_ms = mediaTime_ms();
    const results = await run([
      lane('depth', frames(30, 1000), async (context) => {
        await new Promise((resolve) => setTimeout(resolve, wait_ms));
        return seeing(context);
      }),
      lane('hand_pose', frames(30, 1000), async () => ({ asked: false })),
    ]);
    const decoding_ms = mediaTime_ms() - from_ms;
    expect(decoding_ms).toBeGreaterThan(0);
    for (const { compute_ms } of results) {
      expect(compute_ms).toBeGreaterThanOrEqual(decoding_ms / 2);
      expect(compute_ms).toBeLessThan(wait_ms);
    }
  });

  it('may ask, once they have seen enough, for what another lane of the same decoding says', async () => {
    const asks = (id: LayerId, of: LayerId, early: boolean) =>
      lane(id, { ...frames(5, 32), layers_after_frames: [of] }, async (context) => {
        let seen = 0;
        for await (const batch of context.frames()) {
          seen += batch.frames.length;
          if (early) break;
        }
        return { seen, other: await context.output(of) };
      });
    const results = await run([
      asks('metadata', 'depth', false),
      asks('segments', 'depth', true),
      asks('captions', 'body_pose', false),
      lane('depth', frames(30, 1000), seeing),
      lane('body_pose', frames(30, 1000), async () => {
        throw new AssayError('unreadable_input', 'not mine');
      }),
    ]);
    const [metadata, segments, captions, depth] = results;
    expect(told(metadata).other).toEqual(told(depth));
    expect(told(segments).other).toEqual(told(depth));
    expect(told(captions).other).toBeNull();
    expect(codeOf(results[4])).toBe('unreadable_input');
  });

  it('that can do without frames go on where the pictures are gone', async () => {
    const input = { ...inputOf(['left.mp4']), recording: () => inputOf(['gone.mp4']).recording() };
    const asking: Run = async (context) => {
      const heard: JsonObject[] = [];
      for await (const { frames: own, unreadable } of context.frames())
        heard.push({ own: own.length, unreadable });
      return { heard };
    };
    const [optional, strict] = await run(
      [
        lane('metadata', { ...frames(1, 16), frames_optional: true }, asking),
        lane('depth', frames(1, 16), asking),
      ],
      input,
    );
    expect(told(optional).heard).toEqual([{ own: 0, unreadable: expect.stringContaining('gone.mp4') }]);
    expect(codeOf(strict)).toBe('not_found');
  });

  it('hear why nothing of a camera can be decoded, and see the others', async () => {
    writeFileSync(join(folder, 'text.mp4'), 'no video at all, but a text');
    const [result] = await run(
      [
        lane('depth', frames(1, 16), async (context) => {
          const heard: JsonObject[] = [];
          for await (const { camera: of, unreadable, frames: own } of context.frames())
            heard.push({ of, unreadable, frames: own.length });
          return { heard };
        }),
      ],
      inputOf(['text.mp4', 'left.mp4']),
    );
    expect(told(result).heard).toEqual([
      { of: 'text.mp4', unreadable: expect.stringContaining('is text'), frames: 0 },
      { of: 'left.mp4', unreadable: null, frames: 2 },
    ]);
  });

  it('fail with the reason where the recording is gone', async () => {
    const results = await run([lane('depth', frames(1, 16), seeing)], inputOf(['gone.mp4']));
    expect(results.map(codeOf)).toEqual(['not_found']);
  });

  it('that declare none get none', async () => {
    const [result] = await run([lane('depth', {}, seeing)]);
    expect(result.outcome).toMatchObject({ thrown: { message: 'the layer declares no frames' } });
  });
});

describe('a lane', () => {
  it('runs the model of a surface that it declares', async () => {
    const ref = {
      model: 'test/means',
      runtime: 'onnx',
      graphs: { main: join(folder, 'means.onnx') },
    } as const;
    const due = lane(
      'depth',
      { ...frames(1, 8, 'first'), models: [{ surface: 'depth' }, { surface: 'masks' }] },
      async (context) => {
        const session = (await context.model('depth'))!;
        const means: number[] = [];
        for await (const batch of context.frames())
          for (const { width_px, height_px, rgb } of batch.frames) {
            const data = new Float32Array(rgb.length);
            for (let i = 0; i < rgb.length; i++)
              data[(i % 3) * width_px * height_px + Math.floor(i / 3)] = rgb[i];
            const dims = [1, 3, height_px, width_px];
            const outputs = await session.run({ pixels: { type: 'float32', dims, data } });
            means.push(Math.round(Number(outputs.means.data[0])));
          }
        return { means, masks: (await context.model('masks')) as null, model: session.model };
      },
    );
    const [result] = await run([{ ...due, models: { depth: ref } }]);
    const { means, masks, model } = told(result) as { means: number[]; masks: null; model: string };
    expect(model).toBe('test/means');
    expect(masks).toBeNull();
    expect(means).toHaveLength(2);
    expect(means[1]).toBeGreaterThan(means[0]);
    const undeclared = lane('depth', {}, async (context) => ({
      got: (await context.model('depth')) as null,
    }));
    expect((await run([undeclared])).map(codeOf)).toEqual(['internal']);
  });

  it('is given what other layers say: of this run where they are part of it, else as it is stored', async () => {
    const asks: Run = async ({ output }) => ({
      segments: await output('segments'),
      captions: await output('captions'),
      tracks: await output('tracks'),
    });
    const due = [
      lane('dense_text', { layers: ['segments', 'captions', 'tracks'] }, asks),
      lane('segments', {}, async () => ({ made: 'now' })),
    ];
    const stored = inputOf([], { segments: { made: 'before' }, captions: { made: 'before' } });
    const [segments, text] = await run(due, stored);
    expect(told(segments)).toEqual({ made: 'now' });
    expect(told(text)).toEqual({ segments: { made: 'now' }, captions: { made: 'before' }, tracks: null });
    const [alone] = await run([due[0]], stored);
    const hashes = [text, alone].map(({ outcome: what }) => ('input_hash' in what ? what.input_hash : null));
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});
