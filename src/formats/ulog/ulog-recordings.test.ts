import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { readEverything } from '#test/support/read-dataset';

const shared = join(import.meta.dirname, '../../../../shared/data/ulog');
const pyulog = join(shared, 'pyulog/test');

async function read(path: string): Promise<Episode> {
  const { sets } = await readEverything(join(shared, path));
  expect(sets[0].unreadable).toEqual([]);
  return sets[0].episodes[0];
}

/** Data messages by topic, as ulog_info of pyulog counts them: `vehicle_attitude (0, 36)   6461  232596`. */
function countsIn(path: string): Map<string, number> {
  const rows = readFileSync(join(pyulog, path), 'utf8').matchAll(/^ (\w+) \((\d+), \d+\)\s+(\d+)\s+\d+$/gm);
  return new Map(
    [...rows].map(([, topic, instance, count]) => [
      instance === '0' ? topic : `${topic}[${instance}]`,
      Number(count),
    ]),
  );
}

function countsOf(episode: Episode): Map<string, number> {
  return new Map(episode.streams.map(({ id, sample_count }) => [id.split('.')[0], sample_count]));
}

function untimed(episode: Episode): number {
  const finding = episode.findings.find(({ code }) => code === 'samples_without_time');
  return Number(finding?.evidence?.left_out ?? 0);
}

/** Texts as ulog_messages of pyulog prints them: `0:02:38 ERROR: [sensors] …`. */
function textsIn(path: string): string[] {
  const text = readFileSync(join(pyulog, path), 'utf8');
  return [...text.matchAll(/^\d+:\d\d:\d\d (.*)$/gm)].map(([, said]) =>
    said
      .replaceAll(/\[\d+m/g, '')
      .replaceAll('\x1b', '')
      .trim(),
  );
}

describe.skipIf(!existsSync(shared))('the PX4 logs in shared/data (skipped where they are absent)', () => {
  it('hold in sample.ulg 64,542 messages in 15 topics', async () => {
    const episode = await read('pyulog/test/sample.ulg');
    const counts = countsOf(episode);
    const declared = countsIn('sample_info.txt');
    expect([...counts.keys()].sort()).toEqual([...declared.keys()].sort());
    expect(declared.size).toBe(15);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(64_542);
    expect(episode.duration_s).toBeCloseTo(68.99, 1);
    expect(episode.robot).toBe('PX4 AUAV_X21');
  });

  it('hold in sample_appended_multiple.ulg the messages of all appended parts', async () => {
    const episode = await read('pyulog/test/sample_appended_multiple.ulg');
    const declared = countsIn('sample_appended_multiple_info.txt');
    const total = (counts: Map<string, number>) =>
      [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(declared.size).toBeGreaterThan(15);
    expect(total(countsOf(episode)) + untimed(episode)).toBe(total(declared));
  });

  it.each([
    ['sample', [26, 31, 62, 0]],
    ['sample_log_small', [30]],
  ])('say in %s which dropouts the recorder had', async (name, expected_ms) => {
    const { dropouts = [], findings } = await read(`pyulog/test/${name}.ulg`);
    const found_ms = dropouts.map(({ duration_s }) => Math.round((duration_s ?? 0) * 1e3));
    expect(found_ms.toSorted()).toEqual(expected_ms.toSorted());
    expect(findings.find(({ code }) => code === 'recorder_dropouts')?.evidence).toEqual({
      count: expected_ms.length,
      total_ms: expected_ms.reduce((sum, ms) => sum + ms, 0),
      longest_ms: Math.max(...expected_ms),
    });
  });

  // What is missing is printed from the `event` topic, by the compressed texts of its metadata, which are not read.
  it.each([
    ['sample', 4, 4],
    ['sample_log_small', 3, 3],
    ['sample_appended_multiple', 1, 1],
    ['sample_logging_tagged_and_default_params', 3, 4],
    ['sample_px4_events', 10, 18],
  ])('say in %s the texts that ulog_messages prints: %i of %i', async (name, said, all) => {
    const { events } = await read(`pyulog/test/${name}.ulg`);
    const texts = new Set(events.filter(({ source }) => source === 'logged text').map(({ label }) => label));
    const printed = textsIn(`${name}_messages.txt`);
    expect(printed).toHaveLength(all);
    expect(printed.filter((text) => texts.has(text))).toHaveLength(said);
  });

  it('take the stamps of sample_px4_events for what they are: microseconds since 1970', async () => {
    const episode = await read('pyulog/test/sample_px4_events.ulg');
    expect(new Date(Number(BigInt(episode.start_ns ?? 0) / 1_000_000n)).toISOString()).toBe(
      '2024-03-18T14:49:10.346Z',
    );
    expect(episode.duration_s).toBeCloseTo(31.1, 1);
    const attitude = episode.streams.find(({ id }) => id === 'vehicle_attitude.q');
    expect(attitude?.clocks[0].time_s[0]).toBeLessThan(1);
    expect(untimed(episode)).toBeGreaterThan(0);
  });
});
