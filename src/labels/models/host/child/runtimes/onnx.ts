import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { messageOf } from '#core';
import type { OnnxProviderId } from '#core/api';
import type { Tensor, TensorSpec, Tensors } from '../../../tensor.ts';
import type { ComputedBy } from '../../messages.ts';
import { deviceOf, onnxMissing, type ProviderChoice } from '../../onnx-providers.ts';
import type { LoadedModel, Runtime } from '../runtime.ts';

/**
 * Models in ONNX, by the first provider that takes them; what it cannot compute of a graph the processors do. The library
 * is loaded when the first model is.
 */
export const onnxBy = ({ providers, passed_over }: ProviderChoice): Runtime => ({
  id: 'onnx',
  load: async ({ path }, threads) => {
    const ort = await import('onnxruntime-node').catch((thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'ERR_MODULE_NOT_FOUND' ? new Error(onnxMissing) : thrown;
    });
    const told = passed_over === null ? [] : [passed_over];
    for (const [at, provider] of providers.entries())
      try {
        const session = await ort.InferenceSession.create(path, {
          executionProviders: [nameOf(provider)],
          intraOpNumThreads: threads,
          interOpNumThreads: 1,
          // What goes wrong is thrown as well; of a provider that is passed over nobody needs to hear twice.
          logSeverityLevel: at + 1 < providers.length ? 4 : 3,
        });
        const by = { device: deviceOf(provider), passed_over: told.length === 0 ? null : told.join('; ') };
        return loaded(session, ort.Tensor, by);
      } catch (thrown) {
        if (at + 1 === providers.length) throw thrown;
        told.push(`${provider}: ${messageOf(thrown).slice(0, longestReason_chars)}`);
      }
    throw new Error('nothing computes models here');
  },
});

const longestReason_chars = 300;

/** As the library calls it. */
const nameOf = (provider: OnnxProviderId): string => (provider === 'directml' ? 'dml' : provider);

function loaded(session: InferenceSession, make: typeof OrtTensor, by: ComputedBy): LoadedModel {
  return {
    ...by,
    inputs: session.inputMetadata.map(specOf),
    outputs: session.outputMetadata.map(specOf),
    run: async (inputs) => {
      const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
        name,
        new make(type as 'float32', data as Float32Array, dims),
      ]);
      const results = await session.run(Object.fromEntries(feeds));
      return Object.fromEntries(Object.entries(results).map(([name, value]) => [name, tensorOf(value)]));
    },
    release: () => session.release(),
  };
}

const specOf = (one: InferenceSession.ValueMetadata): TensorSpec => ({
  name: one.name,
  type: one.isTensor ? one.type : 'unknown',
  dims: one.isTensor ? one.shape.map((size) => (typeof size === 'number' ? size : null)) : [],
});

const tensorOf = ({ type, dims, data }: OrtTensor): Tensors[string] =>
  ({ type, dims: [...dims], data }) as unknown as Tensor;
