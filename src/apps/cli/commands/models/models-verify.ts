import { type VerifiedModel, verifyModel } from '#labels/models';
import { installedModels, requireModel } from '#service/operations';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { type PinnedArguments, readPinsFor, reasonWithoutWeights } from './models-pull.ts';

/** Runs `assay models verify`. Returns 1 if a file is missing or differs from its pin, else 0. */
export async function verifyModelsCommand(
  id: string | undefined,
  args: PinnedArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const { data_folder } = await launcher.modelPlace(args);
  const named = id === undefined ? await installedModels(data_folder) : [requireModel(id)];
  const options = named.filter((option) => reasonWithoutWeights(option) === null);
  const none = named
    .filter((option) => !options.includes(option))
    .map((option) => `${option.id} ${reasonWithoutWeights(option)}\n`);
  const verified: VerifiedModel[] = [];
  for (const option of options) {
    const pins = await readPinsFor(option.id, args);
    verified.push(await verifyModel(option, { data_folder, pins, signal: io.signal }));
  }
  if (args.json === true) await io.out(`${JSON.stringify({ models: verified })}\n`);
  else await io.out([...none, ...verified.map(inWords)].join('') || `No weights in ${data_folder}\n`);
  return verified.every(({ intact }) => intact) ? 0 : 1;
}

function inWords({ model, folder, intact, files }: VerifiedModel): string {
  const resultLines = files.map(({ path, verdict, sha256, expected }) => {
    if (verdict === 'mismatch') return `  mismatch    ${path}: SHA-256 is ${sha256}, expected ${expected}`;
    if (verdict === 'not_pinned') return `  not pinned  ${path}: ${sha256}`;
    return `  ${verdict.padEnd(10)}  ${path}`;
  });
  const here = files.some(({ verdict }) => verdict !== 'missing');
  const state = !here ? 'is not installed' : intact ? 'is intact' : 'does not match its pins';
  return `${[`${model} ${state} (${folder})`, ...resultLines].join('\n')}\n`;
}
