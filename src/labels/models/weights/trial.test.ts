import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { channelMeans, detrOfColours } from '#test/support/onnx-model';
import { ModelClient } from '../host/model-client.ts';
import { ModelHost } from '../host/model-host.ts';
import { findOption } from '../surface-registry.ts';
import { onnxFault, readInventory } from './inventory.ts';
import { tryModel } from './trial.ts';

const host = new ModelHost();
const client = new ModelClient(host.socket);
afterAll(async () => {
  client.close();
  await host.close();
});

const option = findOption('roboflow/rf-detr-nano')!;
const query = { type: 1, box: [0.5, 0.5, 0.2, 0.2] } as const;
const detector = detrOfColours([query, query, query], 91);

let data_folder: string;
beforeEach(() => {
  data_folder = mkdtempSync(join(tmpdir(), 'assay-trial-'));
  return () => rmSync(data_folder, { recursive: true, force: true });
});
const pathOf = (file: string) => join(data_folder, 'models', option.id, file);
const place = (graph: Uint8Array) => {
  for (const { path } of option.weights!.files) {
    mkdirSync(dirname(pathOf(path)), { recursive: true });
    writeFileSync(pathOf(path), path.endsWith('.onnx') ? graph : '{}');
  }
};
const state = async () => {
  const { installed, weights } = (await readInventory(data_folder)).get(option.id)!;
  return [installed, weights?.fault];
};

describe('a model whose files are placed', { timeout: 60_000 }, () => {
  it('counts as installed once it has run, until a file changes', async () => {
    place(detector);
    expect(await state()).toEqual(['files_present', null]);
    expect(await tryModel(option, { data_folder, client })).toEqual({ fault: null });
    expect(await state()).toEqual(['installed', null]);
    writeFileSync(pathOf('config.json'), '{"changed": true}');
    expect(await state()).toEqual(['files_present', null]);
  });

  it('is unusable where its graph is not what the lanes expect, with the difference', async () => {
    place(channelMeans());
    expect(await state()).toEqual(['files_present', null]);
    const expected = expect.stringContaining('expected input pixel_values');
    expect(await tryModel(option, { data_folder, client })).toEqual({ fault: expected });
    expect(await state()).toEqual(['unusable', expected]);
  });

  it('is unusable without being loaded where its file is no graph, or cut off', async () => {
    place(Buffer.from('<html>not found</html>'));
    expect(await state()).toEqual(['unusable', 'onnx/model.onnx is not an ONNX graph']);
    place(detector);
    truncateSync(pathOf('onnx/model.onnx'), detector.length - 1);
    expect(await state()).toEqual(['unusable', expect.stringContaining('onnx/model.onnx is cut off')]);
  });

  it('that are absent cannot be tried', async () => {
    expect(await tryModel(option, { data_folder, client })).toBeNull();
    expect(await state()).toEqual(['absent', null]);
  });
});

describe('the outline of an ONNX file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-onnx-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });
  const faultOf = (bytes: Uint8Array) => {
    writeFileSync(join(folder, 'a.onnx'), bytes);
    return onnxFault(join(folder, 'a.onnx'));
  };

  it('is that of a graph at its full length alone', async () => {
    expect(await faultOf(detector)).toBeNull();
    for (let length = 0; length < detector.length; length++)
      expect(await faultOf(detector.subarray(0, length)), `${length} bytes`).not.toBeNull();
  });

  it('is not that of other files', async () => {
    const others = ['abc', 'version https://git-lfs.github.com/spec/v1\n', '{}', '\0'.repeat(99)];
    for (const text of others) expect(await faultOf(Buffer.from(text))).toBe('is not an ONNX graph');
    expect(await onnxFault(join(folder, 'missing.onnx'))).toMatch(/^cannot be read: ENOENT/);
  });
});
