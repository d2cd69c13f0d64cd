import { type CameraPlan, cameraStream, detectPictureKind } from '../hdf5/picture-stream.ts';
import type { RowArray } from '../shared/arrays/row-array.ts';
import { StepArrayReader } from '../shared/arrays/step-arrays.ts';
import type { PictureColumn } from './mapping.ts';
import type { TableFrames } from './table.ts';

/**
 * Returns the pictures of an array as a stream without clock, only counted and measured unless `readsPictures`; `null`
 * if the array holds no pictures. The stream's `channel` is the path of the array in its file, by which
 * `stored-pictures.ts` finds the pictures again.
 */
export async function readArrayFrames(
  dataset: RowArray,
  camera: PictureColumn,
  path: string,
  readsPictures: boolean,
): Promise<TableFrames | null> {
  const plan = await planCamera(dataset, camera);
  if (plan === null) return null;
  const reading = new StepArrayReader(path, null, null);
  const stream = await cameraStream(plan, reading, readsPictures);
  return { stream: { ...stream, id: camera.id }, findings: reading.findings };
}

/** Returns how an array stores pictures; `null` if it holds none. */
export async function planCamera(
  dataset: RowArray,
  { role, colours }: Pick<PictureColumn, 'role' | 'colours'>,
): Promise<CameraPlan | null> {
  const pictures = await detectPictureKind(dataset, colours === 'rgb' ? 'rgb8' : '8UC3');
  return pictures === null ? null : { id: dataset.path, role, dataset, pictures };
}
