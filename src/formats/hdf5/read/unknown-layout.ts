import { type Hdf5Dataset, type Hdf5File, walkDatasets } from '@assay/hdf5';
import type { Finding } from '#core/episode';

const named = 8;
const bounds = { names: 200, depth: 6 };

/** What to say of a file that no family knows: what was seen in it, so that somebody can tell us what it means. */
export async function unknownLayout(file: Hdf5File): Promise<Finding> {
  const seen: string[] = [];
  let more = 0;
  for await (const met of walkDatasets(file.root, bounds)) {
    const text =
      met.kind === 'dataset'
        ? described(met.dataset)
        : met.kind === 'external'
          ? `${met.path} (a link into ${met.file}, not followed)`
          : `${met.path} (${met.error.message})`;
    if (seen.length < named) seen.push(text);
    else more++;
  }
  const holds = seen.length === 0 ? 'no array' : `${seen.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    ...{ code: 'hdf5_layout_unknown', severity: 'warning', path: file.path },
    message: `${file.path} is HDF5 in a layout that is not known; it holds ${holds}`,
    advice:
      'save its signals as CSV or Parquet and describe them in a mapping file, or ask for a reader of this layout',
  };
}

function described({ path, type, shape }: Hdf5Dataset): string {
  return `${path} (${typeName(type)}${shape.length === 0 ? '' : ` ${shape.join(' x ')}`})`;
}

/** As NumPy calls it. */
function typeName(type: Hdf5Dataset['type']): string {
  const bits = type.bytes * 8;
  if (type.kind === 'integer') return `${type.signed ? 'int' : 'uint'}${bits}`;
  return type.kind === 'float' ? `float${bits}` : type.kind;
}
