import type { Hdf5Dataset, Hdf5File } from '@assay/hdf5';
import { orNull } from '../../../shared/hdf5-file.ts';
import type { FileArrays } from '../../../shared/step-arrays/file-arrays.ts';
import type { CameraPlan } from '../picture-stream.ts';
import type { AlohaOutline } from './aloha-outline.ts';

const folder = 'observations/images/';
const isServed = (id: string): boolean => id.startsWith(folder) && !/depth/.test(id);

export async function alohaOutline(
  file: Hdf5File,
  action: Hdf5Dataset,
  { arrays, unread }: FileArrays,
  cameras: readonly CameraPlan[],
): Promise<AlohaOutline> {
  const served = cameras.filter(({ id }) => isServed(id));
  const says_encoded = ((await orNull(file.root.attributes.number('compress'))) ?? 0) !== 0;
  const has_encoded = served.some(({ pictures }) => pictures.kind !== 'raw');
  return {
    reader: says_encoded || has_encoded ? 'act-plus-plus' : 'ACT',
    says_encoded,
    has_encoded,
    action: action.shape,
    qpos: arrays.get('observations/qpos')?.shape ?? [],
    cameras: [...arrays.keys(), ...unread.keys()].filter(isServed).map((id) => id.slice(folder.length)),
    sizes: Object.fromEntries(
      served.flatMap(({ id, pictures, dataset }) =>
        pictures.kind === 'raw' ? [[id.slice(folder.length), dataset.shape.slice(1)]] : [],
      ),
    ),
  };
}
