import type { MeasuredUnit } from '../steps/tasks.ts';

type UnitRows = MeasuredUnit['rows'];

interface Header {
  readonly episodes: readonly string[];
  readonly indices: readonly number[];
  /** By comparison, in the order of their bytes: how many. */
  readonly lengths: Readonly<Record<string, number>>;
}

/** What comparisons collected of a unit as one section of a pack: length of the header, header, rows. */
export function packRows({ episodes, indices, packed }: UnitRows): Uint8Array {
  const lengths = Object.fromEntries(Object.entries(packed).map(([id, bytes]) => [id, bytes.length]));
  const header = Buffer.from(JSON.stringify({ episodes, indices, lengths } satisfies Header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  return Buffer.concat([size, header, ...Object.values(packed)]);
}

/** The rows of some comparisons out of a section. */
export function unpackRows(section: Uint8Array, wanted: ReadonlySet<string>): UnitRows {
  const bytes = Buffer.from(section.buffer, section.byteOffset, section.byteLength);
  const start = 4 + bytes.readUInt32LE(0);
  const { episodes, indices, lengths }: Header = JSON.parse(bytes.toString('utf8', 4, start));
  const packed: Record<string, Uint8Array> = {};
  let at = start;
  for (const [id, length] of Object.entries(lengths)) {
    // Copied, so that the rows of other comparisons can go.
    if (wanted.has(id)) packed[id] = new Uint8Array(bytes.subarray(at, at + length));
    at += length;
  }
  return { episodes, indices, packed };
}
