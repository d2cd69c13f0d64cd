import type { ModelSurfaceId, OnnxProviderSetting, VisionEndpoint } from '#core/api';
import type { WebSettings } from '#engine/local';
import type { Store } from '#store';
import type { Io } from './io.ts';

/** Options of every command that uses the data folder of an installation. */
export interface DataArguments {
  /** Data folder. Defaults to `ASSAY_DATA_DIR`, or `assay-data` in the working directory. */
  readonly data?: string;
}

export interface WorkerArguments extends DataArguments {
  /** Comma-separated annotation layers to process, and no runs. Defaults to everything. */
  readonly lanes?: string;
}

export interface ServeArguments extends DataArguments {
  readonly host?: string;
  readonly port?: number;
  /** Folders that recordings may be read from, in addition to those of the environment. */
  readonly root?: readonly string[];
  /** `false` only serves requests and leaves the work to `assay worker` processes. */
  readonly work?: boolean;
  /** Uses any free port if the configured one is taken. */
  readonly free_port?: boolean;
  /** Logs warnings and errors only, for use in a terminal. */
  readonly quiet?: boolean;
}

/** Model settings of the environment: data folder, hub, vision endpoint and ONNX provider. */
export interface ModelEnvironment {
  readonly data_folder: string;
  /** Base URL of the hub, without a trailing slash. */
  readonly hub: string;
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Endpoint of a vision model that frames may be sent to; absent if there is none. */
  readonly vision_endpoint?: VisionEndpoint;
  /** Provider that runs ONNX models. */
  readonly onnx_provider: OnnxProviderSetting;
  /** `true` if a database exists, in which tenants may have chosen models. */
  readonly has_database: boolean;
}

/** A running service. */
export interface Running {
  /** Base URL as reachable from this machine, `http://host:port`. */
  readonly address: string;
  readonly data_folder: string;
  /** File with a valid admin token; `null` if there is none. */
  readonly admin_token_file: string | null;
  /** Admin token, on the first start only; `null` afterwards. */
  readonly admin_token: string | null;
  /** Creates a link that signs a browser in once, as an admin of the first tenant. */
  signInLink(): Promise<string>;
  /** Stops gracefully: refuses new requests and lets current work finish or returns it to the queue. */
  stop(): Promise<void>;
}

/**
 * Services of the program that commands use. Only the launcher reads the environment and wires up the service; it loads
 * these parts on demand, so that `assay assess` starts fast.
 */
export interface Launcher {
  startService(args: ServeArguments): Promise<Running>;
  startWorker(args: WorkerArguments): Promise<{ stop(): Promise<void> }>;
  /**
   * Opens the store of the installation, for commands that need no service. Throws `folder_locked` while a service
   * holds it.
   */
  openStore(args: DataArguments): Promise<Store & { close(): Promise<void> }>;
  modelPlace(args: DataArguments): Promise<ModelEnvironment>;
  /** Settings for reading `hf://` and `https://` addresses, from the environment. */
  webSettings(): Promise<Omit<WebSettings, 'plain_http'>>;
  /** Folder of the measurement cache; `null` if caching is off. */
  cacheFolder(): string | null;
  /** Folder of the user's signing key. */
  keyFolder(): string;
  /** Address and token of the service that runs on a data folder; `null` if none does. */
  findService(args: DataArguments): Promise<{ readonly address: string; readonly token: string } | null>;
}

/** Resolves when the process is asked to stop. */
export function untilStopped({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
