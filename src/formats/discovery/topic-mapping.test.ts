import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { readEverything } from '#test/support/read-dataset';
import { checkMapping, proposeMapping } from './map-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-topics-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ten times a second a planned path of three points, and a state in a message of the lab's own. */
async function writeRecording(rows = 30): Promise<void> {
  const messages = Array.from({ length: rows }, (_, i) => [
    {
      channel: 0,
      log_ns: BigInt(i) * 100_000_000n,
      data: json({
        trajectory: [{ points: [0, 1, 2].map((point) => ({ positions: [i + point, 10 - i], time: point })) }],
      }),
    },
    {
      channel: 1,
      log_ns: BigInt(i) * 100_000_000n,
      data: json({ unit: { values: [i, 2 * i, 3 * i], id: 7 } }),
    },
  ]).flat();
  const channels = [jsonChannel('/display_planned_path'), jsonChannel('/unit/values')];
  writeFileSync(join(folder, 'a.mcap'), await mcapBytes({ channels, messages }));
}

const write = (text: string) => writeFileSync(join(folder, 'assay.map.yaml'), text);
const first = async () => (await readEverything(folder)).sets[0].episodes[0];

const streams = `assay_map: 1
streams:
  - { id: plan, topic: /display_planned_path, role: action, columns: ["trajectory[0].points[0].positions"], names: [a, b], unit: rad }
  - { id: values, topic: /unit/values, role: state, columns: [unit.values] }
`;

describe('a mapping of topics', () => {
  it('gives topics a role, names and a unit, and is a source of the episode', async () => {
    await writeRecording();
    write(streams);
    const episode = await first();
    const [plan, values] = ['plan', 'values'].map((id) => episode.streams.find((stream) => stream.id === id));
    expect(plan).toMatchObject({
      role: 'action',
      names: ['a', 'b'],
      shape: [2],
      unit: { unit: 'rad', evidence: 'declared' },
    });
    expect([...(plan?.series?.values ?? [])].slice(0, 4)).toEqual([0, 10, 1, 9]);
    expect(values).toMatchObject({ role: 'state', shape: [3], sample_count: 30, unit: { unit: 'unknown' } });
    expect(episode.sources.map(({ path, role }) => [path, role])).toEqual([
      ['a.mcap', 'data'],
      ['assay.map.yaml', 'metadata'],
    ]);
    expect(episode.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('takes the last element or all elements of a list', async () => {
    await writeRecording();
    write(streams.replaceAll('[0]', '[-1]'));
    expect(
      [...((await first()).streams.find(({ id }) => id === 'plan')?.series?.values ?? [])].slice(0, 4),
    ).toEqual([2, 10, 3, 9]);
    write(streams.replaceAll('[0]', '[*]').replace('names: [a, b], ', ''));
    expect((await first()).streams.find(({ id }) => id === 'plan')?.shape).toEqual([6]);
  });

  it('names the nearest field and topic for what a recording lacks', async () => {
    await writeRecording();
    write(
      streams
        .replace('unit.values', 'unit.valuez')
        .replace('topic: /display_planned_path', 'topic: /display_planed_path'),
    );
    const { findings } = await first();
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'column_missing', evidence: { column: 'unit.valuez', nearest: 'unit.values' } },
      { code: 'topic_missing', evidence: { nearest: '/display_planned_path' } },
    ]);
    const { ok, streams: checked } = await checkMapping(folder, {});
    expect(ok).toBe(false);
    expect(checked.map(({ episodes }) => episodes)).toEqual([0, 0]);
  });

  it('is checked with shapes, rows and rates', async () => {
    await writeRecording();
    write(streams);
    const { ok, recordings, streams: checked, findings } = await checkMapping(folder, {});
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect({ ok, recordings }).toEqual({ ok: true, recordings: 1 });
    expect(checked).toMatchObject([
      { id: 'plan', unit: 'rad', shapes: [{ shape: [2] }], rows: { median: 30 }, rate_hz: { median: 10 } },
      { id: 'values', unit: null, shapes: [{ shape: [3] }] },
    ]);
  });

  it('is proposed for topics without a role', async () => {
    await writeRecording();
    const { text, checks } = await proposeMapping(folder);
    expect(text).toContain('topic: "/unit/values"');
    expect(text).toContain('columns: ["unit.values"]');
    expect(text).toContain('columns: ["trajectory[0].points[0].positions"]');
    expect(checks).toBeGreaterThan(2);
    write(text);
    expect((await first()).streams.find(({ id }) => id === '/unit/values')).toMatchObject({ shape: [3] });
  });

  it('that is invalid is refused with its lines', async () => {
    await writeRecording();
    write(streams.replace('role: state', 'role: sate'));
    await expect(readEverything(folder)).rejects.toThrow(/streams/);
  });
});
