import { expect, test } from 'vitest';
import { onnxProviders } from './onnx-providers.ts';

const on = (platform: NodeJS.Platform, there: readonly string[]) =>
  Object.fromEntries(
    onnxProviders({ platform, library: '/lib', has: (path) => there.includes(path) }).map((one) => [
      one.id,
      one,
    ]),
  );

test('models are computed by the processors, and what else the machine has is told', () => {
  const bare = on('linux', []);
  expect(Object.values(bare).filter(({ used }) => used)).toEqual([bare.cpu]);
  expect(bare.cuda.reason).toBe('no NVIDIA driver is here');
  expect(bare.coreml.reason).toBe('is not there on linux');
  const driver = '/dev/nvidiactl';
  expect(on('linux', [driver]).cuda.reason).toMatch(/providers_cuda\.so is not$/);
  expect(on('linux', [driver, '/lib/libonnxruntime_providers_cuda.so']).cuda.reason).toMatch(
    /^here, not used/,
  );
  expect(on('darwin', []).coreml.reason).toMatch(/^here, not used/);
  expect(on('win32', []).directml.reason).toMatch(/^here, not used/);
});

test('this machine says so too', () => {
  expect(onnxProviders().map(({ id }) => id)).toEqual(['cpu', 'cuda', 'coreml', 'directml', 'webgpu']);
});
