import { type Hdf5Dataset, toFloats } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Finding, Stream } from '#core/episode';
import { orNull } from '../../../shared/hdf5-file.ts';
import type { FileArrays } from '../../../shared/step-arrays/file-arrays.ts';
import type { StepReading } from '../../../shared/step-arrays/numeric-stream.ts';
import { type CameraPlan, pictureKindOf } from '../picture-stream.ts';

/** The cameras below /observations: pixels, JPEG padded with zeros, or JPEG of variable length. */
export async function camerasOf({ arrays }: FileArrays, colours: 'rgb8' | '8UC3'): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^observations\/.*(image|depth|cam)/.test(id)) continue;
    const pictures = await orNull(pictureKindOf(dataset, colours));
    const role = /depth/.test(id) ? 'depth' : 'camera';
    if (pictures !== null) cameras.push({ id, role, dataset, pictures });
  }
  return cameras;
}

/**
 * /compress_len has a row a camera in the order of the writer's list, which the file does not keep. Lengths are read
 * off the pictures themselves (no JPEG ends in zeros) and held against every row.
 */
export async function compressFindings(
  { arrays }: FileArrays,
  cameras: readonly CameraPlan[],
  streams: readonly Stream[],
  reading: StepReading,
): Promise<Finding[]> {
  const { path } = reading;
  const lengths = arrays.get('compress_len');
  const padded = cameras.filter(({ pictures }) => pictures.kind === 'padded');
  if (lengths === undefined || padded.length === 0) return [];
  const rows = await rowsOf(lengths, reading);
  if (rows === null) return [];
  const wrong = padded.filter(({ id }) => {
    const found = streams.find((stream) => stream.id === id)?.frames?.payloads?.bytes;
    return found !== undefined && !rows.some((row) => found.every((bytes, i) => row[i] === bytes));
  });
  if (wrong.length === 0) return [];
  return [
    {
      ...{ code: 'compress_len_mismatch', severity: 'warning', path },
      message: `no row of /compress_len has the lengths of the pictures of ${wrong.map(({ id }) => id).join(', ')}`,
      advice:
        'take the pictures up to their last byte that is not zero, as was done here; some may be cut off',
    },
  ];
}

/** Of so many cameras, and lengths of them all. */
const mostLengths = { rows: 64, all: 16_000_000 };

/** Each row of an array of numbers; null where it holds none, or cannot be read, which is told. */
async function rowsOf(
  dataset: Hdf5Dataset,
  reading: StepReading,
): Promise<readonly ArrayLike<number>[] | null> {
  const { rows, rowElements: width } = dataset;
  if (!dataset.isNumeric || rows > mostLengths.rows || rows * width > mostLengths.all) return null;
  try {
    const all = toFloats(await dataset.readNumbers());
    return Array.from({ length: rows }, (_, row) => all.subarray(row * width, (row + 1) * width));
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    reading.unread('compress_len', thrown);
    return null;
  }
}
