import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import { type Episode, type Stream, unknownOutcome } from '#core/episode';
import type { Unreadable } from '../shared/reader.ts';
import { planBridges } from './bridge-plan.ts';
import { cutEpisode } from './cut-episode.ts';
import { parseRecipe, type Recipe } from './recipe.ts';

const recipe = (text: string): Recipe => parseRecipe(`assay_recipe: 1\n${text}`, 'recipe.yaml');

function numeric(id: string, times: readonly number[], values: readonly number[] = times): Stream {
  const clocks = [
    { name: 'log_time', provenance: 'log' as const, time_s: Float64Array.from(times) },
    {
      name: 'header',
      provenance: 'header' as const,
      time_s: Float64Array.from(times, (time) => time - 0.01),
    },
  ];
  return {
    id,
    role: 'state',
    modality: 'numeric',
    shape: [1],
    names: ['a'],
    unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
    declared_rate_hz: null,
    sample_count: times.length,
    clocks,
    clock: { index: 0, reason: '' },
    series: { values: Float64Array.from(values), dims: 1 },
  };
}

function episode(streams: readonly Stream[], rest: Partial<Episode> = {}): Episode {
  return {
    id: 'rec',
    index: 3,
    locator: { format: 'mcap', path: 'rec.mcap' },
    sources: [],
    start_ns: '1700000000000000000',
    duration_s: 10,
    streams,
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
    ...rest,
  };
}

const tenHz = Array.from({ length: 101 }, (_, at) => at / 10);
const isWhole = (item: Episode | Unreadable): item is Episode => !('unreadable' in item);
const cut = (recording: Episode, text: string) => [...cutEpisode(recording, recipe(text))].filter(isWhole);
const spans = (parts: readonly Episode[]) => parts.map((part) => [part.cut?.from_s, part.cut?.to_s]);
const codes = (part: Episode) => part.findings.map(({ code }) => code);

describe('a recipe', () => {
  it('that asks for nothing keeps the recording whole, and says by what recipe', () => {
    const [part, ...more] = cut(episode([numeric('a', tenHz)]), '');
    expect(more).toEqual([]);
    expect(part).toMatchObject({ id: 'rec', cut: { part: 1, recipe: { split: { by: 'whole' } } } });
    expect(part.streams[0].series?.values).toHaveLength(101);
  });

  it('cuts while a value holds, and says what lies between', () => {
    const armed = tenHz.map((time) => ((time >= 2 && time < 4) || time >= 7 ? 1 : 0));
    const parts = cut(
      episode([numeric('arm', tenHz, armed), numeric('q', tenHz)]),
      'split: {by: value, stream: arm, dimension: a, equals: 1}',
    );
    expect(spans(parts)).toEqual([
      [2, 4],
      [7, 10],
    ]);
    expect(parts.map(({ id, index }) => [id, index])).toEqual([
      ['rec#0001', 3],
      ['rec#0002', 3],
    ]);
    expect(parts.map(({ streams }) => streams[1].series?.values[0])).toEqual([2, 7]);
    expect(parts.map(({ streams }) => streams[1].sample_count)).toEqual([20, 31]);
    expect(parts[0].cut).toMatchObject({ begins: 'value', ends: 'value' });
    expect(parts[1].cut).toMatchObject({ begins: 'value', ends: 'recording' });
    expect(parts[1].findings).toMatchObject([{ code: 'recipe_left_out', evidence: { from_s: 4, to_s: 7 } }]);
  });

  it('moves every clock, the start, events and dropouts, and locates the part in the recording', () => {
    const [, part] = cut(
      episode([numeric('q', tenHz)], {
        events: [
          { time_s: 1, label: 'x', source: '' },
          { time_s: 6, label: 'y', source: '' },
        ],
        dropouts: [{ time_s: 7, duration_s: 1, lost: null }],
      }),
      'split: {by: window, length_s: 5}',
    );
    expect(part.start_ns).toBe('1700000005000000000');
    expect(part.streams[0].clocks.map(({ time_s }) => Number(time_s[0].toFixed(9)))).toEqual([0, -0.01]);
    expect(part.events).toEqual([{ time_s: 1, label: 'y', source: '' }]);
    expect(part.dropouts).toEqual([{ time_s: 2, duration_s: 1, lost: null }]);
    expect(part.locator.span).toMatchObject({ unit: 's', from: 5 });
    expect(part.duration_s).toBeCloseTo(5, 6);
  });

  it.each([
    ['rising', [3, 8]],
    ['falling', [5]],
    ['both', [3, 5, 8]],
  ])('begins an episode at every %s edge', (edge, begins) => {
    const values = tenHz.map((time) => ((time >= 3 && time < 5) || time >= 8 ? 1 : 0));
    const parts = cut(episode([numeric('e', tenHz, values)]), `split: {by: edge, stream: e, edge: ${edge}}`);
    expect(parts.map((part) => part.cut?.from_s)).toEqual(begins);
    expect(codes(parts[0])).toEqual(['recipe_left_out']);
  });

  it('cuts at messages and events, to the next or to their end', () => {
    const streams = [numeric('q', tenHz), numeric('/start', [1, 4, 5]), numeric('/stop', [0.5, 2, 8])];
    expect(spans(cut(episode(streams), 'split: {by: message, stream: /start, end_stream: /stop}'))).toEqual([
      [1, 2],
      [4, 5],
      [5, 8],
    ]);
    const events = [1, 6].map((time_s) => ({ time_s, label: 'go', source: '' }));
    expect(spans(cut(episode(streams, { events }), 'split: {by: event, label: go}'))).toEqual([
      [1, 6],
      [6, 10],
    ]);
  });

  it('cuts at gaps that all streams share, and only at those', () => {
    const [a, b] = [
      tenHz.filter((time) => time < 3 || time > 6),
      tenHz.filter((time) => time < 4 || time > 7),
    ];
    const parts = cut(episode([numeric('a', a), numeric('b', b)]), 'split: {by: gap, longer_than_s: 1}');
    expect(spans(parts)).toEqual([
      [0, 3.9],
      [6.1, 10],
    ]);
    expect(
      cut(episode([numeric('a', a), numeric('b', b)]), 'split: {by: gap, longer_than_s: 3}'),
    ).toHaveLength(1);
    const ofA = 'split: {by: gap, longer_than_s: 3, streams: [a]}';
    expect(spans(cut(episode([numeric('a', a), numeric('b', b)]), ofA))[1]).toEqual([6.1, 10]);
  });

  it('drops what is too short and says so; cuts what is too long into even chunks that overlap', () => {
    const values = tenHz.map((time) => (time < 0.5 || time >= 1 ? 1 : 0));
    const parts = cut(
      episode([numeric('e', tenHz, values)]),
      'split: {by: value, stream: e, above: 0.5}\nmin_length_s: 1\nmax_length_s: 4\noverlap_s: 1',
    );
    expect(spans(parts).map(([from, to]) => [Number(from?.toFixed(6)), Number(to?.toFixed(6))])).toEqual([
      [1, 4.666667],
      [3.666667, 7.333333],
      [6.333333, 10],
    ]);
    expect(parts[0].findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('shorter than min_length_s of the recipe, 1 s'),
      expect.stringContaining('not in any episode'),
    ]);
  });

  it('keeps pictures where they are: locators of what belongs to the part', () => {
    const camera = (id: string, frames: NonNullable<Stream['frames']>, rate: number | null): Stream => {
      const { series: _, ...rest } = numeric(id, tenHz);
      return { ...rest, role: 'camera', modality: 'video', declared_rate_hz: rate, frames };
    };
    const nothing = { declared_size_px: null, declared_codec: null };
    const video = { type: 'video', path: 'v.mp4', from_s: 100, to_s: 110.1, expected_frames: 101 } as const;
    const picture = (index: number) => ({ index, time_s: index / 10, bytes: new Uint8Array(1) });
    const recording = episode([
      camera('span', { ...nothing, locator: video }, 10),
      camera('raw', { ...nothing, locator: { ...video, unstamped: true } }, 10),
      camera(
        'files',
        { ...nothing, locator: { type: 'image-files', paths: tenHz.map((t) => `${t}.png`) } },
        null,
      ),
      camera(
        'embedded',
        {
          ...nothing,
          locator: { type: 'embedded', path: 'rec.mcap', channel: '/cam', encoding: 'jpeg' },
          payloads: { crc32: Uint32Array.from(tenHz, (_, at) => at), bytes: new Uint32Array(101) },
          kept: [picture(10), picture(60)],
        },
        null,
      ),
    ]);
    const [, part] = cut(recording, 'split: {by: window, length_s: 5}');
    const [span, raw, files, embedded] = part.streams.map(({ frames }) => frames);
    expect(span?.locator).toEqual({ ...video, from_s: 105, to_s: 110.1, expected_frames: 51 });
    expect(raw?.locator).toMatchObject({ type: 'missing' });
    expect(files?.locator).toMatchObject({ paths: expect.arrayContaining(['5.png', '10.png']) });
    expect(embedded?.payloads?.crc32[0]).toBe(50);
    expect(embedded?.kept).toMatchObject([{ index: 10, time_s: 1 }]);
  });

  it('that cannot be followed keeps the recording whole and says why', () => {
    const [part] = cut(episode([numeric('q', tenHz)]), 'split: {by: edge, stream: /enable}');
    expect(part.id).toBe('rec');
    expect(part.findings[0]).toMatchObject({ code: 'recipe_not_followed', severity: 'warning' });
    expect(part.findings[0].message).toContain('no stream /enable; available streams: q');
  });

  it('that finds no episode gives a finding in its place', () => {
    const [none] = [
      ...cutEpisode(episode([numeric('q', tenHz)]), recipe('split: {by: value, stream: q, above: 99}')),
    ];
    expect(none).toMatchObject({ unreadable: true, finding: { code: 'recipe_leaves_nothing' } });
  });

  it('leaves out a stream without a clock, and an outcome that may be of another part', () => {
    const timeless: Stream = { ...numeric('label', []), clocks: [], clock: null };
    const outcome = { value: 'success', evidence: 'declared', reason: '' } as const;
    const parts = cut(
      episode([numeric('q', tenHz), timeless], { outcome }),
      'split: {by: window, length_s: 5}',
    );
    expect(parts[0].streams.map(({ id }) => id)).toEqual(['q']);
    expect(codes(parts[0])).toContain('recipe_stream_uncut');
    expect(parts[0].outcome.value).toBe('unknown');
  });

  it('loses and doubles no row, however the stamps run', () => {
    const stamps = fc.array(fc.double({ min: -50, max: 50, noNaN: false }), { minLength: 2, maxLength: 60 });
    const rule = fc.oneof(
      fc
        .double({ min: 0.5, max: 40, noNaN: true })
        .map((length) => `split: {by: window, length_s: ${length}}`),
      fc.double({ min: 0.5, max: 40, noNaN: true }).map((gap) => `split: {by: gap, longer_than_s: ${gap}}`),
      fc.double({ min: 0.5, max: 40, noNaN: true }).map((length) => `max_length_s: ${length}`),
    );
    fc.assert(
      fc.property(stamps, stamps, rule, (a, b, text) => {
        const parts = cut(episode([numeric('a', a), numeric('b', b)], { start_ns: null }), text);
        for (const [at, stamps] of [a, b].entries()) {
          if (!stamps.some(Number.isFinite)) continue;
          const rows = parts.flatMap(({ streams }) => [...(streams[at].series?.values ?? [])]);
          // Before the first stamp nobody knows when a row was.
          const first = stamps.findIndex(Number.isFinite);
          const known = rows.length === stamps.length ? stamps : stamps.slice(first);
          expect(rows).toEqual(known);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const recipeHash = (made: Recipe) => sha256(canonicalJson(made));

describe('writing a recipe', () => {
  it('is the same recipe with defaults written out or not, in YAML or JSON', () => {
    const plain = recipe('split: {by: edge, stream: /e}');
    const full = parseRecipe(
      '{"assay_recipe":1,"overlap_s":0,"min_length_s":0,"split":{"threshold":0.5,"edge":"rising","dimension":0,"stream":"/e","by":"edge"}}',
      'recipe.json',
    );
    expect(recipeHash(full)).toBe(recipeHash(plain));
    expect(recipeHash(recipe('split: {by: edge, stream: /e, threshold: 0.6}'))).not.toBe(recipeHash(plain));
  });

  it.each([
    ['split: {by: edges, stream: a}', 'line 2, split'],
    ['split: {by: value, stream: a}', 'above, below or equals'],
    ['split: {by: window, length_s: 1, overlap_s: 1}', 'line 2, split.overlap_s'],
    ['max_length_s: 5\noverlap_s: 5', 'line 3, overlap_s'],
    ['min_length_s: -1', 'line 2, min_length_s'],
    ['minimum: 3', 'line 2, minimum: unknown setting'],
    ['overlap_s: 2', 'requires max_length_s'],
  ])('refuses %s and names the place', (text, said) => {
    expect(() => recipe(text)).toThrow(expect.objectContaining({ code: 'invalid_settings' }));
    expect(() => recipe(text)).toThrow(said);
  });
});

describe('a bridge plan', () => {
  const chunk = (id: string, from_s: number, to_s: number, streams = ['a', 'b']) => ({
    ...{ id, recording: 'rec', from_s, to_s, begins: 'window', ends: 'window', streams },
  });

  it('joins parts that their reader cut for want of memory, which go on with the next record', () => {
    const parts = [{ ...chunk('1', 0, 5), ends: 'memory' }, chunk('2', 5.02, 9)];
    expect(planBridges(parts)[0].bridges[0]).toMatchObject({ join: 'contiguous', duration_s: 0 });
  });

  it('says how neighbours join, and nothing of recordings that are whole', () => {
    const plan = planBridges([
      chunk('1', 0, 5),
      chunk('2', 4, 9, ['b', 'c']),
      chunk('3', 9.0000000005, 12),
      chunk('4', 15, 20),
      { ...chunk('x', 0, 5), recording: 'other' },
    ]);
    expect(plan).toHaveLength(1);
    expect(plan[0].bridges.map(({ join, duration_s, at_s }) => [join, duration_s, at_s])).toEqual([
      ['overlap', 1, 4],
      ['contiguous', 0, 9.0000000005],
      ['gap', 3, 15],
    ]);
    expect(plan[0].bridges[0]).toMatchObject({
      shared_streams: ['b'],
      only_before: ['a'],
      only_after: ['c'],
    });
  });
});
