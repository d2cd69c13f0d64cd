import { describe, expect, it } from 'vitest';
import { readLines, Spool, type SpoolRegion, TempFiles } from './spool.ts';

function filled(memoryLimit: number, temp: TempFiles): SpoolRegion[] {
  const spool = new Spool(() => temp.open(), memoryLimit);
  const regions: SpoolRegion[] = [];
  for (let part = 0; part < 4; part++) {
    for (let line = 0; line < 500; line++) spool.append(`${part}/${line} ${'ü'.repeat(line * 2)}`);
    regions.push(spool.cut());
  }
  return regions;
}

describe('Spool', () => {
  it('gives back the same lines from memory, from a file, and when it moved to one half way', () => {
    const temp = new TempFiles();
    const [memory, file, both] = [1e9, 0, 1.5e6].map((limit) =>
      filled(limit, temp).map((region) => [...readLines(region)]),
    );
    temp.close();
    expect(memory[3][499]).toBe(`3/499 ${'ü'.repeat(998)}`);
    expect(memory.flat()).toHaveLength(2000);
    expect(file).toEqual(memory);
    expect(both).toEqual(memory);
  });

  it('gives no lines for an empty region', () => {
    const spool = new Spool(() => -1, 1e6);
    expect([...readLines(spool.cut())]).toEqual([]);
  });
});
