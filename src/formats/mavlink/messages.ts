import { messageTable } from './message-table.ts';

/** A numeric field of a message: where it is in the payload and how it becomes a value in `unit`. */
interface WireNumber {
  readonly name: string;
  readonly unit: string;
  readonly at: number;
  readonly read: (view: DataView, at: number) => number;
  readonly divisor: number;
  /** Stored number that means "unknown"; `null` if the message defines none. */
  readonly unknown: number | null;
}

/** A text field of a message. */
interface WireText {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
}

/** Definition of a message. */
export interface MessageDefinition {
  readonly id: number;
  readonly name: string;
  /** Seed of the checksum, which tells a reader with another definition (CRC_EXTRA). */
  readonly crcExtra: number;
  /** Bytes of the fields without extensions, which MAVLink 1 sends; and of all fields that are read. */
  readonly baseBytes: number;
  readonly bytes: number;
  readonly numbers: readonly WireNumber[];
  readonly texts: readonly WireText[];
}

interface WireType {
  readonly bytes: number;
  readonly read: WireNumber['read'];
}

const wireTypes: Readonly<Record<string, WireType>> = {
  char: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  uint16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  uint32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  uint64: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  float: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
};

const standardGravity = 9.80665;
/** Units of the definitions that are converted: the unit of the value, and its divisor. */
const conversions: Readonly<Record<string, readonly [string, number]>> = {
  degE7: ['deg', 1e7],
  mm: ['m', 1e3],
  cm: ['m', 100],
  'cm/s': ['m/s', 100],
  cdeg: ['deg', 100],
  mV: ['V', 1e3],
  cA: ['A', 100],
  mG: ['m/s²', 1e3 / standardGravity],
  'mrad/s': ['rad/s', 1e3],
  'm/s/s': ['m/s²', 1],
  cdegC: ['degC', 100],
  us: ['µs', 1],
  'd%': ['%', 10],
  'c%': ['%', 100],
  hPa: ['hPa', 1],
};
/** Dilutions of precision are sent times 100 under the names of accuracies. */
const dilutions: Readonly<Record<string, string>> = { eph: 'hdop', epv: 'vdop' };

const uint16Max = 65_535;
const uint8Max = 255;
/** Fields whose definition names a number for "unknown". */
const unknowns: readonly (readonly [RegExp, RegExp, number])[] = [
  [/^GPS/, /^(eph|epv|vel|cog)$/, uint16Max],
  [/^GPS/, /^satellites_visible$/, uint8Max],
  [/^GLOBAL_POSITION_INT$/, /^hdg$/, uint16Max],
  [/^RC_CHANNELS/, /^chan\d+_raw$/, uint16Max],
  [/^RC_CHANNELS/, /^rssi$/, uint8Max],
  [/^(BATTERY_STATUS|SYS_STATUS)$/, /^(voltages\[\d+\]|voltage_battery)$/, uint16Max],
  [
    /^(BATTERY_STATUS|SYS_STATUS)$/,
    /^(current_battery|battery_remaining|current_consumed|energy_consumed)$/,
    -1,
  ],
  [/^BATTERY_STATUS$/, /^temperature$/, 32_767],
];

/** Definitions by message id. */
export const definitions: ReadonlyMap<number, MessageDefinition> = new Map(
  messageTable.map(([id, name, fields]) => [id, parseDefinition(id, name, fields)]),
);

/** Parses a row of the table and computes its CRC_EXTRA. */
function parseDefinition(id: number, name: string, fields: string): MessageDefinition {
  const numbers: WireNumber[] = [];
  const texts: WireText[] = [];
  let [at, baseBytes, crc] = [0, 0, accumulate(0xffff, Buffer.from(`${name} `))];
  let isExtension = false;
  for (const row of fields.split('; ')) {
    if (row.startsWith('| ')) {
      isExtension = true;
      baseBytes = at;
    }
    const [, type, count, field, unit = ''] = /^(?:\| )?(\w+?)(?:\[(\d+)\])? (\w+)(?: (\S+))?$/.exec(row)!;
    const wire = wireTypes[type];
    const length = count === undefined ? 0 : Number(count);
    if (!isExtension) crc = accumulateField(crc, type, field, length);
    if (type === 'char') texts.push({ name: field, at, bytes: length });
    else
      for (let i = 0; i < Math.max(1, length); i++)
        numbers.push(
          buildNumber(name, length === 0 ? field : `${field}[${i}]`, unit, wire, at + i * wire.bytes),
        );
    at += Math.max(1, length) * wire.bytes;
  }
  const crcExtra = (crc & 0xff) ^ (crc >> 8);
  return { id, name, crcExtra, baseBytes: isExtension ? baseBytes : at, bytes: at, numbers, texts };
}

function buildNumber(message: string, field: string, unit: string, wire: WireType, at: number): WireNumber {
  const dilution = message.startsWith('GPS') ? dilutions[field] : undefined;
  const [own, divisor] = dilution !== undefined ? ['', 100] : (conversions[unit] ?? [unit, 1]);
  const unknown =
    unknowns.find(([messages, fields]) => messages.test(message) && fields.test(field))?.[2] ?? null;
  return { name: dilution ?? field, unit: own, at, read: wire.read, divisor, unknown };
}

function accumulateField(crc: number, type: string, field: string, length: number): number {
  const isPlain = type === 'char' || type === 'float';
  const next = accumulate(crc, Buffer.from(`${type}${isPlain ? '' : '_t'} ${field} `));
  return length === 0 ? next : accumulate(next, Buffer.of(length));
}

/** Continues a CRC-16/MCRF4XX (X.25) over `bytes`; it begins with 0xffff. */
export function accumulate(crc: number, bytes: Uint8Array, from = 0, to = bytes.length): number {
  let sum = crc;
  for (let i = from; i < to; i++) {
    let mixed = (bytes[i] ^ sum) & 0xff;
    mixed = (mixed ^ (mixed << 4)) & 0xff;
    sum = ((sum >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)) & 0xffff;
  }
  return sum;
}
