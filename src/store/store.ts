import type { ModelSurfaceId, PriceList } from '#contract';
import type { SourceAccess } from '#sources';
import type { Blobs } from './blobs/blobs.ts';
import type { Database } from './database/database.ts';
import type { Queue } from './queue/queue.ts';

/** What use cases work on: rows, blobs and queued work of one installation. */
export interface Store {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly queue: Queue;
  /** Local folder of this process for scratch files, uploads under way and the embedded database. */
  readonly data_folder: string;
  readonly source_access: SourceAccess;
  /** What computing and tokens cost; absent: own machines, nothing. */
  readonly prices?: PriceList;
  /** Models that whoever runs the service has set, each an option of its surface; absent: none. */
  readonly environment_models?: Readonly<Partial<Record<ModelSurfaceId, string>>>;
}
