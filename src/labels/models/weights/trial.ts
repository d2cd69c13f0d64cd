import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import { mainGraph, type Tensor, type Tensors } from '../contract.ts';
import type { ModelClient, ModelSession } from '../host/model-client.ts';
import type { ModelRef } from '../host/protocol.ts';
import { SentenceEncoder } from '../host/sentence-encoder.ts';
import { installedRef } from '../model-refs.ts';
import type { ModelOption } from '../surface.ts';
import { listWeightFiles, trialFile, weightsPath } from './weight-folders.ts';

const stampsSchema = z.record(z.string(), z.strictObject({ bytes: z.number(), mtime_ms: z.number() }));
const trialSchema = z.strictObject({ files: stampsSchema, fault: z.string().nullable() });

/** Size and modification time of each file, by path in the model's folder. */
type Stamps = z.output<typeof stampsSchema>;

/** Outcome of a trial. */
export interface Trial {
  /** Why the model cannot run; `null` if it was loaded, fits its contract and ran once. */
  readonly fault: string | null;
}

interface TrialPlace {
  readonly data_folder: string;
  readonly client: ModelClient;
}

/**
 * Checks a model's graph against its contract and runs it once on an empty input, writes the fault (`null` if it
 * works) beside the weights and returns it; `null` instead if there is no graph.
 *
 * @throws `unfinished` if this machine could not run it for another reason, such as too little memory.
 */
export async function tryModel(
  option: ModelOption,
  { data_folder, client }: TrialPlace,
): Promise<Trial | null> {
  const files = (await listWeightFiles(data_folder)).get(option.id) ?? new Set<string>();
  const ref = installedRef(data_folder, option, files);
  if (ref === null) return null;
  const folder = weightsPath(data_folder, option.id);
  const before = await stampFiles(folder, files);
  const trial = { files: before, fault: await runOnce(option, ref, { data_folder, client }) };
  const path = join(folder, trialFile);
  await writeFile(`${path}.new`, `${JSON.stringify(trial, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return { fault: trial.fault };
}

/**
 * Returns the result of the last trial of a model's files; `null` if they have not been tried, have changed, or the
 * stored result is unreadable.
 */
export async function readTrial(
  data_folder: string,
  model: string,
  files: ReadonlySet<string>,
): Promise<Trial | null> {
  const folder = weightsPath(data_folder, model);
  try {
    const trial = trialSchema.parse(JSON.parse(await readFile(join(folder, trialFile), 'utf8')));
    const now = await stampFiles(folder, files);
    return JSON.stringify(now) === JSON.stringify(trial.files) ? { fault: trial.fault } : null;
  } catch {
    return null;
  }
}

async function stampFiles(folder: string, files: ReadonlySet<string>): Promise<Stamps> {
  const stamps: Stamps = {};
  for (const file of [...files].sort()) {
    const { size, mtimeMs } = await stat(join(folder, file));
    stamps[file] = { bytes: size, mtime_ms: mtimeMs };
  }
  return stamps;
}

/** Loads the model and runs it once. Returns why it cannot be loaded or run; `null` if it can. */
async function runOnce(
  option: ModelOption,
  ref: ModelRef,
  { data_folder, client }: TrialPlace,
): Promise<string | null> {
  try {
    if (option.contract?.form === 'sentence')
      await (await SentenceEncoder.open(option, { data_folder, client })).encode(['']);
    else {
      const session = await client.session(ref);
      await session.run(blackPicture(session));
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'layer_unavailable') return thrown.message;
    throw thrown;
  }
}

/** Side of the picture where neither graph nor contract sets one: a multiple of 14 and 28, as depth models want. */
const openSide_px = 308;

/** Returns zeros for the inputs that lanes fill: those of the contract, or all without a contract. */
function blackPicture({ inputs, contract }: ModelSession): Tensors {
  const named = Object.keys(contract?.graphs[mainGraph]?.inputs ?? {});
  const filled = named.length === 0 ? inputs : inputs.filter(({ name }) => named.includes(name));
  const side_px = contract === null || contract.form === 'sentence' ? openSide_px : contract.side_px;
  return Object.fromEntries(
    filled.map(({ name, type, dims }) => {
      const open = [1, 3, side_px, side_px];
      const sizes = dims.map((size, at) => size ?? open[at] ?? 1);
      return [name, zeros(type, sizes)];
    }),
  );
}

function zeros(type: string, dims: readonly number[]): Tensor {
  const length = dims.reduce((product, size) => product * size, 1);
  if (type === 'int64') return { type, dims, data: new BigInt64Array(length) };
  if (type === 'int32') return { type, dims, data: new Int32Array(length) };
  if (type === 'uint8' || type === 'bool') return { type, dims, data: new Uint8Array(length) };
  return { type: 'float32', dims, data: new Float32Array(length) };
}
