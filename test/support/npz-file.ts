import { zipBytes } from './zarr-files.ts';

/** Returns an `.npz` of arrays by name, each the bytes of an `.npy`; deflated as by `numpy.savez_compressed`. */
export function npzBytes(
  arrays: Readonly<Record<string, Uint8Array>>,
  { deflate = false }: { readonly deflate?: boolean } = {},
): Buffer {
  return zipBytes(Object.entries(arrays).map(([name, bytes]) => ({ name: `${name}.npy`, bytes, deflate })));
}
