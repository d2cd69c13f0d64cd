import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { GraphModel } from '@tensorflow/tfjs-converter';
import type { io, Tensor as TfTensor } from '@tensorflow/tfjs-core';
import { messageOf } from '#core';
import type { GraphShape, Tensor, TensorSpec, Tensors } from '../../contract.ts';
import type { LoadedGraph, Runtime } from './loaded-models.ts';
import { loadSentenceBert } from './sentence-bert.ts';

type Tf = typeof import('@tensorflow/tfjs-core');

/**
 * Runs TensorFlow.js graphs, and sentence encoders from safetensors files, in WebAssembly on one thread; results are
 * identical on every machine.
 */
export const tfjs: Runtime = {
  id: 'tfjs',
  load: async ({ path, shape }) => {
    if (path.endsWith('.safetensors')) return loadSentenceBert(await getTf(), path);
    if (shape === undefined) throw new Error('TensorFlow.js graphs need a contract');
    const [tf, { loadGraphModel }] = [await getTf(), await import('@tensorflow/tfjs-converter')];
    const graph = await loadGraphModel(graphLoader(path));
    try {
      return await toLoadedGraph(tf, graph, shape, await graphFiles(path));
    } catch (thrown) {
      graph.dispose();
      throw thrown;
    }
  },
};

let tfPromise: Promise<Tf> | null = null;

function getTf(): Promise<Tf> {
  tfPromise ??= startTf();
  return tfPromise;
}

async function startTf(): Promise<Tf> {
  const tf = await import('@tensorflow/tfjs-core');
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  const library = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(library)}${sep}`);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  if (!(await tf.setBackend('wasm')))
    throw new Error('the WebAssembly backend of TensorFlow.js failed to start');
  return tf;
}

/** Wraps a graph. Its output shapes are known only after a run, so it is run once on zeros. */
async function toLoadedGraph(
  tf: Tf,
  graph: GraphModel,
  { inputs, outputs }: GraphShape,
  paths: readonly string[],
): Promise<LoadedGraph> {
  const names = Object.keys(outputs);
  const run = (inputs: Tensors) => runGraph(tf, graph, names, inputs);
  const zeros = Object.entries(inputs).map(([name, { type, dims }]) => {
    const sizes = dims.map((size) => size ?? 1);
    const length = sizes.reduce((product, size) => product * size, 1);
    const data = type === 'int32' ? new Int32Array(length) : new Float32Array(length);
    return [name, { type, dims: sizes, data } as Tensor] as const;
  });
  const given = await run(Object.fromEntries(zeros));
  return {
    ...{ device: 'cpu', passed_over: null, paths },
    inputs: graph.inputs.map(({ name, shape, dtype }) => ({ name, type: dtype, dims: toSizes(shape) })),
    outputs: Object.entries(given).map(([name, { type, dims }]): TensorSpec => ({ name, type, dims })),
    run,
    release: async () => graph.dispose(),
  };
}

const toSizes = (shape: readonly number[] | undefined): readonly (number | null)[] =>
  (shape ?? []).map((size) => (size > 0 ? size : null));

async function runGraph(
  tf: Tf,
  graph: GraphModel,
  names: readonly string[],
  inputs: Tensors,
): Promise<Tensors> {
  const feeds = Object.entries(inputs).map(([name, { type, dims, data }]) => {
    if (type !== 'float32' && type !== 'int32') throw new Error(`unsupported input type ${type} for ${name}`);
    return [name, tf.tensor(data, [...dims], type)] as const;
  });
  const results: TfTensor[] = [];
  try {
    results.push(...(await execute(graph, Object.fromEntries(feeds), [...names])));
    const tensors = await Promise.all(results.map(async (result) => copyTensor(result, await result.data())));
    return Object.fromEntries(tensors.map((tensor, at) => [names[at], tensor]));
  } finally {
    tf.dispose([...feeds.map(([, tensor]) => tensor), ...results]);
  }
}

/** Graphs with control flow, which need `executeAsync`. */
const loopingGraphs = new WeakSet<GraphModel>();

async function execute(
  graph: GraphModel,
  feeds: Record<string, TfTensor>,
  names: string[],
): Promise<readonly TfTensor[]> {
  if (!loopingGraphs.has(graph))
    try {
      return [graph.execute(feeds, names)].flat();
    } catch (thrown) {
      if (!/executeAsync/.test(messageOf(thrown))) throw thrown;
      loopingGraphs.add(graph);
    }
  return [await graph.executeAsync(feeds, names)].flat();
}

/** Copies a result, since the library reuses its memory. */
function copyTensor({ dtype, shape }: TfTensor, data: Float32Array | Int32Array | Uint8Array): Tensor {
  const dims = [...shape];
  if (data instanceof Float32Array) return { type: 'float32', dims, data: data.slice() };
  if (data instanceof Int32Array) return { type: 'int32', dims, data: data.slice() };
  return { type: dtype === 'bool' ? 'bool' : 'uint8', dims, data: data.slice() };
}

/** Reads a TensorFlow.js graph: its topology, and its weights from the files beside it. */
const graphLoader = (path: string): io.IOHandler => ({
  load: async () => {
    const { weightsManifest, ...rest } = await readGraphFile(path);
    const parts = await Promise.all(weightPaths(path, weightsManifest).map((file) => readFile(file)));
    const all = Buffer.concat(parts);
    return {
      ...rest,
      weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
      weightData: all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer,
    };
  },
});

const readGraphFile = async (path: string): Promise<io.ModelJSON> => JSON.parse(await readFile(path, 'utf8'));

const weightPaths = (path: string, manifest: io.ModelJSON['weightsManifest']): readonly string[] =>
  manifest.flatMap(({ paths }) => paths).map((file) => join(dirname(path), file));

/** Returns the paths of a graph and of its weights. */
const graphFiles = async (path: string): Promise<readonly string[]> => [
  path,
  ...weightPaths(path, (await readGraphFile(path)).weightsManifest),
];
