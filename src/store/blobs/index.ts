import type { ShardedEpisode } from '../shards/shard-episodes.ts';
import type { ShardWriter } from '../shards/shard-writer.ts';
import type { Blobs, BlobsOptions } from './blobs.ts';

export { interruptShards } from '../shards/engine.ts';
export type { ShardedEpisode } from '../shards/shard-episodes.ts';

/** The door for worker threads, of which there are many: it loads neither a database nor S3 before they are asked for. */
export async function openBlobStore(options: BlobsOptions): Promise<Blobs> {
  if (options.kind === 'folder') return new (await import('./folder-blobs.ts')).FolderBlobs(options.folder);
  return new (await import('./s3-blobs.ts')).S3Blobs(options);
}

/** Reads of shards, with the engine that reads Parquet; it stays open as long as the thread. */
export async function shardReader(): Promise<typeof import('../shards/shard-reader.ts')> {
  return import('../shards/shard-reader.ts');
}

export async function openShard(path: string): Promise<ShardWriter> {
  return (await import('../shards/shard-writer.ts')).openShardWriter(path);
}

/** Episodes of a shard, from one place to another. */
export async function* readShard(path: string, from: number, to: number): AsyncGenerator<ShardedEpisode> {
  yield* (await import('../shards/shard-episodes.ts')).readShardEpisodes(path, from, to);
}
