import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { messageOf } from '#core';
import type { OnnxProviderId } from '#core/api';
import type { Tensor, TensorSpec, Tensors } from '../../contract.ts';
import { deviceOf, onnxMissingMessage, type ProviderChoice } from '../onnx-providers.ts';
import type { ComputedBy } from '../protocol.ts';
import type { LoadedGraph, Runtime } from './loaded-models.ts';

/**
 * Creates the ONNX runtime, which loads a model with the first provider that accepts it and throws if none does. The
 * CPU computes what a provider cannot. onnxruntime is imported with the first model.
 */
export const createOnnxRuntime = ({ providers, passed_over }: ProviderChoice): Runtime => ({
  id: 'onnx',
  load: async ({ path }, threads) => {
    const ort = await import('onnxruntime-node').catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'ERR_MODULE_NOT_FOUND' ? new Error(onnxMissingMessage) : thrown;
    });
    const failures = passed_over === null ? [] : [passed_over];
    for (const [at, provider] of providers.entries())
      try {
        const session = await ort.InferenceSession.create(path, {
          executionProviders: [ortProviderName(provider)],
          intraOpNumThreads: threads,
          interOpNumThreads: 1,
          // Errors are thrown anyway; log them only for the last provider.
          logSeverityLevel: at + 1 < providers.length ? 4 : 3,
        });
        const computedBy = {
          device: deviceOf(provider),
          passed_over: failures.length === 0 ? null : failures.join('; '),
        };
        return toLoadedGraph(session, ort.Tensor, { ...computedBy, paths: await onnxFiles(path) });
      } catch (thrown) {
        if (at + 1 === providers.length) throw thrown;
        failures.push(`${provider}: ${messageOf(thrown).slice(0, maxReason_chars)}`);
      }
    throw new Error('no ONNX execution provider is available');
  },
});

const maxReason_chars = 300;

/** Returns a graph file and its external data, the files beside it whose names begin with its own. */
async function onnxFiles(path: string): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const beside = (await readdir(folder)).filter((file) => file.startsWith(name) && file !== name);
  return [path, ...beside.sort().map((file) => join(folder, file))];
}

/** Returns onnxruntime's name of a provider. */
const ortProviderName = (provider: OnnxProviderId): string => (provider === 'directml' ? 'dml' : provider);

function toLoadedGraph(
  session: InferenceSession,
  TensorClass: typeof OrtTensor,
  about: ComputedBy & Pick<LoadedGraph, 'paths'>,
): LoadedGraph {
  return {
    ...about,
    inputs: session.inputMetadata.map(toTensorSpec),
    outputs: session.outputMetadata.map(toTensorSpec),
    run: async (inputs) => {
      const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
        name,
        new TensorClass(type as 'float32', data as Float32Array, dims),
      ]);
      const results = await session.run(Object.fromEntries(feeds));
      return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, toTensor(value)]));
    },
    release: () => session.release(),
  };
}

const toTensorSpec = (one: InferenceSession.ValueMetadata): TensorSpec => ({
  name: one.name,
  type: one.isTensor ? one.type : 'unknown',
  dims: one.isTensor ? one.shape.map((size) => (typeof size === 'number' ? size : null)) : [],
});

const toTensor = ({ type, dims, data }: OrtTensor): Tensors[string] =>
  ({ type, dims: [...dims], data }) as unknown as Tensor;
