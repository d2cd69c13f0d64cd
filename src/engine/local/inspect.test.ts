import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecipe } from '#formats/recipes';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { inspect } from './inspect.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-inspect-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tenGigabytes = 10_000_000_000;

/** Ten times a second a number, and text of `padding` bytes. */
function recording(messages: number, padding: number): Promise<Uint8Array> {
  const note = 'x'.repeat(padding);
  return mcapBytes({
    channels: [jsonChannel('/arm/state'), jsonChannel('/log')],
    messages: Array.from({ length: messages }, (_, at) => ({
      channel: at % 2,
      log_ns: 1_700_000_000_000_000_000n + BigInt(at) * 50_000_000n,
      data: at % 2 === 0 ? json({ q: at, on: at % 40 < 20 ? 1 : 0 }) : json({ note }),
    })),
  });
}

describe('inspecting', () => {
  it('reads no more than the beginning of a long recording', async () => {
    const path = join(folder, 'long.mcap');
    writeFileSync(path, await recording(200, 60_000));
    // What follows is not MCAP: whoever reads on meets it.
    truncateSync(path, tenGigabytes);
    const { datasets } = await inspect(folder);
    const [{ first, format, bytes }] = datasets;
    expect({ format, bytes }).toEqual({ format: 'mcap', bytes: tenGigabytes });
    expect(first).toMatchObject({ whole: false, claimed: null, findings: [] });
    expect(first?.streams.find(({ role }) => role === 'state')).toMatchObject({
      measured_rate_hz: 10,
      clock: { name: 'log_time', provenance: 'log' },
    });
  });

  it('takes the length of a long recording from its end', async () => {
    writeFileSync(join(folder, 'long.mcap'), await recording(200, 60_000));
    const [{ first }] = (await inspect(folder)).datasets;
    expect(first).toMatchObject({ whole: false, claimed: { duration_s: 9.95, messages: 200 } });
  });

  it('looks into the first file of many', async () => {
    const content = await recording(20, 10);
    for (let at = 0; at < 300; at++) writeFileSync(join(folder, `log_${at}.mcap`), content);
    const { datasets } = await inspect(folder);
    expect(datasets.map(({ expected_episodes }) => expected_episodes)).toEqual([300]);
    expect(datasets[0].first).toMatchObject({ id: 'log_0', whole: true, cuts: null });
  });

  it('says what a recipe would make of the first recording', async () => {
    writeFileSync(join(folder, 'a.mcap'), await recording(200, 10));
    const { datasets } = await inspect(folder);
    const stream = datasets[0].first?.streams.find(({ role }) => role === 'state')?.id;
    const text = `assay_recipe: 1\nsplit: {by: value, stream: ${stream}, dimension: 1, above: 0.5}`;
    const recipe = await readRecipe(text, 'recipe.yaml');
    const [{ first }] = (await inspect(folder, { recipe })).datasets;
    expect(first?.cuts?.map(({ id, from_s, to_s }) => [id, from_s, to_s])).toEqual([
      ['a#0001', 0, 1],
      ['a#0002', 2, 3],
      ['a#0003', 4, 5],
      ['a#0004', 6, 7],
      ['a#0005', 8, 9],
    ]);
    expect(first?.cuts?.[1].said.join()).toContain('1 s of the recording (1 to 2 s) are not in any episode');
  });

  it('says that it was stopped, before and while it looks', async () => {
    writeFileSync(join(folder, 'a.mcap'), await recording(20, 10));
    const stopped = { code: 'cancelled', message: 'inspection stopped' };
    await expect(inspect(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject(stopped);
    const abort = new AbortController();
    const inspecting = inspect(folder, { signal: abort.signal });
    abort.abort();
    await expect(inspecting).rejects.toMatchObject(stopped);
  });

  it('reads no more than the beginning of a long table', async () => {
    const rows = Array.from({ length: 400_000 }, (_, row) => `${row / 100},${row},1`);
    writeFileSync(join(folder, 'run.csv'), `t,a,b\n${rows.join('\n')}\n`);
    const mapping = `assay_map: 1\nepisodes: {files: '{episode}.csv'}\nclocks: [{column: t, unit: s}]\nstreams: [{id: q, role: state, columns: [a, b]}]\n`;
    writeFileSync(join(folder, 'assay.map.yaml'), mapping);
    const [{ first }] = (await inspect(folder)).datasets;
    expect(first).toMatchObject({ whole: false });
    expect(first?.streams[0].samples).toBeLessThan(300_000);
  });
});
