import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSupportedBackends } from 'onnxruntime-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OnnxProviderSetting } from '#core/api';
import { channelMeans } from '#test/support/onnx-model';
import { createOnnxRuntime } from './child/onnx.ts';
import { ModelClient } from './model-client.ts';
import { ModelHost } from './model-host.ts';
import { chooseProviders, onnxProviders } from './onnx-providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-onnx-providers-'));
const path = join(folder, 'means.onnx');
beforeAll(() => writeFileSync(path, channelMeans()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const machine = (platform: NodeJS.Platform, there: readonly string[] = [], arch = 'x64') => ({
  ...{ platform, arch, library: '/lib' },
  has: (file: string) => there.includes(file),
});
const driver = '/dev/nvidiactl';
const library = '/lib/libonnxruntime_providers_cuda.so';
const choice = (wish: OnnxProviderSetting, ...of: Parameters<typeof machine>) =>
  chooseProviders(wish, machine(...of));

test('the best that a machine has computes models, and else its processors', () => {
  expect(choice('auto', 'linux').providers).toEqual(['cpu']);
  expect(choice('auto', 'linux', [driver]).providers).toEqual(['cpu']);
  expect(choice('auto', 'linux', [driver, library])).toEqual({
    providers: ['cuda', 'cpu'],
    passed_over: null,
  });
  expect(choice('auto', 'linux', [driver, library], 'arm64').providers).toEqual(['cpu']);
  expect(choice('auto', 'darwin').providers).toEqual(['coreml', 'cpu']);
  expect(choice('auto', 'win32').providers).toEqual(['directml', 'cpu']);
  expect(choice('auto', 'freebsd')).toEqual({ providers: ['cpu'], passed_over: null });
});

test('a wish is heeded where it can be, and passed over with the reason where not', () => {
  expect(choice('cpu', 'linux', [driver, library]).providers).toEqual(['cpu']);
  expect(choice('webgpu', 'linux').providers).toEqual(['webgpu', 'cpu']);
  expect(choice('cuda', 'linux')).toEqual({
    providers: ['cpu'],
    passed_over: 'cuda: no NVIDIA driver found',
  });
  expect(choice('cuda', 'linux', [driver]).passed_over).toMatch(/providers_cuda\.so is missing: reinstall/);
  expect(choice('coreml', 'linux').passed_over).toBe('coreml: not available on linux');
});

test('what is here, what is used and what is missing is told', () => {
  const told = (wish: OnnxProviderSetting, there: readonly string[]) =>
    Object.fromEntries(onnxProviders(wish, machine('linux', there)).map((one) => [one.id, one]));
  const bare = told('auto', []);
  expect(Object.values(bare).filter(({ used }) => used)).toEqual([bare.cpu]);
  expect(bare.cuda.reason).toBe('no NVIDIA driver found');
  expect(bare.webgpu.reason).toMatch(/^available, not used/);
  const gpu = told('auto', [driver, library]);
  expect(gpu.cuda).toEqual({ id: 'cuda', used: true, reason: 'available' });
  expect(told('cpu', [driver, library]).cuda.reason).toMatch(/^available, not used/);
});

test('the library offers on this platform what the list says of it', () => {
  const names = { cpu: 'cpu', cuda: 'cuda', coreml: 'coreml', directml: 'dml', webgpu: 'webgpu' };
  const offered = listSupportedBackends().map(({ name }) => name);
  for (const { id, reason } of onnxProviders())
    expect([id, offered.includes(names[id])]).toEqual([id, !reason.startsWith('not available')]);
});

test('a provider that fails a model is passed over with the reason of the library', async () => {
  const model = await createOnnxRuntime({ providers: ['coreml', 'cpu'], passed_over: null }).load(
    { runtime: 'onnx', path },
    1,
  );
  expect(model).toMatchObject({ device: 'cpu', passed_over: expect.stringMatching(/^coreml: .*not found/) });
  const data = new Float32Array(3).fill(0.5);
  const { means } = await model.run({ pixels: { type: 'float32', dims: [1, 3, 1, 1], data } });
  expect(means.data[0]).toBe(0.5);
  await model.release();
  const last = createOnnxRuntime({ providers: ['coreml'], passed_over: null });
  await expect(last.load({ runtime: 'onnx', path }, 1)).rejects.toThrow(/not found/);
});

test('a session says by what it is computed', async () => {
  const host = new ModelHost({ onnx_provider: 'directml' });
  const client = new ModelClient(host.socket);
  try {
    const session = await client.session({ model: 'test/means', runtime: 'onnx', graphs: { main: path } });
    const there = process.platform === 'win32';
    expect(session.device).toBe(there ? 'gpu' : 'cpu');
    if (!there) expect(session.passed_over).toBe(`directml: not available on ${process.platform}`);
  } finally {
    client.close();
    await host.close();
  }
});

test('without the library nothing computes them, and it is told how to get it', () => {
  const [only, ...more] = onnxProviders('auto', { ...machine('linux'), library: null });
  expect([only.used, more]).toEqual([false, []]);
  expect(only.reason).toContain('npm install --global onnxruntime-node');
});
