import {
  ModelClient,
  ModelHost,
  type Pins,
  type PullResult,
  pullModel,
  readPinsFile,
  type Trial,
  tryModel,
  type VerifiedModel,
  verifyModel,
} from '#labels/models';
import { installedModels, requireModel } from '#service/operations';
import { lockFolder } from '#store';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher, ModelEnvironment } from '../../launcher.ts';
import { createByteLine } from '../../tables/byte-line.ts';
import { bytesInWords, count } from '../../text.ts';

interface PinnedArguments extends DataArguments {
  /** JSON file with expected SHA-256 hashes by model and file. */
  readonly pins?: string;
  readonly json?: boolean;
}

interface PullArguments extends PinnedArguments {
  readonly acceptHash?: readonly string[];
}

/**
 * Runs `assay models pull`. Returns 1 if a file differs from its pin or has none, or if the model does not run, else 0.
 */
export async function pullModelCommand(
  id: string,
  args: PullArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const option = requireModel(id);
  const nothing = reasonWithoutWeights(option);
  if (nothing !== null) {
    if (args.json === true)
      await io.out(`${JSON.stringify({ model: id, installed: true, fault: null, files: [] })}\n`);
    else await io.out(`${id} ${nothing}\n`);
    return 0;
  }
  const place = await launcher.modelPlace(args);
  const { data_folder, hub } = place;
  const line = createByteLine(io, id);
  const { signal } = io;
  const accept = args.acceptHash ?? [];
  const options = { data_folder, hub, signal, onBytes: line.show, accept, lock: lockFolder };
  const pulled = await pullModel(option, { ...options, pins: await readPinsFor(id, args) }).finally(line.end);
  const fault = pulled.installed
    ? ((await withTrials(place, (tryOne) => tryOne(option)))?.fault ?? null)
    : null;
  const installed = pulled.installed && fault === null;
  if (args.json === true) await io.out(`${JSON.stringify({ ...pulled, installed, fault })}\n`);
  else await io.out(fault === null ? pulledInWords(pulled) : faultInWords(pulled, fault));
  return installed ? 0 : 1;
}

const faultInWords = ({ model, folder }: PullResult, fault: string): string =>
  `${model} is not installed: its files are in ${folder}, but ${fault}\n`;

/** Reads the pins of a model from the pins file; empty without a file. */
async function readPinsFor(id: string, { pins }: PinnedArguments): Promise<Pins> {
  return pins === undefined ? {} : ((await readPinsFile(pins))[id] ?? {});
}

/** Returns the reason why a model has no local weights; `null` if it has. */
function reasonWithoutWeights({ runtime }: ReturnType<typeof requireModel>): string | null {
  if (runtime === 'algorithm') return 'needs no weights';
  if (runtime === 'bundled') return 'is bundled with Assay';
  return runtime === 'endpoint' ? 'runs on your own server; no local weights are needed' : null;
}

function pulledInWords({ model, folder, installed, files }: PullResult): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (installed)
    return `${model} is installed: ${count(files.length, 'file')}, ${bytesInWords(bytes)} in ${folder}\n`;
  const lines = files.map(({ path, sha256, verdict, expected }) =>
    verdict === 'mismatch'
      ? `mismatch    ${path}: SHA-256 is ${sha256}, expected ${expected}`
      : `${verdict.replace('_', ' ').padEnd(10)}  ${path}: ${sha256}`,
  );
  return `${[`${model} is not installed`, ...lines, ...nextSteps(files, model)].join('\n')}\n`;
}

function nextSteps(files: PullResult['files'], model: string): readonly string[] {
  const unpinned = files.filter(({ verdict }) => verdict === 'not_pinned');
  if (files.some(({ verdict }) => verdict === 'mismatch'))
    return [
      'The download does not match its pin and was deleted. Check the pin, or ask the operator of the hub.',
    ];
  const accepts = unpinned.map(({ sha256 }) => `--accept-hash ${sha256}`);
  return [
    'These files have no pin. Compare the hashes with those of the publisher; to accept them:',
    `  assay models pull ${model} ${accepts.join(' ')}`,
  ];
}

/**
 * Runs `assay models verify`. Returns 1 if a file is missing or differs from its pin, or if a model does not
 * run, else 0.
 */
export async function verifyModelsCommand(
  id: string | undefined,
  args: PinnedArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const place = await launcher.modelPlace(args);
  const { data_folder } = place;
  const named = id === undefined ? await installedModels(data_folder) : [requireModel(id)];
  const options = named.filter((option) => reasonWithoutWeights(option) === null);
  const none = named
    .filter((option) => !options.includes(option))
    .map((option) => `${option.id} ${reasonWithoutWeights(option)}\n`);
  const verified = await withTrials(place, async (tryOne) => {
    const all: TriedModel[] = [];
    for (const option of options) {
      const pins = await readPinsFor(option.id, args);
      const hashed = await verifyModel(option, { data_folder, pins, signal: io.signal });
      all.push({ ...hashed, fault: (await tryOne(option))?.fault ?? null });
    }
    return all;
  });
  if (args.json === true) await io.out(`${JSON.stringify({ models: verified })}\n`);
  else await io.out([...none, ...verified.map(verifiedInWords)].join('') || `No weights in ${data_folder}\n`);
  return verified.every(({ intact, fault }) => intact && fault === null) ? 0 : 1;
}

/** A verified model; `fault`: why it cannot be loaded or run, `null` if it can or is not there. */
type TriedModel = VerifiedModel & { readonly fault: string | null };

function verifiedInWords({ model, folder, intact, files, fault }: TriedModel): string {
  const resultLines = files.map(({ path, verdict, sha256, expected }) => {
    if (verdict === 'mismatch') return `  mismatch    ${path}: SHA-256 is ${sha256}, expected ${expected}`;
    if (verdict === 'not_pinned') return `  not pinned  ${path}: ${sha256}`;
    return `  ${verdict.padEnd(10)}  ${path}`;
  });
  const here = files.some(({ verdict }) => verdict !== 'missing');
  const state = !here ? 'is not installed' : intact ? 'is intact' : 'does not match its pins';
  const faultLines = fault === null ? [] : [`  unusable    ${fault}`];
  return `${[`${model} ${state} (${folder})`, ...faultLines, ...resultLines].join('\n')}\n`;
}

type Model = ReturnType<typeof requireModel>;
type TryModel = (model: Model) => Promise<Trial | null>;

/** Calls `use` with a function that loads a model and runs it once. The model process ends afterwards. */
async function withTrials<Result>(
  { data_folder, onnx_provider }: Pick<ModelEnvironment, 'data_folder' | 'onnx_provider'>,
  use: (tryOne: TryModel) => Promise<Result>,
): Promise<Result> {
  const host = new ModelHost({ onnx_provider });
  const client = new ModelClient(host.socket);
  try {
    return await use((model) => tryModel(model, { data_folder, client }));
  } finally {
    client.close();
    await host.close();
  }
}
