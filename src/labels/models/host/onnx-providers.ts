import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type ComputeDevice,
  type OnnxProviderId,
  type OnnxProviderSetting,
  onnxProviderIds,
} from '#core/api';

/** An execution provider and its availability on this machine. */
export interface OnnxProvider {
  readonly id: OnnxProviderId;
  /** Whether models are tried with it first; the CPU computes those it fails on. */
  readonly used: boolean;
  /** Reason in words: the library that was found, or the part that is missing. */
  readonly reason: string;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Returns whether a file or device exists. */
  readonly has: (path: string) => boolean;
  /** Folder of onnxruntime's binaries; `null` if it is not installed. */
  readonly library: string | null;
}

/** Provider that `auto` tries, by platform. */
const bestProvider: Readonly<Partial<Record<NodeJS.Platform, OnnxProviderId>>> = {
  linux: 'cuda',
  darwin: 'coreml',
  win32: 'directml',
};

/** Providers to try in order, and why the requested one is not among them; `null` if it is, or none was requested. */
export interface ProviderChoice {
  readonly providers: readonly OnnxProviderId[];
  readonly passed_over: string | null;
}

/**
 * Returns the providers to try on this machine in order, the CPU last, and why a requested one was passed over
 * (`null` if it was not, or for `auto`).
 */
export function chooseProviders(
  requested: OnnxProviderSetting = 'auto',
  machine: Machine = currentMachine(),
): ProviderChoice {
  const provider = requested === 'auto' ? bestProvider[machine.platform] : requested;
  if (provider === undefined || provider === 'cpu') return { providers: ['cpu'], passed_over: null };
  const missing = missingRequirement(provider, machine);
  if (missing === null) return { providers: [provider, 'cpu'], passed_over: null };
  return { providers: ['cpu'], passed_over: requested === 'auto' ? null : `${provider}: ${missing}` };
}

/**
 * Lists the ONNX providers with whether this machine uses each and why; only the CPU, not used, if onnxruntime is not
 * installed.
 */
export function onnxProviders(
  requested: OnnxProviderSetting = 'auto',
  machine: Machine = currentMachine(),
): readonly OnnxProvider[] {
  if (machine.library === null) return [{ id: 'cpu', used: false, reason: onnxMissingMessage }];
  const [used] = chooseProviders(requested, machine).providers;
  return onnxProviderIds.map((id) => {
    const reason =
      missingRequirement(id, machine) ?? (id === 'cpu' ? 'same results on every machine' : 'available');
    const note =
      id !== used && reason === 'available' ? ', not used: ASSAY_ONNX_PROVIDER selects another' : '';
    return { id, used: id === used, reason: `${reason}${note}` };
  });
}

/** Returns the device of a provider as price lists name it: `cpu` for the CPU, else `gpu`. */
export const deviceOf = (provider: OnnxProviderId): ComputeDevice => (provider === 'cpu' ? 'cpu' : 'gpu');

/** Returns why a provider is unavailable; `null` if it is available, as far as known before a model is loaded. */
function missingRequirement(id: OnnxProviderId, { platform, arch, has, library }: Machine): string | null {
  const isLinuxX64 = platform === 'linux' && arch === 'x64';
  if (id === 'cpu') return null;
  if (id === 'coreml') return platform === 'darwin' ? null : `not available on ${platform}`;
  if (id === 'directml') return platform === 'win32' ? null : `not available on ${platform}`;
  if (id === 'webgpu')
    return isLinuxX64 || platform === 'darwin' || platform === 'win32'
      ? null
      : `not available on ${platform} ${arch}`;
  if (!isLinuxX64) return `not available on ${platform} ${arch}`;
  if (!has('/dev/nvidiactl')) return 'no NVIDIA driver found';
  const file = 'libonnxruntime_providers_cuda.so';
  return library !== null && has(join(library, file))
    ? null
    : `found a GPU, but ${file} is missing: reinstall onnxruntime-node on this machine`;
}

/**
 * Message for a missing onnxruntime. It is as large as the rest of the program, so the published package does not
 * include it.
 */
export const onnxMissingMessage =
  'ONNX models need the package onnxruntime-node: npm install --global onnxruntime-node';

function currentMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, has: existsSync, library: onnxLibrary() };
}

function onnxLibrary(): string | null {
  try {
    const libraryFolder = dirname(createRequire(import.meta.url).resolve('onnxruntime-node'));
    return join(libraryFolder, '..', 'bin', 'napi-v6', process.platform, process.arch);
  } catch {
    return null;
  }
}
