import type { Finding } from '#core/episode';
import type { BagMetadata } from './bag-metadata.ts';

const newestVersion = 9;

/** What a bag's metadata.yaml says of its storage that is empty, wrong or unknown. */
export function metadataFindings(bag: BagMetadata, storage: 'mcap' | 'sqlite3', path: string): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string): void => {
    findings.push({ code, severity, path, message, advice });
  };
  if (bag.storage !== storage) {
    const said = bag.storage === '' ? 'names no storage' : `says the storage is ${bag.storage}`;
    const advice = 'nothing to do for reading; reindex the bag (ros2 bag reindex) before playing it';
    add(
      'storage_misnamed',
      bag.storage === '' ? 'info' : 'warning',
      `${path} ${said}; the files are ${storage}`,
      advice,
    );
  }
  if (bag.version !== null && bag.version > newestVersion) {
    const message = `${path} is of version ${bag.version}, newer than ${newestVersion}; what it has more was not read`;
    add('metadata_version_unknown', 'info', message, 'nothing to do: the messages themselves are read');
  }
  const isCompressed = bag.compressionMode === 'file' || bag.compressionMode === 'message';
  if (isCompressed && bag.compressionFormat !== '' && bag.compressionFormat !== 'zstd') {
    const message = `${path} says each ${bag.compressionMode} is compressed with ${bag.compressionFormat}; only zstd is read`;
    add(
      'compression_unsupported',
      'error',
      message,
      'convert the bag with compression_format zstd (ros2 bag convert)',
    );
  }
  return findings;
}
