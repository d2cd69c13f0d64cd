import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ComputeDevice, type OnnxProviderId, type OnnxProviderWish, onnxProviderIds } from '#core/api';

export interface OnnxProvider {
  readonly id: OnnxProviderId;
  /** Whether models are tried with it first here; the processors compute them where it fails. */
  readonly used: boolean;
  /** What was found, or what is missing. */
  readonly reason: string;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Whether a file or a device is there. */
  readonly has: (path: string) => boolean;
  /** Folder of the library's binaries; null: the library is not installed. */
  readonly library: string | null;
}

/** By platform: what `auto` tries, the best first. */
const best: Readonly<Partial<Record<NodeJS.Platform, OnnxProviderId>>> = {
  linux: 'cuda',
  darwin: 'coreml',
  win32: 'directml',
};

/** What is tried for a model, in this order, and why what was wished for is not among it; null: it is, or nothing was. */
export interface ProviderChoice {
  readonly providers: readonly OnnxProviderId[];
  readonly passed_over: string | null;
}

/** By what ONNX models are computed here. The processors come last: they always can. */
export function chooseProviders(
  wish: OnnxProviderWish = 'auto',
  machine: Machine = thisMachine(),
): ProviderChoice {
  const wanted = wish === 'auto' ? best[machine.platform] : wish;
  if (wanted === undefined || wanted === 'cpu') return { providers: ['cpu'], passed_over: null };
  const lacks = lackOf(wanted, machine);
  if (lacks === null) return { providers: [wanted, 'cpu'], passed_over: null };
  return { providers: ['cpu'], passed_over: wish === 'auto' ? null : `${wanted}: ${lacks}` };
}

/** What this machine has to compute ONNX models by, and what of it is used. */
export function onnxProviders(
  wish: OnnxProviderWish = 'auto',
  machine: Machine = thisMachine(),
): readonly OnnxProvider[] {
  if (machine.library === null) return [{ id: 'cpu', used: false, reason: onnxMissing }];
  const [used] = chooseProviders(wish, machine).providers;
  return onnxProviderIds.map((id) => {
    const reason = lackOf(id, machine) ?? (id === 'cpu' ? 'the same numbers on every machine' : 'here');
    const idle =
      id !== used && reason === 'here' ? ', not used: ASSAY_ONNX_PROVIDER names another or none' : '';
    return { id, used: id === used, reason: `${reason}${idle}` };
  });
}

/** Where a provider computes, as prices name it. */
export const deviceOf = (provider: OnnxProviderId): ComputeDevice => (provider === 'cpu' ? 'cpu' : 'gpu');

/** Why a provider cannot be had; null where it can, as far as can be told before a model is loaded. */
function lackOf(id: OnnxProviderId, { platform, arch, has, library }: Machine): string | null {
  const isLinuxX64 = platform === 'linux' && arch === 'x64';
  if (id === 'cpu') return null;
  if (id === 'coreml') return platform === 'darwin' ? null : `is not there on ${platform}`;
  if (id === 'directml') return platform === 'win32' ? null : `is not there on ${platform}`;
  if (id === 'webgpu')
    return isLinuxX64 || platform === 'darwin' || platform === 'win32'
      ? null
      : `is not there on ${platform} ${arch}`;
  if (!isLinuxX64) return `is not there on ${platform} ${arch}`;
  if (!has('/dev/nvidiactl')) return 'no NVIDIA driver is here';
  const file = 'libonnxruntime_providers_cuda.so';
  return library !== null && has(join(library, file))
    ? null
    : `a GPU is here, ${file} is not: install onnxruntime-node again on it`;
}

/** It is as large as the rest of the program, so the published package leaves it to those who pull models. */
export const onnxMissing =
  'models in ONNX want the package onnxruntime-node beside this one: npm install --global onnxruntime-node';

function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, has: existsSync, library: onnxLibrary() };
}

function onnxLibrary(): string | null {
  try {
    const own = dirname(createRequire(import.meta.url).resolve('onnxruntime-node'));
    return join(own, '..', 'bin', 'napi-v6', process.platform, process.arch);
  } catch {
    return null;
  }
}
