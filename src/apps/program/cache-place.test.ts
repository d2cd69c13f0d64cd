import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from './launcher.ts';

describe('the folder of the cache', () => {
  it('is the user’s own, unless the environment says otherwise', () => {
    expect(cacheFolder({})).toBe(join(homedir(), '.cache/assay'));
    expect(cacheFolder({ XDG_CACHE_HOME: '/var/tmp/c' })).toBe('/var/tmp/c/assay');
    expect(cacheFolder({ XDG_CACHE_HOME: 'relative' })).toBe(join(homedir(), '.cache/assay'));
    expect(cacheFolder({ XDG_CACHE_HOME: '/var/tmp/c', ASSAY_CACHE: 'mine' })).toBe(resolve('mine'));
    expect(cacheFolder({ ASSAY_CACHE: 'none' })).toBeNull();
  });
});
