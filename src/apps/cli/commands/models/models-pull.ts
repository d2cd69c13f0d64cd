import { type Pins, type PullResult, pullModel, readPinsFile } from '#labels/models';
import { requireModel } from '#service/operations';
import { lockFolder } from '#store';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { createByteLine } from '../../tables/byte-line.ts';
import { bytesInWords, count } from '../../words.ts';

export interface PinnedArguments extends DataArguments {
  /** JSON file with expected SHA-256 hashes by model and file. */
  readonly pins?: string;
  readonly json?: boolean;
}

export interface PullArguments extends PinnedArguments {
  readonly acceptHash?: readonly string[];
}

/** Runs `assay models pull`. Returns 1 if a file differs from its pin or has none, else 0. */
export async function pullModelCommand(
  id: string,
  args: PullArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const option = requireModel(id);
  const nothing = reasonWithoutWeights(option);
  if (nothing !== null) {
    if (args.json === true) await io.out(`${JSON.stringify({ model: id, installed: true, files: [] })}\n`);
    else await io.out(`${id} ${nothing}\n`);
    return 0;
  }
  const { data_folder, hub } = await launcher.modelPlace(args);
  const line = createByteLine(io, id);
  const { signal } = io;
  const accept = args.acceptHash ?? [];
  const options = { data_folder, hub, signal, onBytes: line.show, accept, lock: lockFolder };
  const pulled = await pullModel(option, { ...options, pins: await readPinsFor(id, args) }).finally(line.end);
  if (args.json === true) await io.out(`${JSON.stringify(pulled)}\n`);
  else await io.out(inWords(pulled));
  return pulled.installed ? 0 : 1;
}

/** Reads the pins of a model from the pins file; empty without a file. */
export async function readPinsFor(id: string, { pins }: PinnedArguments): Promise<Pins> {
  return pins === undefined ? {} : ((await readPinsFile(pins))[id] ?? {});
}

/** Returns the reason why a model has no local weights; `null` if it has. */
export function reasonWithoutWeights({ runtime }: ReturnType<typeof requireModel>): string | null {
  if (runtime === 'algorithm') return 'needs no weights';
  if (runtime === 'bundled') return 'is bundled with Assay';
  return runtime === 'endpoint' ? 'runs on your own server; no local weights are needed' : null;
}

function inWords({ model, folder, installed, files }: PullResult): string {
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
