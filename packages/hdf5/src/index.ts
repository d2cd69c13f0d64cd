/** A reader of HDF5 files in plain TypeScript over byte ranges; the README of the package shows its use. */

export { Hdf5Dataset } from './dataset.ts';
export type { Hdf5Type } from './datatype.ts';
export { Hdf5Error, type Hdf5ErrorKind, isFileError, type ToError } from './errors.ts';
export type { Hdf5Value } from './items.ts';
export { limits } from './limits.ts';
export { type NumberArray, toFloats, toNumbers } from './numbers.ts';
export { type Hdf5File, type OpenOptions, openHdf5 } from './open.ts';
export { type ByteRanges, bytesInMemory } from './source.ts';
export type { AttributeSet } from './structure/attribute-set.ts';
export { Hdf5Group } from './structure/group.ts';
export type { Hdf5Link } from './structure/links.ts';
export { headBytes, isHdf5, startsAsHdf5 } from './structure/signature.ts';
export type { Hdf5Finding } from './structure/superblock.ts';
export { type Met, walkDatasets } from './walk-datasets.ts';
