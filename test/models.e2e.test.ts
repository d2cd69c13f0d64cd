import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#core';
import { program } from '#test/support/program';
import { runAssay } from './run-assay.ts';
import { startModelHub } from './support/model-hub.ts';
import { detrOfColours, padOnnx } from './support/onnx-model.ts';
import { startServiceProcess } from './support/service-process.ts';

const model = 'peterande/d-fine-l';
const at = (path: string) => `/onnx-community/dfine_l_obj2coco_e25-ONNX/resolve/main/${path}`;
// A detector that fits the contract and knows colours alone, made larger by a comment.
const query = { type: 1, box: [0.5, 0.5, 0.2, 0.2] } as const;
const files = {
  'config.json': Buffer.from('{"model_type":"d_fine"}'),
  'preprocessor_config.json': Buffer.from('{"do_resize":true}'),
  'onnx/model.onnx': padOnnx(detrOfColours([query, query, query], 80), 3_000_000),
};
const accepts = Object.values(files).flatMap((bytes) => ['--accept-hash', sha256(bytes)]);

let folder: string;
let hub: Awaited<ReturnType<typeof startModelHub>>;
const data = (name: string) => join(folder, name);
const assay = (name: string, ...args: string[]) =>
  runAssay(['models', ...args, '--data', data(name)], { env: { ASSAY_MODEL_HUB: hub.url } });
const serveAll = () => {
  for (const [path, bytes] of Object.entries(files)) hub.files.set(at(path), { bytes });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-test-models-'));
  hub = await startModelHub();
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

test('weights that nobody pinned are taken once their hashes are accepted, and verified from then on', async () => {
  serveAll();
  const first = await assay('trusting', 'pull', model);
  expect(first.code).toBe(1);
  expect(first.out).toContain(`not pinned  onnx/model.onnx: ${sha256(files['onnx/model.onnx'])}`);
  expect(first.out).toContain(`assay models pull ${model} --accept-hash`);
  const pulled = await assay('trusting', 'pull', model, ...accepts);
  expect([pulled.code, pulled.err]).toEqual([0, '']);
  expect(pulled.out).toContain(`${model} is installed: 3 files, 3.0 MB`);
  expect((await assay('trusting', 'verify')).code).toBe(0);
  const listed = await assay('trusting', 'list');
  expect(listed.out).toMatch(/^ +peterande\/d-fine-l +by default +Apache-2.0 +installed$/m);
  writeFileSync(join(data('trusting'), 'models', model, 'config.json'), '{}');
  const spoiled = await assay('trusting', 'verify', model);
  expect(spoiled.code).toBe(1);
  expect(spoiled.out).toMatch(/mismatch {4}config.json: SHA-256 is \w{64}, expected \w{64}/);
  const json = JSON.parse((await assay('trusting', 'verify', '--json')).out);
  expect(json.models).toMatchObject([{ model, intact: false, files: [{ verdict: 'mismatch' }, {}, {}] }]);
});

test('a list of pins is a person’s word: what fits is installed, what does not is refused', async () => {
  serveAll();
  const write = (hashOf: (bytes: Buffer) => string) => {
    const pins = Object.entries(files).map(([path, bytes]) => [path, { sha256: hashOf(bytes) }]);
    writeFileSync(data('pins.json'), JSON.stringify({ [model]: Object.fromEntries(pins) }));
  };
  write(() => sha256('something else'));
  const refused = await assay('pinned', 'pull', model, '--pins', data('pins.json'), '--json');
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.out)).toMatchObject({
    installed: false,
    files: [{ verdict: 'mismatch' }, {}, {}],
  });
  write(sha256);
  expect((await assay('pinned', 'pull', model, '--pins', data('pins.json'))).code).toBe(0);
  // Kept beside the weights, so that the list is not needed again.
  expect((await assay('pinned', 'verify', model)).code).toBe(0);
});

test('a file that is no graph is pinned and yet not installed, and no default', async () => {
  serveAll();
  const page = Buffer.from('<html>not found</html>');
  hub.files.set(at('onnx/model.onnx'), { bytes: page });
  const pulled = await assay('page', 'pull', model, ...accepts, '--accept-hash', sha256(page));
  expect(pulled.code).toBe(1);
  expect(pulled.out).toMatch(/is not installed: its files are in .* cannot run: /);
  const listed = await assay('page', 'list');
  expect(listed.out).toMatch(/^ +peterande\/d-fine-l .* unusable: the model /m);
  const verified = await assay('page', 'verify');
  expect([verified.code, verified.out]).toEqual([1, expect.stringContaining('  unusable    the model')]);
});

test('what is wrong is said with the exit code of its kind', async () => {
  serveAll();
  hub.files.delete(at('onnx/model.onnx'));
  const gone = await assay('wrong', 'pull', model);
  expect(gone.code).toBe(3);
  expect(gone.err).toContain('the hub returned HTTP 404');
  expect(gone.err).toContain(join(data('wrong'), 'models', model, 'onnx/model.onnx'));
  const unknown = await assay('wrong', 'pull', 'ultralytics/yolo26-x', '--json');
  expect(unknown.code).toBe(2);
  expect(JSON.parse(unknown.out).error.message).toContain('AGPL-3.0');
  expect((await assay('wrong', 'pull', model, '--accept-hash', 'abc')).code).toBe(2);
});

test('what has no weights to download, or none here, is said so', async () => {
  expect((await assay('wrong', 'pull', 'roboflow/rf-detr-large')).code).toBe(3);
  expect((await assay('wrong', 'pull', 'opencv/farneback')).out).toBe('opencv/farneback needs no weights\n');
  const absent = await assay('wrong', 'verify', model);
  expect([absent.code, absent.out]).toEqual([1, expect.stringContaining(`${model} is not installed`)]);
  const needless = await assay('wrong', 'verify', 'opencv/farneback');
  expect([needless.code, needless.out]).toEqual([0, 'opencv/farneback needs no weights\n']);
});

test('a disk that takes no more is said so, and the next pull goes on', async () => {
  serveAll();
  const command = 'ulimit -f 1000; exec "$0" "$@"';
  const args = ['models', 'pull', model, ...accepts, '--data', data('full')];
  const child = spawn('/bin/bash', ['-c', command, process.execPath, program, ...args], {
    env: { ...process.env, ASSAY_MODEL_HUB: hub.url, NODE_COMPILE_CACHE: join(folder, 'cache') },
  });
  const { code, err } = await ended(child);
  expect(err).toContain('cannot be written: EFBIG');
  expect([code, err]).toEqual([4, expect.stringContaining('free some disk space')]);
  expect((await assay('full', 'pull', model, ...accepts)).code).toBe(0);
  const ranges = hub.asked.map(({ range }) => range).filter((range) => range !== null);
  expect(ranges.at(-1)).toBe('bytes=1024000-');
});

test('a pull that was killed is gone on with by the next', async () => {
  serveAll();
  const bytes = files['onnx/model.onnx'];
  hub.files.set(at('onnx/model.onnx'), { bytes, pause: new Promise(() => {}) });
  const part = join(data('killed'), 'models/.pulling', model, 'files/onnx/model.onnx.part');
  const sizeOf = () => {
    try {
      return readFileSync(part).length;
    } catch {
      return 0;
    }
  };
  const killed = runAssay(['models', 'pull', model, ...accepts, '--data', data('killed')], {
    env: { ASSAY_MODEL_HUB: hub.url },
    onStart: (child) => {
      void expect
        .poll(sizeOf, { timeout: 50_000 })
        .toBe(bytes.length / 2)
        .finally(() => child.kill('SIGKILL'));
    },
  });
  expect((await killed).code).toBeNull();
  hub.files.set(at('onnx/model.onnx'), { bytes });
  const again = await assay('killed', 'pull', model, ...accepts);
  expect([again.code, again.err]).toEqual([0, '']);
  expect(hub.asked.at(-1)?.range).toBe(`bytes=${bytes.length / 2}-`);
  expect(readFileSync(join(data('killed'), 'models', model, 'onnx/model.onnx')).equals(bytes)).toBe(true);
});

test('what the environment chooses is shown, and a model that is no option is refused', async () => {
  const list = (model: string) =>
    runAssay(['models', 'list', '--data', data('none')], { env: { ASSAY_MODEL_DETECTION: model } });
  expect((await list('peterande/d-fine-x')).out).toMatch(/peterande\/d-fine-x +by environment/);
  const refused = await list('peterande/d-fine-xxl');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('ASSAY_MODEL_DETECTION: peterande/d-fine-xxl is not available for detection');
});

describe('beside a service', () => {
  test('the list shows what the tenant has chosen, while the service runs and after', async () => {
    const service = await startServiceProcess({ data: data('served') });
    try {
      await service.ask('PUT', '/v1/models', { models: { detection: 'peterande/d-fine-s' } });
      const { out } = await assay('served', 'list');
      expect(out).toMatch(/peterande\/d-fine-s +by tenant/);
    } finally {
      await service.stop();
    }
    const { out } = await assay('served', 'list', '--json');
    const [detection] = JSON.parse(out).items;
    expect(detection.chosen).toMatchObject({ model: 'peterande/d-fine-s', from: 'tenant' });
  }, 180_000);
});

function ended(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}
