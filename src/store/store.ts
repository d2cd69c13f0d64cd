import type { ModelSurfaceId, OnnxProviderWish, PriceList, VisionEndpoint } from '#core/api';
import type { SourceAccess } from '#io/sources';
import type { Blobs } from './blobs/blobs.ts';
import type { CopilotProvider } from './copilot-provider.ts';
import type { Database } from './database/database.ts';
import type { Queue } from './queue/queue.ts';
import type { SigningCommand } from './signing/command-key.ts';

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
  /** Signs bundles of evidence for all tenants; absent: keys in the data folder. */
  readonly signing_command?: SigningCommand;
  /** Models that whoever runs the service has set, each an option of its surface; absent: none. */
  readonly environment_models?: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Where frames may be shown to a model of one's own; absent: nowhere. */
  readonly vision_endpoint?: VisionEndpoint;
  /** By what this process computes ONNX models; absent: the best that it has. */
  readonly onnx_provider?: OnnxProviderWish;
  /** Who answers for the copilot: the first; absent: nobody. */
  readonly copilot_providers?: readonly CopilotProvider[];
}
