export type { ArchivedFile, FileRange } from './archive.ts';
export { createTar, createZip } from './archive.ts';
export { type ByteReader, readStoredZip, type StoredMember } from './stored-zip.ts';
