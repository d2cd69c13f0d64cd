import type { ShardedEpisode } from '../shards/shard-reader.ts';
import type { ShardWriter } from '../shards/shard-writer.ts';
import type { Blobs, BlobsOptions } from './blobs.ts';

export { interruptShards } from '../shards/engine.ts';
export type { ShardedEpisode } from '../shards/shard-reader.ts';

/** Opens a blob store in a worker thread. Neither the database nor the S3 client is loaded before it is needed. */
export async function openBlobStore(options: BlobsOptions): Promise<Blobs> {
  if (options.kind === 'folder') return new (await import('./folder-blobs.ts')).FolderBlobs(options.folder);
  return new (await import('./s3-blobs.ts')).S3Blobs(options);
}

/** Loads the shard reader. Its Parquet engine opens with the first read and is kept until the thread ends. */
export async function loadShardReader(): Promise<typeof import('../shards/shard-reader.ts')> {
  return import('../shards/shard-reader.ts');
}

/**
 * Returns a writer of a shard at a local path; the file appears there, replacing an earlier one, only when `close`
 * succeeds.
 */
export async function openShard(path: string): Promise<ShardWriter> {
  return (await import('../shards/shard-writer.ts')).openShardWriter(path);
}

/** Yields the episodes of a shard from number `from` to `to`, both inclusive. */
export async function* readShard(path: string, from: number, to: number): AsyncGenerator<ShardedEpisode> {
  yield* (await import('../shards/shard-reader.ts')).readShardEpisodes(path, from, to);
}
