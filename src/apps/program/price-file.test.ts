import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatPrices } from '#core/api';
import { readConfig, readPrices } from './config.ts';

describe('a price list', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-prices-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('in YAML takes the price of a second from the environment where it says none', () => {
    const path = file(
      'prices.yaml',
      'devices: { gpu: 0.001 }\nlayers:\n  depth: { gpu: 0.002 }\nmodels:\n  qwen/qwen3-vl: { prompt_usd_per_mtok: 0.2 }\n',
    );
    const { prices } = readConfig({ ASSAY_PRICES: path, ASSAY_COMPUTE_USD_PER_S: '0.0001' });
    expect(prices).toEqual({
      compute_usd_per_s: 0.0001,
      devices: { gpu: 0.001 },
      layers: { depth: { gpu: 0.002 } },
      models: { 'qwen/qwen3-vl': { prompt_usd_per_mtok: 0.2, completion_usd_per_mtok: 0 } },
    });
  });

  test('in JSON wins over the environment', () => {
    const path = file('prices.json', '{ "compute_usd_per_s": 3 }');
    expect(readPrices(path, 1)).toEqual(flatPrices(3));
  });

  test('that is empty, or is not named, leaves one price', () => {
    expect(readPrices(file('empty.yaml', ''), 2)).toEqual(flatPrices(2));
    expect(readConfig({ ASSAY_COMPUTE_USD_PER_S: '2' }).prices).toEqual(flatPrices(2));
    expect(readConfig({}).prices).toEqual(flatPrices(0));
  });

  test('that is wrong is refused, naming the file and every place', () => {
    const wrong = [
      ['layers:\n  deph: { gpu: 1 }\n', '/layers'],
      ['layers:\n  depth: { gpu: -1 }\n', '/layers/depth/gpu'],
      ['layers:\n  depth: 1\n', '/layers/depth'],
      ['models:\n  a/b: { prompt_usd_per_mtok: dear }\n', '/models/a~1b/prompt_usd_per_mtok'],
      ['compute_usd_per_s: .inf\n', '/compute_usd_per_s'],
      ['compute_usd_per_hour: 1\n', 'compute_usd_per_hour'],
      ['[1]', 'top level'],
      ['{ "compute', 'not valid YAML or JSON'],
    ];
    for (const [text, place] of wrong) {
      const path = file('wrong.yaml', text);
      const reading = () => readConfig({ ASSAY_PRICES: path });
      expect(reading, text).toThrow(path);
      expect(reading, text).toThrow(place);
      expect(reading, text).toThrow(expect.objectContaining({ code: 'invalid_settings', exitCode: 2 }));
    }
  });

  test('that is not there is named', () => {
    const path = join(folder, 'none.yaml');
    expect(() => readPrices(path, 0)).toThrow(`no such file or folder: ${path}`);
  });
});
