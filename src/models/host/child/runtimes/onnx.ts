import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import type { Tensor, TensorSpec, Tensors } from '../../../tensor.ts';
import type { LoadedModel, Runtime } from '../runtime.ts';

/** Models in ONNX, on the processor. The library is loaded when the first of them is. */
export const onnx: Runtime = {
  id: 'onnx',
  load: async ({ path }, threads) => {
    const ort = await import('onnxruntime-node');
    const session = await ort.InferenceSession.create(path, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Errors only: they are thrown as well.
      logSeverityLevel: 3,
    });
    return loaded(session, ort.Tensor);
  },
};

function loaded(session: InferenceSession, make: typeof OrtTensor): LoadedModel {
  return {
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
