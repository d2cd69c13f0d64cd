import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** Message types after which the backend answers up to ReadyForQuery: simple query and Sync. */
const endsRound = new Set([0x51, 0x53]);
const terminate = 0x58;

/** What a client has sent, cut where an answer is due. */
interface Rounds {
  /** Each to be sent whole, and answered whole, before the next. */
  readonly rounds: readonly Uint8Array[];
  /** The client said goodbye. */
  readonly ended: boolean;
}

/** Gathers the bytes of one PostgreSQL client (protocol 3) into rounds of messages that the backend answers together. */
export class WireFraming {
  #pending: Buffer = Buffer.alloc(0);
  /** Where the next whole message begins, and where the round that is being gathered began. */
  #started = false;

  push(chunk: Uint8Array): Rounds {
    const bytes = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    const rounds: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    if (!this.#started) {
      if (bytes.length < 4 || bytes.length < bytes.readInt32BE(0)) return this.#keep(bytes, rounds);
      at = bytes.readInt32BE(0);
      rounds.push(bytes.subarray(0, at));
      from = at;
      this.#started = true;
    }
    while (at + 5 <= bytes.length) {
      const type = bytes[at];
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (type === terminate) return { rounds, ended: true };
      at = end;
      if (!endsRound.has(type)) continue;
      rounds.push(bytes.subarray(from, at));
      from = at;
    }
    return this.#keep(bytes.subarray(from), rounds);
  }

  #keep(rest: Buffer, rounds: Uint8Array[]): Rounds {
    this.#pending = Buffer.from(rest);
    return { rounds, ended: false };
  }
}

/** Answer to a client's startup message: no password, the parameters `pg` looks at, idle. */
export function startupAnswer(parameters: Readonly<Record<string, string>>): Buffer {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type, 0, 'latin1');
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const status = Object.entries(parameters).map(([name, value]) =>
    message('S', Buffer.from(`${name}\0${value}\0`)),
  );
  return Buffer.concat([message('R', Buffer.alloc(4)), ...status, message('Z', Buffer.from('I'))]);
}

/** Transaction state in an answer's last byte: idle, in a transaction, in a failed one. */
function isIdle(answer: Uint8Array): boolean {
  return answer.length === 0 || answer[answer.length - 1] === 0x49;
}

/** Messages of one connection that the backend answers together. */
interface Round {
  readonly id: number;
  readonly connection: number;
  readonly bytes: Uint8Array;
}

interface SessionHooks {
  /** Has the one session answer a round, whole. */
  readonly execute: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly onAnswer: (id: number, bytes: Uint8Array) => void;
  readonly onError: (id: number, message: string) => void;
}

const rollback = Buffer.from('Q\0\0\0\x0dROLLBACK\0', 'latin1');

/**
 * Lets many connections share one session: rounds go one at a time, and a connection that is inside a transaction has
 * the session to itself until it commits or rolls back.
 */
export class SharedSession {
  readonly #hooks: SessionHooks;
  readonly #queue: (Omit<Round, 'id'> & { readonly id: number | null })[] = [];
  /** Connections whose round is being answered, and that which is in a transaction. */
  #current: number | null = null;
  #holder: number | null = null;
  #idle: Promise<void> = Promise.resolve();

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
  }

  add(round: Round): void {
    this.#queue.push(round);
    this.#go();
  }

  /** A connection that went away must neither keep the session nor take it any more. */
  leave(connection: number): void {
    for (let i = this.#queue.length - 1; i >= 0; i--) {
      const { id, connection: whose } = this.#queue[i];
      if (whose !== connection) continue;
      this.#queue.splice(i, 1);
      if (id !== null) this.#hooks.onError(id, 'the connection has gone');
    }
    if (this.#holder !== connection && this.#current !== connection) return;
    this.#queue.push({ id: null, connection, bytes: rollback });
    this.#go();
  }

  /** Resolves when nothing is being answered and nothing can be. */
  idle(): Promise<void> {
    return this.#idle;
  }

  #go(): void {
    if (this.#current === null) this.#idle = this.#answerAll();
  }

  async #answerAll(): Promise<void> {
    for (;;) {
      const at =
        this.#holder === null ? 0 : this.#queue.findIndex(({ connection }) => connection === this.#holder);
      const [round] = at < 0 ? [] : this.#queue.splice(at, 1);
      if (round === undefined) return;
      this.#current = round.connection;
      await this.#answer(round.id, round.bytes);
      this.#current = null;
    }
  }

  async #answer(id: number | null, bytes: Uint8Array): Promise<void> {
    try {
      const answer = await this.#hooks.execute(bytes);
      this.#holder = isIdle(answer) ? null : this.#current;
      if (id !== null) this.#hooks.onAnswer(id, answer);
    } catch (thrown) {
      if (id !== null) this.#hooks.onError(id, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

/**
 * PGlite in a thread of its own: a heavy query blocks this event loop, never the service's. It answers rounds of
 * PostgreSQL wire messages; whose turn it is, is decided here, so that it never waits for the other thread between two.
 */
export interface ThreadData {
  readonly folder: string;
}
export type ThreadRequest = Round | { readonly leave: number } | { readonly close: true };
export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly error: string }
  | { readonly failed: string }
  | { readonly closed: true };

/** PGlite's own parameters without `-F`, which would turn fsync off: a power cut must not lose what was acknowledged. */
const durable = ['fsync=on', 'wal_sync_method=open_datasync', 'synchronous_commit=on'];
/** Of 128 MB, PostgreSQL's own, the most stays resident; what is not in here is in the system's cache of files. */
const lean = ['shared_buffers=32MB'];
const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat([...durable, ...lean].flatMap((setting) => ['-c', setting]));

const port = parentPort!;
const { folder } = workerData as ThreadData;
const say = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);

async function start(): Promise<void> {
  const database = await PGlite.create({ dataDir: folder, extensions: { vector }, startParams });
  const session = new SharedSession({
    execute: (bytes) => answerOf(database, bytes),
    onAnswer: (id, bytes) => say({ id, bytes }, [bytes.buffer as ArrayBuffer]),
    onError: (id, error) => say({ id, error }),
  });
  port.on('message', (request: ThreadRequest) => {
    if ('close' in request) void session.idle().then(() => close(database));
    else if ('leave' in request) session.leave(request.leave);
    else session.add(request);
  });
  say({ ready: true });
}

/** The raw answer. `execProtocolRaw` would parse every message as well, and keep what it parsed for ever. */
async function answerOf(database: PGlite, bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  // A part lies in memory that the next is written over. On a disk there is nothing to be synchronised.
  const onRawData = (part: Uint8Array) => void parts.push(part.slice());
  await database.execProtocolRawStream(bytes, { onRawData, syncToFs: false });
  return parts.length === 1 ? parts[0] : joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function close(database: PGlite): Promise<void> {
  await database.close();
  say({ closed: true });
  port.close();
}

start().catch((thrown) =>
  say({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
);
