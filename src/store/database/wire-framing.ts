/** Message types after which the backend answers up to ReadyForQuery: simple query (Q) and Sync (S). */
const roundEndTypes = new Set([0x51, 0x53]);
const terminateType = 0x58;

/** Bytes of a client, divided at the points where an answer is expected. */
export interface Rounds {
  /** Rounds to be sent and answered completely one after another. */
  readonly rounds: readonly Uint8Array[];
  /** True after the Terminate message. */
  readonly ended: boolean;
}

/**
 * Collects the bytes of one PostgreSQL client (protocol 3) into rounds of messages that the backend answers together.
 */
export class WireFraming {
  #pending: Buffer = Buffer.alloc(0);
  /** True once the startup message was received. */
  #started = false;

  /** Adds bytes of the client and returns the rounds that they complete; an incomplete rest waits for the next call. */
  push(chunk: Uint8Array): Rounds {
    const bytes = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    const rounds: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    if (!this.#started) {
      if (bytes.length < 4 || bytes.length < bytes.readInt32BE(0)) return this.#storePending(bytes, rounds);
      at = bytes.readInt32BE(0);
      rounds.push(bytes.subarray(0, at));
      from = at;
      this.#started = true;
    }
    while (at + 5 <= bytes.length) {
      const type = bytes[at];
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (type === terminateType) return { rounds, ended: true };
      at = end;
      if (!roundEndTypes.has(type)) continue;
      rounds.push(bytes.subarray(from, at));
      from = at;
    }
    return this.#storePending(bytes.subarray(from), rounds);
  }

  #storePending(rest: Buffer, rounds: Uint8Array[]): Rounds {
    this.#pending = Buffer.from(rest);
    return { rounds, ended: false };
  }
}

/** Returns the answer to a startup message: no password, the given parameters, idle. */
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

/** Returns true if the session is not inside a transaction, by the last byte of an answer; also for an empty answer. */
export function isIdle(answer: Uint8Array): boolean {
  return answer.length === 0 || answer[answer.length - 1] === 0x49;
}
