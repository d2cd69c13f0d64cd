import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertWritable, writeNew } from './write-new.ts';

describe('a file that a command writes', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const usage = expect.objectContaining({ code: 'usage' });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-test-write-new-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is written whole, and looking first leaves nothing behind', () => {
    assertWritable({ path: at('new') });
    expect(readdirSync(folder)).toEqual([]);
    writeNew({ path: at('new') }, 'whole');
    expect([readdirSync(folder), readFileSync(at('new'), 'utf8')]).toEqual([['new'], 'whole']);
  });

  it('takes the place of another only where it may', () => {
    writeFileSync(at('mine'), 'mine');
    expect(() => assertWritable({ path: at('mine') })).toThrow(usage);
    expect(() => writeNew({ path: at('mine') }, 'other')).toThrow(usage);
    expect(readFileSync(at('mine'), 'utf8')).toBe('mine');
    const mayReplace = (text: string) => text === 'mine';
    assertWritable({ path: at('mine'), mayReplace });
    writeNew({ path: at('mine'), mayReplace }, 'other');
    expect(() => writeNew({ path: at('mine'), mayReplace }, 'third')).toThrow(usage);
    expect(readFileSync(at('mine'), 'utf8')).toBe('other');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is refused where a folder, a device or nothing writable is', () => {
    mkdirSync(at('folder'));
    symlinkSync('/dev/null', at('device'));
    for (const path of [at('folder'), at('device'), at('none/file'), '/proc/y'])
      expect(() => assertWritable({ path, mayReplace: () => true }), path).toThrow(usage);
  });
});
