export { type ArchivedFile, createTar, createZip, type FileRange } from './archive.ts';
export { type ByteReader, readStoredZip, type StoredMember } from './stored-zip.ts';
