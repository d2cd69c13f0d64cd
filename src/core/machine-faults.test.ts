import { describe, expect, it } from 'vitest';
import { wrapReadError } from './errors.ts';
import { watchMachine } from './machine-faults.ts';

const thrownWith = (code: string) => Object.assign(new Error(`${code}: as the system says it`), { code });

describe('a fault of the machine', () => {
  it.each(['EMFILE', 'ENOMEM', 'ENOSPC', 'EIO', 'ESTALE'])('%s is no fault of the file', (code) => {
    expect(wrapReadError(thrownWith(code), 'a.mcap')).toMatchObject({ code: 'unfinished', path: 'a.mcap' });
  });

  it('is thrown by `watchMachine` even if the error was caught', () => {
    const demand = watchMachine();
    wrapReadError(new Error('the bytes are damaged'), 'a.mcap');
    expect(demand).not.toThrow();
    wrapReadError(new Error('IO Error: Could not read: Input/output error'), 'b.parquet');
    expect(demand).toThrow(/b.parquet/);
    expect(watchMachine()).not.toThrow();
  });
});
