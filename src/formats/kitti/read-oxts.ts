import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { NumberedFile } from './layout.ts';
import { oxtsFields } from './oxts-fields.ts';
import { kittiBreach } from './rules.ts';

/** Packets in the order of their files, row-major; a field that could not be read is NaN. */
export interface OxtsPackets {
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

/** A packet is some 400 bytes of text. */
const packetBytes = 4096;
const ahead = 16;

/** Reads a small text file a packet, some of them at a time. */
export async function readOxts(tree: SourceTree, files: readonly NumberedFile[]): Promise<OxtsPackets> {
  const width = oxtsFields.length;
  const values = new Float64Array(files.length * width).fill(Number.NaN);
  const odd: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const row = next++;
      const { path } = files[row];
      const text = new TextDecoder().decode(await tree.head(path, packetBytes).catch(() => new Uint8Array()));
      const numbers = text.trim().split(/\s+/).map(Number);
      if (numbers.length === width && numbers.every(Number.isFinite)) values.set(numbers, row * width);
      else odd.push(path);
    }
  };
  await Promise.all(Array.from({ length: Math.min(ahead, files.length) }, work));
  return { values, findings: odd.length === 0 ? [] : [oddFinding(odd.sort(), files.length)] };
}

function oddFinding(odd: readonly string[], packets: number): Finding {
  const message = `${odd.length} of ${packets} OXTS packets are not ${oxtsFields.length} numbers (${odd.slice(0, 3).join(', ')})`;
  return kittiBreach('oxts_packet_unreadable', odd[0], message, { packets, unreadable: odd.length });
}

/** Columns `first` to `first + count` of the packets. */
export function columnsOf({ values }: OxtsPackets, first: number, count: number): Float64Array {
  const width = oxtsFields.length;
  const rows = values.length / width;
  const out = new Float64Array(rows * count);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < count; k++) out[row * count + k] = values[row * width + first + k];
  return out;
}
