/** Message types after which the backend answers up to ReadyForQuery: simple query and Sync. */
const endsRound = new Set([0x51, 0x53]);
const terminate = 0x58;

/** What a client has sent, cut where an answer is due. */
export interface Rounds {
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
export function isIdle(answer: Uint8Array): boolean {
  return answer.length === 0 || answer[answer.length - 1] === 0x49;
}
