import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gelloEpisode } from '#test/support/gello-episodes';
import { egodexEpisode, robomindEpisode } from '#test/support/preset-episodes';
import { readEverything } from '#test/support/read-dataset';
import { unitreeEpisode } from '#test/support/unitree-episodes';
import { parseMapping } from '../mapping.ts';
import { presets } from './index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-unitree-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

describe('recordings of Unitree xr_teleoperate', () => {
  it('are read without a mapping file, with every camera that they have', async () => {
    write(unitreeEpisode('episode_0000', 6, ['color_0', 'color_1']));
    write(unitreeEpisode('episode_0001', 4, ['color_0']));
    const { sets } = await readEverything(folder);
    expect(sets.map(({ format, facts }) => [format, facts.version])).toEqual([
      ['mapped', 'unitree-xr-teleoperate'],
    ]);
    const [first, second] = sets[0].episodes;
    expect(
      first.streams.map(({ id, role, shape, sample_count }) => [id, role, shape[0], sample_count]),
    ).toEqual([
      ['states/arms', 'state', 14, 6],
      ['states/hands', 'state', 2, 6],
      ['actions/arms', 'action', 14, 6],
      ['actions/hands', 'action', 2, 6],
      ['color_0', 'camera', undefined, 6],
      ['color_1', 'camera', undefined, 6],
    ]);
    expect(first).toMatchObject({
      tasks: [{ text: 'pick up the cup' }],
      outcome: { value: 'unknown' },
      findings: [],
    });
    expect(first.duration_s).toBeCloseTo(5 / 30);
    expect(second.streams.filter(({ role }) => role === 'camera').map(({ id }) => id)).toEqual(['color_0']);
  });

  it('are read by the mapping file of the folder if there is one', async () => {
    write(unitreeEpisode('episode_0000', 6, []));
    write({
      'assay.map.yaml':
        'assay_map: 1\nepisodes: { files: "{episode}/data.json" }\nrows: data\nstreams: [{ id: arm, role: state, columns: [states.left_arm.qpos] }]\n',
    });
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes[0].streams.map(({ id }) => id)).toEqual(['arm']);
  });

  it('name the files that are not read with them', async () => {
    write(unitreeEpisode('episode_0000', 6, []));
    write({ 'episode_0000/audios/audio_000000_mic0.npy': 'x' });
    const { sets } = await readEverything(folder);
    expect(sets[0].findings).toMatchObject([{ code: 'files_beside', evidence: { files: 1 } }]);
  });

  it('are not seen in other JSON of that name', async () => {
    write({ 'episode_0000/data.json': JSON.stringify({ info: {}, text: {}, data: [{ idx: 0 }] }) });
    await expect(readEverything(folder)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});

/** Recordings in the layout of each built-in mapping. */
const examples: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>> = {
  'unitree-xr-teleoperate': unitreeEpisode('episode_0000', 2, []),
  gello: gelloEpisode('0501_120000', 3),
  robomind: robomindEpisode('1014_144602', 10),
  egodex: egodexEpisode('0', 10),
};

describe('the built-in mappings', () => {
  it.each([...presets.rows])('$id is a valid mapping', async (preset) => {
    write(examples[preset.id]);
    const { openSourceTree } = await import('#io/sources');
    const match = await preset.recognise(await openSourceTree(folder));
    expect(match).not.toBeNull();
    expect(parseMapping(match?.mapping ?? '', preset.id).streams.length).toBeGreaterThan(0);
    const docs = readFileSync(new URL('../../../../docs/mapping.md', import.meta.url), 'utf8');
    expect(docs.replaceAll('`', '')).toContain(`| ${preset.title} |`);
  });
});
