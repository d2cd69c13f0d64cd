import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What ONNX models can be computed by. */
type OnnxProviderId = 'cuda' | 'coreml' | 'directml' | 'webgpu' | 'cpu';

export interface OnnxProvider {
  readonly id: OnnxProviderId;
  /** Whether models are computed by it here. */
  readonly used: boolean;
  /** What was found, or what is missing. */
  readonly reason: string;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  /** Whether a file or a device is there. */
  readonly has: (path: string) => boolean;
  /** Folder of the library's binaries. */
  readonly library: string;
}

/**
 * What this machine has to compute ONNX models by. This version computes them by its processors, so that artifacts do not
 * depend on which card and driver a worker has.
 */
export function onnxProviders(machine: Machine = thisMachine()): readonly OnnxProvider[] {
  const { platform } = machine;
  const on = (wanted: NodeJS.Platform) =>
    platform === wanted ? `here, ${notUsed}` : `is not there on ${platform}`;
  return [
    { id: 'cpu', used: true, reason: 'the same model gives the same numbers whatever else the machine has' },
    { id: 'cuda', used: false, reason: cudaOn(machine) },
    { id: 'coreml', used: false, reason: on('darwin') },
    { id: 'directml', used: false, reason: on('win32') },
    { id: 'webgpu', used: false, reason: `comes with the library, ${notUsed}` },
  ];
}

const notUsed = 'not used by this version: artifacts would depend on it';

function cudaOn({ platform, has, library }: Machine): string {
  if (platform !== 'linux' && platform !== 'win32') return `is not there on ${platform}`;
  const driver = platform === 'linux' ? has('/dev/nvidiactl') : has('C:\\Windows\\System32\\nvcuda.dll');
  if (!driver) return 'no NVIDIA driver is here';
  const file = platform === 'linux' ? 'libonnxruntime_providers_cuda.so' : 'onnxruntime_providers_cuda.dll';
  return has(join(library, file)) ? `here, ${notUsed}` : `a GPU is here, ${file} is not`;
}

function thisMachine(): Machine {
  const own = dirname(createRequire(import.meta.url).resolve('onnxruntime-node'));
  const library = join(own, '..', 'bin', 'napi-v6', process.platform, process.arch);
  return { platform: process.platform, has: existsSync, library };
}
