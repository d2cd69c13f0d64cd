/** A limit that users or operators may reach. The name of its row ends with its unit. */
export interface Limit {
  /** What is limited. */
  readonly what: string;
  readonly value: number;
  /** What happens beyond it. */
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
      what: 'Requests of one token',
      value: 6000,
      beyond: '429 `rate_limited` with `Retry-After`',
      set_by: 'ASSAY_RATE_LIMIT',
    },
    address_per_minute: {
      what: 'Requests of one address without a token, and again those with a bad one; good tokens do not count',
      value: 600,
      beyond: '429 `rate_limited` with `Retry-After`',
      set_by: 'ASSAY_ADDRESS_RATE_LIMIT',
    },
    body_bytes: { what: 'JSON body of a request', value: 10 * MiB, beyond: '413 `payload_too_large`' },
    path_part_chars: { what: 'One parameter of a path', value: 1000, beyond: '404 `not_found`' },
    key_kept_ms: {
      what: 'Answers kept for an `Idempotency-Key`',
      value: day_ms,
      beyond: 'the same key is a new request',
    },
    heartbeat_ms: {
      what: 'Silence on an event stream',
      value: 15_000,
      beyond: 'a comment, so that proxies keep the connection',
    },
    annotation_wait_s: {
      what: 'Waiting for a layer of one episode',
      value: 120,
      beyond: '503 `busy` with the job, which goes on',
    },
    annotation_work_s: {
      what: 'Expected work of a layer on one episode that is waited for',
      value: 60,
      beyond: '413 `too_long_to_wait`: queue a job',
    },
    report_wait_ms: {
      what: 'Waiting for the report of a run to be drawn',
      value: minute_ms,
      beyond: '409 `not_ready`; it goes on',
    },
    frame_readers_waiting: {
      what: 'Reads of numbers and frames that wait for a thread',
      value: 64,
      beyond: '503 `busy`',
    },
    frame_read_ms: { what: 'One such read', value: minute_ms, beyond: '422 `limit_exceeded`' },
    report_episodes: {
      what: 'Episodes that are certified while a request waits',
      value: 2000,
      beyond: '422 `limit_exceeded`; the bundle is made in the background',
    },
    compared_episodes: {
      what: 'Episodes of a run or slice that are compared while a request waits',
      value: 100_000,
      beyond: '422 `limit_exceeded`',
    },
    compared_receipts: {
      what: 'Receipts of earlier runs that are read for that',
      value: 5000,
      beyond: '422 `limit_exceeded`',
    },
    films_waiting: {
      what: 'Films of cameras being made or waiting for it',
      value: 32,
      beyond: '503 `busy`',
    },
    film_read_ms: {
      what: 'Reading the pictures of one film out of a recording',
      value: 10 * minute_ms,
      beyond: '422 `limit_exceeded`',
    },
    frames_decoded: { what: 'Frames being decoded or waiting for it', value: 32, beyond: '503 `busy`' },
    stop_grace_s: {
      what: 'Requests and units under way after SIGTERM',
      value: 20,
      beyond: 'they are ended; their work is given back',
      set_by: 'ASSAY_STOP_GRACE_S',
    },
  },
  copilot: {
    tool_rounds: {
      what: 'Rounds of tools in one turn of the copilot',
      value: 8,
      beyond: 'the turn ends with a note and `step_limit`',
    },
    calls_per_round: {
      what: 'Calls of tools in one round',
      value: 16,
      beyond: 'the rest is left out; the model may ask again',
    },
    answer_tokens: {
      what: 'Tokens that a model may write in one call',
      value: 4096,
      beyond: 'the provider cuts its answer off',
    },
    call_s: {
      what: 'One call of a model, from its question to the end of its answer',
      value: 600,
      beyond:
        'the turn ends with `provider_error`; what it reserved is let go by half as much again, also where its process died',
    },
    silence_s: {
      what: 'Silence of a chat provider in the middle of a call',
      value: 60,
      beyond: 'the turn ends with `provider_error`',
      set_by: 'ASSAY_COPILOT_TIMEOUT_S',
    },
  },
  vision: {
    silence_s: {
      what: 'Silence of a vision endpoint in the middle of a call',
      value: 120,
      beyond: 'it is asked again, then later',
      set_by: 'ASSAY_VLM_TIMEOUT_S',
    },
  },
  uploads: {
    file_bytes: {
      what: 'One uploaded file',
      value: 1024 * GiB,
      beyond: '413 `payload_too_large`',
      set_by: 'ASSAY_MAX_UPLOAD_BYTES',
    },
    idle_ms: { what: 'An idle upload', value: 7 * day_ms, beyond: 'it is deleted' },
  },
  storage: {
    disk_left_bytes: {
      what: 'Room that the data folder’s disk must have',
      value: 64 * MiB,
      beyond: 'runs and jobs wait, `/readyz` answers 503',
    },
    s3_cache_bytes: {
      what: 'Files of S3 sources kept in the data folder while they are read',
      value: 16 * GiB,
      beyond: 'those not used for longest go',
      set_by: 'ASSAY_CACHE_BYTES',
    },
    web_cache_bytes: {
      what: 'What was read of `hf://` and `https://`, kept in the user’s cache folder',
      value: 8 * GiB,
      beyond: 'what was not used for longest goes',
      set_by: 'ASSAY_WEB_CACHE_BYTES',
    },
    measured_cache_bytes: {
      what: 'Measurements that `assess` keeps for the next time',
      value: 2e9,
      beyond: 'those not used for longest go',
    },
    measured_cache_entries: {
      what: 'Files of these',
      value: 400_000,
      beyond: 'those not used for longest go',
    },
    film_cache_bytes: {
      what: 'Films of cameras that were made for players, on each machine',
      value: 8 * GiB,
      beyond: 'those not used for longest go',
    },
    blob_cache_bytes: {
      what: 'Copies of S3 blobs that were opened by name, on each machine',
      value: 4 * GiB,
      beyond: 'those not used for longest go',
    },
    blob_answer_ms: {
      what: 'A blob store that has not begun to answer a request',
      value: 3500,
      beyond: '503 `storage_unavailable` with `Retry-After`',
    },
    database_connections: {
      what: 'Connections of one process to PostgreSQL',
      value: 16,
      beyond: 'queries wait for one',
    },
    database_connect_ms: {
      what: 'Waiting for a connection to PostgreSQL',
      value: 5000,
      beyond: '503 `database_unavailable`',
    },
  },
  recordings: {
    files: {
      what: 'Files below one path',
      value: 2_000_000,
      beyond: '`limit_exceeded`: pass a smaller folder',
    },
    folders_deep: {
      what: 'Folders within each other',
      value: 32,
      beyond: 'what lies deeper is not read, with a finding',
    },
    inflated_bytes: {
      what: 'A file that was compressed as a whole, once inflated',
      value: 256 * GiB,
      beyond: '`limit_exceeded` for that file',
    },
    film_spool_bytes: {
      what: 'Pictures of a topic that are made a film at once',
      value: 4 * GiB,
      beyond: '422 `limit_exceeded`: ask for a part of the episode',
    },
    picture_bytes: {
      what: 'One picture file',
      value: 512 * MiB,
      beyond: 'it counts as a frame that does not decode',
    },
    picture_pixels: {
      what: 'Pixels of one picture',
      value: 178_956_970,
      beyond: 'it counts as a frame that does not decode',
    },
  },
  annotation: {
    depth_bytes: {
      what: 'Depth maps of one episode, as PNG',
      value: 64 * MiB,
      beyond: 'the rest is listed in the artifact without its map; a lower `sample_hz` keeps it whole',
    },
    flow_bytes: {
      what: 'Flow that is kept of one episode, pixel by pixel',
      value: 256 * MiB,
      beyond: 'later pairs of frames keep their figures alone; their `part` is null',
    },
  },
  workers: {
    heap_bytes: {
      what: 'Heap of a worker thread',
      value: GiB,
      beyond: 'the thread is ended, and its file named',
    },
    reader_heap_bytes: {
      what: 'Heap of a thread that reads for requests',
      value: 512 * MiB,
      beyond: 'the thread is ended, and the read with it',
    },
    silent_cpu_s: {
      what: 'Processor time of a worker thread without a byte, an episode or a picture',
      value: 600,
      beyond: 'the thread is ended, and its file named',
    },
    silent_s: {
      what: 'Time without any of these and without computing',
      value: 1800,
      beyond: 'the thread is ended, and its file named',
    },
    process_silent_s: {
      what: 'A process that says nothing to the queue',
      value: 10,
      beyond: 'its work goes to others',
    },
    deaths: {
      what: 'Processes that die of one unit or episode',
      value: 2,
      beyond: 'it is given up, and named in the run',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Limit>>>>;
