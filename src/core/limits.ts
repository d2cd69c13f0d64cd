/** A limit that users or operators may reach. The name of its row ends with its unit. */
export interface Limit {
  /** Quantity that is limited. */
  readonly what: string;
  readonly value: number;
  /** Consequence of exceeding it. */
  readonly beyond: string;
  /** The environment variable that changes it, of which `value` is the default. */
  readonly set_by?: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

/** All limits, by the part of the program that enforces them. docs/limits.md is generated from this. */
export const limits = {
  requests: {
    token_per_minute: {
      what: 'Requests per minute and token',
      value: 6000,
      beyond: '429 `rate_limited` with `Retry-After`',
      set_by: 'ASSAY_RATE_LIMIT',
    },
    address_per_minute: {
      what: 'Requests per minute and IP address without a token; requests with an invalid token are counted separately with the same limit, valid tokens are not counted',
      value: 600,
      beyond: '429 `rate_limited` with `Retry-After`',
      set_by: 'ASSAY_ADDRESS_RATE_LIMIT',
    },
    body_bytes: { what: 'JSON request body', value: 10 * MiB, beyond: '413 `payload_too_large`' },
    path_part_chars: { what: 'One path parameter', value: 1000, beyond: '404 `not_found`' },
    key_kept_ms: {
      what: 'How long responses are kept for an `Idempotency-Key`',
      value: day_ms,
      beyond: 'the same key counts as a new request',
    },
    heartbeat_ms: {
      what: 'Time without an event on an event stream',
      value: 15_000,
      beyond: 'a comment is sent, so that proxies keep the connection open',
    },
    annotation_wait_s: {
      what: 'Waiting for an annotation layer of one episode',
      value: 120,
      beyond: '503 `busy` with the job id; the job continues',
    },
    annotation_work_s: {
      what: 'Estimated compute time of a layer on one episode in a synchronous request',
      value: 60,
      beyond: '413 `too_long_to_wait`: queue a job instead',
    },
    report_wait_ms: {
      what: 'Waiting for the report of a run to be rendered',
      value: minute_ms,
      beyond: '409 `not_ready`; rendering continues',
    },
    frame_readers_waiting: {
      what: 'Queued reads of signal values and frames',
      value: 64,
      beyond: '503 `busy`',
    },
    frame_read_ms: { what: 'Duration of one such read', value: minute_ms, beyond: '422 `limit_exceeded`' },
    report_episodes: {
      what: 'Episodes certified in a synchronous request',
      value: 2000,
      beyond: '422 `limit_exceeded`; the bundle is created in the background',
    },
    compared_episodes: {
      what: 'Episodes of a run or slice compared in a synchronous request',
      value: 100_000,
      beyond: '422 `limit_exceeded`',
    },
    compared_receipts: {
      what: 'Receipts of earlier runs read for such a comparison',
      value: 5000,
      beyond: '422 `limit_exceeded`',
    },
    films_waiting: {
      what: 'Camera videos being transcoded or queued',
      value: 32,
      beyond: '503 `busy`',
    },
    film_read_ms: {
      what: 'Reading the frames of one camera video from a recording',
      value: 10 * minute_ms,
      beyond: '422 `limit_exceeded`',
    },
    frames_decoded: { what: 'Frames being decoded or queued', value: 32, beyond: '503 `busy`' },
    stop_grace_s: {
      what: 'Time for requests and work units to finish after SIGTERM',
      value: 20,
      beyond: 'they are aborted, and their work returns to the queue',
      set_by: 'ASSAY_STOP_GRACE_S',
    },
  },
  copilot: {
    tool_rounds: {
      what: 'Rounds of tool calls in one copilot turn',
      value: 8,
      beyond: 'the turn ends with a note and `step_limit`',
    },
    calls_per_round: {
      what: 'Tool calls in one round',
      value: 16,
      beyond: 'the rest is skipped; the model may request it again',
    },
    answer_tokens: {
      what: 'Output tokens of one model call',
      value: 4096,
      beyond: 'the provider truncates its answer',
    },
    call_s: {
      what: 'Duration of one model call, until its answer is complete',
      value: 600,
      beyond:
        'the turn ends with `provider_error`; its budget reservation is released after at most 1.5 times this time, even if the process crashed',
    },
    silence_s: {
      what: 'Time without data from the chat provider during a call',
      value: 60,
      beyond: 'the turn ends with `provider_error`',
      set_by: 'ASSAY_COPILOT_TIMEOUT_S',
    },
  },
  vision: {
    silence_s: {
      what: 'Time without data from the vision endpoint during a call',
      value: 120,
      beyond: 'the call is retried, at first immediately, then with delays',
      set_by: 'ASSAY_VLM_TIMEOUT_S',
    },
  },
  uploads: {
    file_bytes: {
      what: 'Size of one uploaded file',
      value: 1024 * GiB,
      beyond: '413 `payload_too_large`',
      set_by: 'ASSAY_MAX_UPLOAD_BYTES',
    },
    idle_ms: { what: 'Age of an upload without new data', value: 7 * day_ms, beyond: 'it is deleted' },
  },
  storage: {
    disk_left_bytes: {
      what: 'Minimum free disk space for the data folder',
      value: 64 * MiB,
      beyond: 'with less, runs and jobs wait, and `/readyz` returns 503',
    },
    s3_cache_bytes: {
      what: 'Cache of files from S3 sources, in the data folder',
      value: 16 * GiB,
      beyond: 'the least recently used are deleted',
      set_by: 'ASSAY_CACHE_BYTES',
    },
    web_cache_bytes: {
      what: 'Cache of data read from `hf://` and `https://`, in the user’s cache folder',
      value: 8 * GiB,
      beyond: 'the least recently used is deleted',
      set_by: 'ASSAY_WEB_CACHE_BYTES',
    },
    web_source_files: {
      what: 'Files of one `hf://` or `https://` source of a service',
      value: 200_000,
      beyond: '422 `limit_exceeded`: use the address of a folder within it',
    },
    web_source_bytes: {
      what: 'Size of the files of one `hf://` or `https://` source of a service',
      value: 1024 * GiB,
      beyond: '422 `limit_exceeded`: use the address of a folder within it',
      set_by: 'ASSAY_SOURCE_WEB_BYTES',
    },
    web_listing_ms: {
      what: 'Listing the files of such a source',
      value: 2 * minute_ms,
      beyond: '503 `storage_unavailable`',
    },
    web_look_ms: {
      what: 'Finding the datasets of such a source for a plan',
      value: 3 * minute_ms,
      beyond: '503 `storage_unavailable`',
    },
    measured_cache_bytes: {
      what: 'Measurement cache of `assay assess`',
      value: 2e9,
      beyond: 'the least recently used are deleted',
    },
    measured_cache_entries: {
      what: 'Files in the measurement cache',
      value: 400_000,
      beyond: 'the least recently used are deleted',
    },
    film_cache_bytes: {
      what: 'Cache of camera videos transcoded for browsers, on each machine',
      value: 8 * GiB,
      beyond: 'the least recently used are deleted',
    },
    blob_cache_bytes: {
      what: 'Cache of S3 blobs that are needed as local files, on each machine',
      value: 4 * GiB,
      beyond: 'the least recently used are deleted',
    },
    blob_answer_ms: {
      what: 'Time until the blob store starts to respond',
      value: 3500,
      beyond: '503 `storage_unavailable` with `Retry-After`',
    },
    database_connections: {
      what: 'PostgreSQL connections per process',
      value: 16,
      beyond: 'queries wait for a free connection',
    },
    database_connect_ms: {
      what: 'Time to connect to PostgreSQL',
      value: 5000,
      beyond: '503 `database_unavailable`',
    },
  },
  recordings: {
    files: {
      what: 'Files under one path',
      value: 2_000_000,
      beyond: '`limit_exceeded`: pass a smaller folder',
    },
    folders_deep: {
      what: 'Depth of nested folders',
      value: 32,
      beyond: 'deeper folders are not read, which a finding reports',
    },
    inflated_bytes: {
      what: 'Decompressed size of a compressed file',
      value: 256 * GiB,
      beyond: '`limit_exceeded` for that file',
    },
    film_spool_bytes: {
      what: 'Image data of one topic transcoded into one video',
      value: 4 * GiB,
      beyond: '422 `limit_exceeded`: request a part of the episode',
    },
    picture_bytes: {
      what: 'Size of one image file',
      value: 512 * MiB,
      beyond: 'it counts as a frame that cannot be decoded',
    },
    picture_pixels: {
      what: 'Pixels of one image',
      value: 178_956_970,
      beyond: 'it counts as a frame that cannot be decoded',
    },
  },
  annotation: {
    depth_bytes: {
      what: 'Depth maps of one episode, as PNG',
      value: 64 * MiB,
      beyond:
        'the remaining frames are listed in the artifact without a depth map; lower `sample_hz` to keep all maps',
    },
    flow_bytes: {
      what: 'Dense optical flow stored for one episode',
      value: 256 * MiB,
      beyond: 'for later frame pairs only statistics are stored, and `part` is null',
    },
  },
  notifications: {
    targets: {
      what: 'Webhooks and email subscriptions of a tenant',
      value: 200,
      beyond: '422 `limit_exceeded`: delete those that are not used',
    },
    attempt_ms: {
      what: 'One attempt to deliver a notification, with its answer',
      value: 10_000,
      beyond: 'the attempt has failed; there are ten, over about a day',
    },
    kept_ms: {
      what: 'How long deliveries are kept',
      value: 30 * day_ms,
      beyond: 'they are deleted',
    },
  },
  workers: {
    heap_bytes: {
      what: 'Heap memory of a worker thread',
      value: GiB,
      beyond: 'the thread is terminated, and the file it was reading is reported',
    },
    reader_heap_bytes: {
      what: 'Heap memory of a thread that reads data for requests',
      value: 512 * MiB,
      beyond: 'the thread is terminated, and the read fails',
    },
    silent_cpu_s: {
      what: 'CPU time of a worker thread without progress (bytes read, frames decoded, episodes finished)',
      value: 600,
      beyond: 'the thread is terminated, and the file it was reading is reported',
    },
    silent_s: {
      what: 'Wall-clock time of a worker thread without progress and without using the CPU',
      value: 1800,
      beyond: 'the thread is terminated, and the file it was reading is reported',
    },
    process_silent_s: {
      what: 'Time without a heartbeat from a process to the job queue',
      value: 10,
      beyond: 'other processes take over its work',
    },
    deaths: {
      what: 'Process crashes caused by the same work unit or episode',
      value: 2,
      beyond: 'it is skipped and listed in the run',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Limit>>>>;
