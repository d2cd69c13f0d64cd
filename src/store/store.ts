import type { ModelSurfaceId, OnnxProviderSetting, PriceList, VisionEndpoint } from '#core/api';
import type { SourceAccess } from '#io/sources';
import type { Blobs } from './blobs/blobs.ts';
import type { Database } from './database/database.ts';
import type { Queue } from './queue.ts';
import type { SigningCommand } from './signing/command-key.ts';

/** The storage of one installation: database, blobs and queue. */
export interface Store {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly queue: Queue;
  /** Local folder of this process for temporary files, running uploads and the embedded database. */
  readonly data_folder: string;
  readonly source_access: SourceAccess;
  /** Prices of compute and tokens. Default: none (own machines). */
  readonly prices?: PriceList;
  /** Command that signs evidence bundles for all tenants. Default: keys in the data folder. */
  readonly signing_command?: SigningCommand;
  /** Models configured by the operator, each an option of its surface. Default: none. */
  readonly environment_models?: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Endpoint of the operator's vision model to which frames may be sent. Default: none. */
  readonly vision_endpoint?: VisionEndpoint;
  /** Execution provider for ONNX models. Default: the best available. */
  readonly onnx_provider?: OnnxProviderSetting;
  /** Chat providers of the copilot; the first one answers. Default: none. */
  readonly copilot_providers?: readonly CopilotProvider[];
  /** Settings for sending notifications. Default: no email, and links without a host. */
  readonly notifications?: NotificationSettings;
}

/** Settings for sending notifications. */
export interface NotificationSettings {
  /** Address under which users reach the service, without a trailing slash, for links; null if unknown. */
  readonly public_url: string | null;
  /** Mail server; null if there is none. */
  readonly mail: MailServer | null;
  /** Delays in seconds between attempts of a delivery; there is one attempt more. Default: nine, over about a day. */
  readonly retry_delays_s?: readonly number[];
  /** Time limit of one attempt in ms. Default: 10 s. */
  readonly attempt_ms?: number;
}

/** An SMTP server of the operator. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the start. `required`: STARTTLS, and nothing is sent without. `none`: without TLS. */
  readonly tls: 'implicit' | 'required' | 'none';
  /** Null if the server needs no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Sender address, with or without a name. */
  readonly from: string;
}

/** A chat provider configured by the operator of the service. */
export interface CopilotProvider {
  /** `openrouter`: the hosted router; `compatible`: any server with the OpenAI chat API. */
  readonly id: 'openrouter' | 'compatible';
  /** Base URL without a trailing slash. */
  readonly base_url: string;
  /** Null if the server needs none. */
  readonly api_key: string | null;
  /** Model names of the provider; the first is the default. */
  readonly models: readonly [string, ...string[]];
  /** Time in ms without data after which a call is aborted. */
  readonly silence_ms: number;
}
