import type { ModelSurfaceId, OnnxProviderWish, VisionEndpoint } from '#core/api';
import type { WebSettings } from '#engine/local';
import type { Store } from '#store';
import type { Io } from './io.ts';

/** Options of every command that needs the installation's data. */
export interface DataArguments {
  /** Data folder; absent: `ASSAY_DATA_DIR`, or `assay-data` here. */
  readonly data?: string;
}

export interface WorkerArguments extends DataArguments {
  /** Annotation layers, separated by commas, that it does, and no runs; absent: everything. */
  readonly lanes?: string;
}

export interface ServeArguments extends DataArguments {
  readonly host?: string;
  readonly port?: number;
  /** Folders that recordings may be read from, beside those of the environment. */
  readonly root?: readonly string[];
  /** False: only answers requests; `assay worker` processes do the work. */
  readonly work?: boolean;
  /** Takes a free port where the usual one is taken. */
  readonly free_port?: boolean;
  /** Logs warnings only: somebody reads the terminal. */
  readonly quiet?: boolean;
}

/** Where models are kept, where they come from, and what whoever runs the service has set. */
export interface ModelPlace {
  readonly data_folder: string;
  /** `https://host`, without a slash at its end. */
  readonly hub: string;
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Where frames may be shown to a model; absent: nowhere. */
  readonly vision_endpoint?: VisionEndpoint;
  /** By what ONNX models are to be computed. */
  readonly onnx_provider: OnnxProviderWish;
  /** Whether there is a database that tenants could have chosen in. */
  readonly has_database: boolean;
}

/** A service that answers. */
export interface Running {
  /** `http://host:port` as this machine reaches it. */
  readonly address: string;
  readonly data_folder: string;
  /** File with an admin token that works; null where there is none. */
  readonly admin_token_file: string | null;
  /** The admin token, on the first start only. */
  readonly admin_token: string | null;
  /** Makes a link that signs a browser in once, as an admin of the first tenant. */
  signInLink(): Promise<string>;
  /** Ends gracefully: no new requests, units under way finish or are given back. */
  stop(): Promise<void>;
}

/**
 * What commands ask of the program around them: it alone reads the environment and puts the parts of the service
 * together. Loaded when asked, so that `assay assess` starts without them.
 */
export interface Launcher {
  startService(args: ServeArguments): Promise<Running>;
  startWorker(args: WorkerArguments): Promise<{ stop(): Promise<void> }>;
  /** The installation's store, for commands that need no service. Throws `folder_locked` while a service has it. */
  openStore(args: DataArguments): Promise<Store & { close(): Promise<void> }>;
  modelPlace(args: DataArguments): Promise<ModelPlace>;
  /** How recordings behind an address are read, as the environment says. */
  webSettings(): Promise<Omit<WebSettings, 'plain_http'>>;
  /** Folder in which commands keep what they measured; null where nothing is to be kept. */
  cacheFolder(): string | null;
  /** Folder of the key that this user's commands sign with. */
  keyFolder(): string;
  /** Address and token of the service that runs on a data folder, if one does. */
  findService(args: DataArguments): Promise<{ readonly address: string; readonly token: string } | null>;
}

/** Resolves when the process was asked to stop. */
export function untilStopped({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
