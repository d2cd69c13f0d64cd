import { describe, expect, it } from 'vitest';
import { seededRandom } from '../testing/random.ts';
import { fillRows, openStored, rowsOf } from '../testing/rows.ts';
import { storedDatabase } from '../testing/stored-database.ts';
import { SqliteError } from './errors.ts';

describe('a hostile SQLite file', () => {
  const good = storedDatabase((database) => {
    database.exec('PRAGMA page_size = 1024');
    fillRows(database, 120);
  }).main;
  const spoilt = (change: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
    const bytes = good.slice();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  const codes = async (main: Uint8Array) => (await rowsOf({ main })).findings.map(({ code }) => code);
  /** Pages of one kind, as offsets. */
  const pages = (kind: number) =>
    Array.from({ length: good.length / 1024 - 1 }, (_, i) => (i + 1) * 1024).filter(
      (at) => good[at] === kind,
    );

  it.each([
    ['no bytes', () => new Uint8Array(0), 'empty header'],
    ['half a header', () => good.slice(0, 50), 'truncated at byte 50, inside the SQLite header'],
    ['a text', () => Buffer.from('SQLite is a C-language library '.repeat(40)), 'not an SQLite database'],
    ['page size of 0 bytes', () => spoilt((bytes) => bytes.fill(0, 16, 18)), 'page size of 0 bytes'],
    [
      'page size of 1000 bytes',
      () => spoilt((_, view) => view.setUint16(16, 1000)),
      'page size of 1000 bytes',
    ],
    [
      'no room in a page',
      () => spoilt((_, view) => view.setUint8(20, 255) ?? view.setUint16(16, 512)),
      '257 bytes',
    ],
    ['an encoding of its own', () => spoilt((_, view) => view.setUint32(56, 9)), 'text encoding 9'],
  ])('with %s is refused in words', async (_, bytes, words) => {
    await expect(openStored({ main: bytes() })).rejects.toThrow(words);
  });

  it('that says it has four billion pages takes no memory for them', async () => {
    const main = spoilt((_, view) => view.setUint32(28, 0xffffffff));
    expect(await codes(main)).toContain('file_truncated');
  });

  it('cut anywhere is read as far as it goes', async () => {
    const whole = (await rowsOf({ main: good })).rows.length;
    for (let length = 1024; length < good.length; length += 30_001) {
      const { rows, findings } = await rowsOf({ main: good.slice(0, length) });
      expect(rows.length).toBeLessThan(whole);
      expect(findings.map(({ code }) => code)).toContain('file_truncated');
    }
  });

  it('whose tree leads back to its root ends', async () => {
    const [root] = pages(5);
    const main = spoilt((_, view) => view.setUint32(root + 8, root / 1024 + 1));
    const { findings } = await rowsOf({ main });
    expect(findings.some(({ message }) => message.includes('occurs twice in the table'))).toBe(true);
  });

  it('whose rows go round in circles ends', async () => {
    const main = spoilt((bytes, view) => {
      // Every page that is no page of the tree continues a row; each now continues itself.
      for (let at = 1024; at < bytes.length; at += 1024)
        if (bytes[at] === 0) view.setUint32(at, at / 1024 + 1);
    });
    const { rows, findings } = await rowsOf({ main });
    expect(rows.length).toBeLessThan(120);
    expect(findings.map(({ code }) => code)).toContain('page_damaged');
  });

  it('whose cells all point at one row gives that row no more often than the page has room for', async () => {
    const [leaf] = pages(13);
    const main = spoilt((_, view) => {
      view.setUint16(leaf + 3, 400);
      for (let i = 0; i < 400; i++) view.setUint16(leaf + 8 + i * 2, 1000);
    });
    expect((await rowsOf({ main })).rows.length).toBeLessThan(400);
  });

  it('spoilt at random ends in rows, findings or an SqliteError', async () => {
    const random = seededRandom(3);
    for (let round = 0; round < 40; round++) {
      const main = spoilt((bytes) => {
        const head = random.integer(0, 1) === 0 ? 2048 : bytes.length;
        for (let i = random.integer(1, 12); i > 0; i--)
          bytes[random.integer(0, head - 1)] = random.integer(0, 255);
      });
      try {
        await rowsOf({ main });
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(SqliteError);
      }
    }
  });
});
