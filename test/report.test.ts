import { readdirSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { usable } from '#test/support/set-verdicts';
import type { Episode, Stream } from '../src/core/episode/index.ts';
import { canonicalJson, seededRandom } from '../src/core/index.ts';
import {
  createReport,
  filmAssets,
  maxSketchSamples,
  type ReportFile,
  renderEpisode,
  reportAssets,
  sketchEpisode,
} from '../src/quality/report/index.ts';
import { loadClient } from './report-client.ts';
import { fixtureChecks, fixtureEpisode } from './report-fixture.ts';

const client = loadClient('shared.js', 'sketch.js', 'row-groups.js');

function stream(
  values: Float32Array | Float64Array,
  dims: number,
  time_s: Float64Array | null,
  id = 'state',
): Stream {
  return {
    id,
    role: 'state',
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
    declared_rate_hz: null,
    sample_count: values.length / dims,
    clocks: time_s === null ? [] : [{ name: 't', provenance: 'log', time_s }],
    clock: time_s === null ? null : { index: 0, reason: '' },
    series: { values, dims },
  };
}

function episodeOf(...streams: Stream[]): Episode {
  return { ...fixtureEpisode(0).episode, duration_s: 10, streams, events: [] };
}

function sketchOf(...streams: Stream[]) {
  return sketchEpisode(episodeOf(...streams), new Map());
}

/** Sample times of `count` samples over 10 s with some jitter, so that stamps are stored. */
function jittered(count: number): Float64Array {
  const random = seededRandom(5);
  return Float64Array.from({ length: count }, (_, i) => ((i + 0.3 * random.next()) * 10) / count);
}

const even = (count: number) => Float64Array.from({ length: count }, (_, i) => (i * 10) / count);

describe('a sketch', () => {
  it('keeps every sample of a short recording within a 4094th of its range', () => {
    const values = Float32Array.from({ length: 900 }, (_, i) => Math.sin(i / 20) * (1 + (i % 3)));
    const { axes, streams } = sketchOf(stream(values, 3, even(300)));
    const axis = client.readAxis(axes[0]);
    for (let d = 0; d < 3; d++) {
      const { low } = client.readColumn(streams[0].columns[d], axis);
      for (let i = 0; i < 300; i++)
        expect(Math.abs(low[i] - values[3 * i + d])).toBeLessThan((2.1 * (1 + d)) / 4094);
      expect(axis.first[299]).toBeCloseTo((299 * 10) / 300, 6);
    }
  });

  it.each([even, jittered])('never loses a spike of one sample, wherever it is', (times) => {
    const count = 40_000;
    const time = times(count);
    for (const where of [0, 1, 137, 20_001, 39_998, 39_999]) {
      const values = Float32Array.from({ length: count }, (_, i) => Math.sin(i / 900));
      values[where] = where % 2 === 0 ? 5 : -5;
      const { axes, streams } = sketchOf(stream(values, 1, time));
      const axis = client.readAxis(axes[0]);
      const { low, high } = client.readColumn(streams[0].columns[0], axis);
      const bucket = where % 2 === 0 ? high.indexOf(Math.max(...high)) : low.indexOf(Math.min(...low));
      expect(where % 2 === 0 ? high[bucket] : low[bucket]).toBeCloseTo(values[where], 2);
      expect(time[where]).toBeGreaterThanOrEqual(axis.first[bucket] - 1e-3);
      expect(time[where]).toBeLessThanOrEqual(axis.last[bucket] + 1e-3);
    }
  });

  it('keeps the bulk readable beside a value a million times greater, and keeps that value', () => {
    const values = Float64Array.from({ length: 300 }, (_, i) => Math.sin(i / 20));
    values[150] = 1e6;
    const { axes, streams } = sketchOf(stream(values, 1, even(300)));
    const column = client.readColumn(streams[0].columns[0], client.readAxis(axes[0]));
    expect(column.outliers).toEqual([{ bucket: 150, least: 1e6, greatest: 1e6 }]);
    expect(column.low[10]).toBeCloseTo(Math.sin(0.5), 2);
  });

  it('leaves out dimensions that are not in use, where NaN says so', () => {
    const values = Float32Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? i : Number.NaN));
    values[20] = Number.NaN;
    const motors = { ...stream(values, 4, even(10)), nan_means: 'the motor is stopped' };
    const { streams, omitted } = sketchOf(motors);
    expect(streams[0].columns.map(({ broken }) => broken)).toEqual([undefined, undefined]);
    expect(omitted).toEqual(['state: 2 of 4 dimensions']);
    expect(sketchOf(stream(values, 4, even(10))).streams[0].columns).toHaveLength(4);
  });

  it('is shown from a little before its start, unless something is marked earlier', () => {
    const kept = Float64Array.from([-40, 2, 8]);
    const sketch = sketchOf(stream(new Float32Array(3), 1, kept), stream(new Float32Array(10), 1, even(10)));
    const axes = sketch.axes.map((axis) => {
      const { first, last } = client.readAxis(axis);
      return { from: first[0], to: last[last.length - 1] };
    });
    expect(client.domainOf(10, axes, [])).toEqual({ from: -0.5, to: 10 });
    expect(client.domainOf(10, axes, [{ from_s: -8, to_s: -7 }]).from).toBe(-8);
  });

  it('says where numbers are missing, beside the numbers of the same bucket', () => {
    const values = Float32Array.from({ length: 6000 }, (_, i) => i % 7);
    values[3000] = Number.NaN;
    values[4500] = Number.POSITIVE_INFINITY;
    const { streams } = sketchOf(stream(values, 1, even(6000)));
    expect(streams[0].columns[0].broken).toEqual([150, 225]);
    const lone = sketchOf(stream(new Float32Array(10).fill(Number.NaN), 1, even(10)));
    expect(lone.streams[0].columns[0].broken).toHaveLength(10);
  });

  it('stores a constant as one number', () => {
    const { streams } = sketchOf(stream(new Float32Array(300).fill(1.5), 1, even(300)));
    expect(streams[0].columns[0]).toEqual({ low: 1.5, high: 1.5, codes: null });
  });

  it('shares one axis between streams with equal stamps and stores none where they are even', () => {
    const values = new Float32Array(300);
    const { axes, streams } = sketchOf(
      stream(values, 1, even(300), 'a'),
      stream(values, 1, even(300), 'b'),
      stream(values, 1, jittered(300), 'c'),
    );
    expect(axes).toHaveLength(2);
    expect(streams.map((each) => each.axis)).toEqual([0, 0, 1]);
    expect(axes[0].first).toBeNull();
    expect(axes[1].interval).not.toBeNull();
  });

  it('keeps a gap a gap: no bucket spans it', () => {
    const time = even(5000).map((t, i) => (i >= 2503 ? t + 3 : t));
    const { axes } = sketchOf(stream(new Float32Array(5000), 1, time));
    const { first, last, count } = client.readAxis(axes[0]);
    for (let b = 0; b < count; b++) expect(last[b] - first[b]).toBeLessThan(1);
    const longest = axes[0].interval;
    expect(longest?.high).toBeCloseTo(3.002, 2);
  });

  it('shows two swapped stamps as time that runs backwards', () => {
    const time = even(300);
    [time[100], time[101]] = [time[101], time[100]];
    const { axes } = sketchOf(stream(new Float32Array(300), 1, time));
    expect(axes[0].interval?.low).toBeCloseTo(-1 / 30, 4);
  });

  it('takes streams without a clock, without samples, and stamps that are no numbers', () => {
    const broken = even(300);
    broken[5] = Number.NaN;
    broken[6] = 1e300;
    const { axes, streams } = sketchOf(
      stream(new Float32Array(30), 1, null, 'a'),
      stream(new Float32Array(0), 1, new Float64Array(0), 'b'),
      stream(new Float32Array(300), 1, broken, 'c'),
    );
    expect(streams.map((each) => each.timed)).toEqual([false, true, true]);
    expect(axes.every((axis) => Number.isFinite(axis.from_s) && Number.isFinite(axis.to_s))).toBe(true);
    expect(() => canonicalJson(JSON.parse(JSON.stringify({ axes, streams })))).not.toThrow();
  });

  it('stays within 10 kB for 300 rows of 12 joints, and within its budget for wide episodes', () => {
    const random = seededRandom(1);
    const values = (dims: number) => Float32Array.from({ length: 300 * dims }, () => random.normal());
    const usual = sketchOf(stream(values(6), 6, even(300), 'a'), stream(values(6), 6, even(300), 'b'));
    expect(JSON.stringify(usual).length).toBeLessThan(10_000);
    const wide = sketchEpisode(episodeOf(stream(values(200), 200, even(300))), new Map(), {
      codes: maxSketchSamples(100_000),
    });
    expect(JSON.stringify(wide).length).toBeLessThan(60_000);
  });

  it('names what it left out of a very wide episode', () => {
    const { omitted, streams } = sketchOf(stream(new Float32Array(3000), 1500, even(2)));
    expect(streams[0].columns).toHaveLength(1024);
    expect(omitted).toEqual(['state: 476 of 1500 dimensions']);
  });
});

describe('a report', () => {
  const dataset = (episodes: number) => ({
    format: 'lerobot',
    episodes,
    unreadable: 0,
    settings: { name: 'default', hash: 'a1b2c3d4e5f6' } as const,
    decisions: { accept: episodes, review: 0, reject: 0 },
    usability: usable(episodes),
    findings: [],
    incomplete: [],
    parts: [],
  });

  function build(count: number, text = ''): ReportFile[] {
    const report = createReport({ title: `set ${text}`, checks: fixtureChecks });
    const files: ReportFile[] = [];
    for (let i = 0; i < count; i++) {
      const { episode, cameras, receipt } = fixtureEpisode(i, { text });
      files.push(
        ...report.add(renderEpisode(receipt, sketchEpisode(episode, cameras), `receipts/${i}.json`)),
      );
    }
    return [...files, ...report.finish(dataset(count))];
  }

  /** Runs a data file of the report and returns what it passes to the page. */
  function received(files: readonly ReportFile[], path: string): string[] {
    const content = files.find((file) => file.path === path)?.content ?? '';
    let items: string[] = [];
    const receive = (_slot: string, _part: number, given: string[], packing?: string) => {
      items = packing === undefined ? given : inflated(given[0]);
    };
    new Function('assay', content)({ receive });
    return items;
  }

  const inflated = (base64: string) => inflateRawSync(Buffer.from(base64, 'base64')).toString().split('\n');

  it('is the same byte for byte when made again', () => {
    expect(build(70)).toEqual(build(70));
  });

  it('hands out data files as they fill and the index last', () => {
    const report = createReport({ title: 'set', checks: fixtureChecks });
    const given: number[] = [];
    for (let i = 0; i < 130; i++) {
      const { episode, cameras, receipt } = fixtureEpisode(i);
      given.push(report.add(renderEpisode(receipt, sketchEpisode(episode, cameras), null)).length);
    }
    expect(given.flatMap((files, i) => (files > 0 ? [i] : []))).toEqual([63, 127]);
    const last = report.finish(dataset(130)).map((file) => file.path);
    expect(last).toEqual([
      'data/rows-0.js',
      'data/episodes-2.js',
      'data/dataset.js',
      'episode.html',
      'index.html',
    ]);
  });

  it('carries every receipt whole, in order, so that its seal can be computed again', () => {
    const text = `</script>'"\\ \u2028\u0000 <b>`;
    const files = build(66, text);
    const items = [...received(files, 'data/episodes-0.js'), ...received(files, 'data/episodes-1.js')];
    expect(items).toHaveLength(66);
    for (const [i, item] of items.entries())
      expect(JSON.parse(item).receipt).toEqual(fixtureEpisode(i, { text }).receipt);
  });

  it('does not let a member called __proto__ change what a receipt says', () => {
    const { receipt } = fixtureEpisode(0);
    const hostile = JSON.parse(JSON.stringify(receipt).replace('"worst":', '"__proto__":'));
    const report = createReport({ title: 'set', checks: fixtureChecks });
    const files = [...report.add(renderEpisode(hostile, null, null)), ...report.finish(dataset(1))];
    const [item] = received(files, 'data/episodes-0.js');
    expect(item).toContain('"__proto__":');
    expect(Object.keys(JSON.parse(item).receipt.checks[0].inputs)).toContain('__proto__');
  });

  it('escapes the title in its pages and allows no inline script', () => {
    const pages = build(1, '</title><script>alert(1)</script>').filter((file) => file.path.endsWith('.html'));
    expect(pages).toHaveLength(2);
    for (const { content } of pages) {
      expect(content).not.toContain('<script>');
      expect(content).toContain('&lt;/title&gt;&lt;script&gt;');
      expect(content).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'self'/);
      expect(content).not.toMatch(/https?:\/\//);
    }
  });

  it('names every file of the client as an asset, and every script of its pages is an asset or data', () => {
    const folder = readdirSync('src/quality/report/client', { recursive: true, withFileTypes: true }).flatMap(
      (entry) => (entry.isFile() ? [entry.name] : []),
    );
    const all = [...reportAssets, ...filmAssets].map(({ path }) => path.replace('assets/', ''));
    expect(all.sort()).toEqual(folder.sort());
    const known = new Set(reportAssets.map(({ path }) => path));
    for (const { path, content } of build(1).filter((file) => file.path.endsWith('.html'))) {
      for (const [, src] of content.matchAll(/(?:src|href)="([^"]+)"/g)) {
        expect(known.has(src) || /^(data\/|(index|episode)\.html)/.test(src), `${path} asks for ${src}`).toBe(
          true,
        );
      }
    }
  });

  it('computes the seal in the browser as the engine does', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 200; i++) {
      const value = {
        b: random.normal() * 10 ** random.integer(-20, 20),
        a: [null, true, 'é\u2028"\\', -0, 1e21],
        [`k${random.integer(0, 99)}`]: { '\ud83d\ude00': 1, '\ufb33': 2, z: i },
      };
      expect(client.canonicalJson(value)).toBe(canonicalJson(value));
    }
  });
});
