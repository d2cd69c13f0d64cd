import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#core';
import { RowPacker, unpackRows } from './row-pack.ts';

function packed(rows: readonly (JsonObject | null)[]): (JsonObject | null)[] {
  const packer = new RowPacker();
  for (const row of rows) packer.add(row);
  return unpackRows(packer.toBytes());
}

describe('packed comparison rows', () => {
  it('come out as they went in, in order, with holes where an episode has none', () => {
    const rows: (JsonObject | null)[] = [
      { layout: 'observation.state:6', scale: [46.6, -1e-12, 4294967295], samples: 300 },
      null,
      { layout: 'observation.state:6', scale: [], samples: 0 },
      {},
    ];
    expect(packed(rows)).toEqual(rows);
    expect(packed([])).toEqual([]);
  });

  it('carry nested values, truth values, null and texts of any script', () => {
    const row: JsonObject = {
      one: null,
      two: { three: [1, 'zwei', [true]] },
      four: false,
      five: '抓 "杯子"\n',
    };
    expect(packed([row, row])).toEqual([row, row]);
  });

  it('come out as JSON would give them where JSON has no such number', () => {
    const row = { minus: -0, none: Number.NaN, all: [1, Number.POSITIVE_INFINITY], gone: undefined };
    const [out] = packed([row as unknown as JsonObject]);
    expect(out).toEqual(JSON.parse(JSON.stringify(row)));
    expect(Object.is(out?.minus, 0)).toBe(true);
  });

  it('are read from bytes that start anywhere in their buffer', () => {
    const packer = new RowPacker();
    for (let i = 0; i < 1000; i++) packer.add({ text: `episode ${i}`, values: [i, i / 3] });
    const bytes = packer.toBytes();
    const shifted = Buffer.alloc(bytes.length + 3);
    shifted.set(bytes, 3);
    for (const read of [new Uint8Array(shifted.buffer, shifted.byteOffset + 3), shifted.subarray(3)]) {
      const rows = unpackRows(read);
      expect(rows[999]).toEqual({ text: 'episode 999', values: [999, 333] });
      expect(rows).toHaveLength(1000);
    }
  });
});
