import { mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentenceModel, writeSentenceModel } from '#test/support/sentence-model';
import { findOption } from '../surface-registry.ts';
import { readInventory } from '../weights/inventory.ts';
import { tryModel } from '../weights/trial.ts';
import { ModelClient } from './model-client.ts';
import { ModelHost } from './model-host.ts';
import { SentenceEncoder } from './sentence-encoder.ts';

const option = findOption(sentenceModel)!;
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, d) => sum + value * other[d], 0);

describe('a sentence encoder', () => {
  const data_folder = mkdtempSync(join(tmpdir(), 'assay-sentences-'));
  let model: string;
  let host: ModelHost;
  let client: ModelClient;
  beforeAll(() => {
    model = writeSentenceModel(data_folder);
    host = new ModelHost();
    client = new ModelClient(host.socket);
  });
  afterAll(async () => {
    client.close();
    await host.close();
    rmSync(data_folder, { recursive: true, force: true });
  });
  const open = () => SentenceEncoder.open(option, { data_folder, client });

  it('gives each text a vector of length 1, the same in any batch, near that of similar texts', async () => {
    const encoder = await open();
    const texts = [
      'pick up the red cup',
      'open the drawer',
      '',
      'Pick up the RED cúp',
      'the red cup, pick it up 5 ',
    ];
    const vectors = await encoder.encode([...texts, 'blue '.repeat(100)]);
    for (const [at, vector] of vectors.entries()) {
      expect(vector).toHaveLength(384);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
      const [alone] = await encoder.encode([[...texts, 'blue '.repeat(100)][at]]);
      expect(dot(vector, alone)).toBeCloseTo(1, 5);
    }
    expect(dot(vectors[0], vectors[3])).toBeCloseTo(1, 5);
    expect(dot(vectors[0], vectors[4])).toBeGreaterThan(dot(vectors[0], vectors[1]));
    expect(await encoder.encode([])).toEqual([]);
  });

  it('reads the first 256 tokens of a text', async () => {
    const encoder = await open();
    const [one, longer, other] = await encoder.encode([
      'cup '.repeat(254),
      `${'cup '.repeat(254)}${'door '.repeat(5000)}`,
      `${'door '.repeat(20)}${'cup '.repeat(5000)}`,
    ]);
    expect(dot(one, longer)).toBeCloseTo(1, 5);
    expect(dot(one, other)).toBeLessThan(0.999);
  });

  it('is installed once it has run, and unusable if its file is cut off or of another model', async () => {
    const state = async () => (await readInventory(data_folder)).get(sentenceModel);
    expect((await state())?.installed).toBe('files_present');
    expect(await tryModel(option, { data_folder, client })).toEqual({ fault: null });
    expect((await state())?.installed).toBe('installed');

    const config = join(model, 'config.json');
    const before = readFileSync(config, 'utf8');
    writeFileSync(config, before.replace('"gelu"', '"relu"'));
    // A model is loaded again if its weights have changed.
    utimesSync(join(model, 'model.safetensors'), 1, 1);
    const { fault } = (await tryModel(option, { data_folder, client }))!;
    expect(fault).toMatch(/hidden_act/);
    writeFileSync(config, before);

    const weights = join(model, 'model.safetensors');
    truncateSync(weights, 1_000_000);
    expect((await state())?.weights?.fault).toMatch(/model.safetensors is cut off: it has 1000000 bytes/);
    await expect(open()).rejects.toMatchObject({ code: 'layer_unavailable' });
    writeFileSync(weights, 'no weights');
    expect(await state()).toMatchObject({ installed: 'unusable' });
    rmSync(weights);
    expect((await state())?.installed).toBe('absent');
    await expect(open()).rejects.toThrow(/is not installed/);
  });
});
