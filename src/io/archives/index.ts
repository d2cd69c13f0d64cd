export type { ArchivedFile, FileRange } from './archive.ts';
export { type ByteReader, readStoredZip, type StoredMember } from './stored-zip.ts';
export { tarOf } from './tar.ts';
export { zipOf } from './zip.ts';
