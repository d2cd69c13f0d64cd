import { describe, expect, it } from 'vitest';
import { AssayError, messageOf, wrapReadError } from './errors.ts';

describe('errors', () => {
  it('carry a code, what, where and what to do, and the exit code of the code', () => {
    const error = new AssayError('not_found', 'no folder', { path: 'a/b', advice: 'check the path' });
    expect(error).toMatchObject({
      code: 'not_found',
      path: 'a/b',
      place: null,
      advice: 'check the path',
      exitCode: 3,
    });
  });

  it('name the file when a system call fails', () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(wrapReadError(denied, 'a.mcap')).toMatchObject({ code: 'not_permitted', path: 'a.mcap' });
    expect(wrapReadError(new Error('short'), 'a.mcap', 'fetch it again')).toMatchObject({
      code: 'unreadable_input',
      advice: 'fetch it again',
    });
  });

  it('pass through unchanged when they are known already', () => {
    const known = new AssayError('limit_exceeded', 'too big');
    expect(wrapReadError(known, 'a.mcap')).toBe(known);
    expect(messageOf('text')).toBe('text');
  });
});
