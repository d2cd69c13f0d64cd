import type { Finding, Stream } from '#episode';
import type { FileArrays } from '../../step-arrays/file-arrays.ts';
import { type CameraPlan, pictureKindOf } from './picture-stream.ts';

/** The cameras below /observations: pixels, JPEG padded with zeros, or JPEG of variable length. */
export async function camerasOf({ arrays }: FileArrays, colours: 'rgb8' | '8UC3'): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^observations\/.*(image|depth|cam)/.test(id)) continue;
    const pictures = await pictureKindOf(dataset, colours).catch(() => null);
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
  path: string,
): Promise<Finding[]> {
  const lengths = arrays.get('compress_len');
  if (lengths === undefined || !lengths.isNumeric || lengths.rows > 64) return [];
  const width = lengths.rowElements;
  const stored = Array.from((await lengths.readNumbers()) as ArrayLike<number>, Number);
  const rows = Array.from({ length: lengths.rows }, (_, row) => stored.slice(row * width, (row + 1) * width));
  const padded = cameras.filter(({ pictures }) => pictures.kind === 'padded');
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
