import { messageTable } from '../../src/formats/mavlink/message-table.ts';
import { accumulate, definitions } from '../../src/formats/mavlink/messages.ts';

/** Values of a message's fields by name, as they are on the wire; fields that are absent are 0. */
type WireValues = Readonly<Record<string, number | string>>;

interface Sender {
  readonly version?: 1 | 2;
  readonly system?: number;
  readonly component?: number;
  readonly signed?: boolean;
}

const widths: Readonly<Record<string, number>> = {
  ...{ char: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, uint64: 8, float: 4 },
};

/** Encodes the fields of a message one behind the other, by the table. */
function encodePayload(fields: string, values: WireValues): Buffer {
  const parts = fields.split('; ').flatMap((row) => {
    const [, type, count, name] = /^(?:\| )?(\w+?)(?:\[(\d+)\])? (\w+)/.exec(row)!;
    if (type === 'char') {
      const text = Buffer.alloc(Number(count));
      text.write(String(values[name] ?? ''));
      return [text];
    }
    const names =
      count === undefined ? [name] : Array.from({ length: Number(count) }, (_, i) => `${name}[${i}]`);
    return names.map((one) => encodeNumber(type, Number(values[one] ?? 0)));
  });
  return Buffer.concat(parts);
}

function encodeNumber(type: string, value: number): Buffer {
  const bytes = Buffer.alloc(widths[type]);
  if (type === 'float') bytes.writeFloatLE(value);
  else if (type === 'uint64') bytes.writeBigUInt64LE(BigInt(value));
  else if (type.startsWith('int')) bytes.writeIntLE(value, 0, bytes.length);
  else bytes.writeUIntLE(value, 0, bytes.length);
  return bytes;
}

/** Writes telemetry logs by MAVLink's description: an 8-byte time and a frame of version 1 or 2 for each message. */
export class MavlinkBytes {
  readonly #parts: Uint8Array[] = [];
  #sequence = 0;

  /** Adds a message of the table. */
  message(time_us: number, name: string, values: WireValues, sender: Sender = {}): this {
    const [id, , fields] = messageTable.find((row) => row[1] === name)!;
    return this.#frame(time_us, id, encodePayload(fields, values), sender);
  }

  /** Adds a frame of a message that is in no table, with a checksum that cannot be verified. */
  unknown(time_us: number, id: number, payload: Uint8Array): this {
    return this.#frame(time_us, id, Buffer.from(payload), {});
  }

  /** Adds bytes as they are. */
  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #frame(time_us: number, id: number, payload: Buffer, sender: Sender): this {
    const { version = 2, system = 1, component = 1, signed = false } = sender;
    const definition = definitions.get(id);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(time_us));
    let length = version === 1 ? (definition?.baseBytes ?? payload.length) : payload.length;
    if (version === 2) while (length > 1 && payload[length - 1] === 0) length--;
    const sequence = this.#sequence++ & 0xff;
    const sent = [sequence, system, component, id & 0xff];
    const head =
      version === 1
        ? Buffer.of(0xfe, length, ...sent)
        : Buffer.of(0xfd, length, signed ? 1 : 0, 0, ...sent, (id >> 8) & 0xff, id >> 16);
    const frame = Buffer.concat([head, payload.subarray(0, length)]);
    const crc = accumulate(accumulate(0xffff, frame, 1), Uint8Array.of(definition?.crcExtra ?? 0));
    const tail = Buffer.alloc(2 + (signed ? 13 : 0));
    tail.writeUInt16LE(crc);
    this.#parts.push(time, frame, tail);
    return this;
  }
}
