/** Writes small HDF5 files, for tests of programs that read them. */
export { hdf5File, nested, type WrittenArray, type WrittenGroup } from './write-file.ts';
