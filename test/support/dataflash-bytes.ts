type Cell = number | bigint | string | readonly number[];

/** A message type as ArduPilot's firmware declares it. */
export interface DataflashType {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  readonly columns: string;
  /** Unit and multiplier letters of FMTU; absent: not said. */
  readonly units?: string;
  readonly multipliers?: string;
}

const sizes: Readonly<Record<string, number>> = {
  ...{ a: 64, b: 1, B: 1, h: 2, H: 2, i: 4, I: 4, q: 8, Q: 8, f: 4, d: 8, g: 2, n: 4, N: 16, Z: 64 },
  ...{ c: 2, C: 2, e: 4, E: 4, L: 4, M: 1 },
};

/** FMT, and the messages that tell units. */
const formatType: DataflashType = {
  id: 128,
  name: 'FMT',
  format: 'BBnNZ',
  columns: 'Type,Length,Name,Format,Columns',
};
const unitType: DataflashType = { id: 129, name: 'UNIT', format: 'QbZ', columns: 'TimeUS,Id,Label' };
const columnUnitsType: DataflashType = {
  id: 130,
  name: 'FMTU',
  format: 'QBNN',
  columns: 'TimeUS,FmtType,UnitIds,MultIds',
};
const multiplierType: DataflashType = { id: 131, name: 'MULT', format: 'Qbd', columns: 'TimeUS,Id,Mult' };

const units = {
  s: 's',
  d: 'deg',
  E: 'rad/s',
  o: 'm/s/s',
  v: 'V',
  A: 'A',
  '#': 'instance',
  D: 'deglatitude',
  U: 'deglongitude',
  m: 'm',
  h: 'degheading',
};
const multipliers: Readonly<Record<string, number>> = {
  '-': 0,
  '?': 1,
  '0': 1,
  B: 1e-2,
  C: 1e-3,
  F: 1e-6,
  G: 1e-7,
};

/** Writes DataFlash logs message by message, so that tests can make every kind there is, binary and text alike. */
export class DataflashBytes {
  readonly #parts: Uint8Array[] = [];
  readonly #lines: string[] = [];
  readonly #types: ReadonlyMap<string, DataflashType>;

  constructor(types: readonly DataflashType[], withUnits = true) {
    const all = withUnits
      ? [formatType, unitType, columnUnitsType, multiplierType, ...types]
      : [formatType, ...types];
    this.#types = new Map(all.map((type) => [type.name, type]));
    for (const { id, name, format, columns } of all)
      this.message('FMT', id, 3 + lengthOf(format), name, format, columns);
    if (!withUnits) return;
    for (const [id, label] of Object.entries(units)) this.message('UNIT', 0n, id.charCodeAt(0), label);
    for (const [id, by] of Object.entries(multipliers)) this.message('MULT', 0n, id.charCodeAt(0), by);
    for (const { id, units: own, multipliers: by } of types)
      if (own !== undefined) this.message('FMTU', 0n, id, own, by ?? '');
  }

  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  /** Cells as stored: centidegrees as whole numbers, degrees of latitude times 1e7. */
  message(name: string, ...cells: readonly Cell[]): this {
    const type = this.#types.get(name);
    if (type === undefined) throw new Error(`no type ${name}`);
    const body = Buffer.alloc(3 + lengthOf(type.format));
    body.set([0xa3, 0x95, type.id]);
    let at = 3;
    for (const [i, letter] of [...type.format].entries()) {
      put(body, at, letter, cells[i]);
      at += sizes[letter];
    }
    this.#lines.push([name, ...cells.map((cell, i) => said(type.format[i], cell))].join(', '));
    return this.raw(body);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  /** The same log as ground stations write it as text. */
  text(): string {
    return `${this.#lines.join('\r\n')}\r\n`;
  }
}

function lengthOf(format: string): number {
  return [...format].reduce((sum, letter) => sum + sizes[letter], 0);
}

function put(into: Buffer, at: number, letter: string, cell: Cell): void {
  if (typeof cell === 'string') into.write(cell, at, sizes[letter], 'latin1');
  else if (typeof cell === 'object')
    for (const [i, value] of cell.entries()) into.writeInt16LE(value, at + 2 * i);
  else if (letter === 'q') into.writeBigInt64LE(BigInt(cell), at);
  else if (letter === 'Q') into.writeBigUInt64LE(BigInt(cell), at);
  else putNumber(into, at, letter, Number(cell));
}

function putNumber(into: Buffer, at: number, letter: string, value: number): void {
  if (letter === 'f') into.writeFloatLE(value, at);
  else if (letter === 'd') into.writeDoubleLE(value, at);
  else if ('BM'.includes(letter)) into.writeUInt8(value, at);
  else if (letter === 'b') into.writeInt8(value, at);
  else if ('hc'.includes(letter)) into.writeInt16LE(value, at);
  // Half floats are given as their bits.
  else if ('HCg'.includes(letter)) into.writeUInt16LE(value, at);
  else if ('ieL'.includes(letter)) into.writeInt32LE(value, at);
  else into.writeUInt32LE(value, at);
}

function said(letter: string, cell: Cell): string {
  if (typeof cell === 'object') return 'array';
  if (typeof cell === 'string') return cell;
  const by = 'cCeE'.includes(letter) ? 100 : letter === 'L' ? 1e7 : 1;
  return String(letter === 'f' ? Math.fround(Number(cell)) : Number(cell) / by);
}
