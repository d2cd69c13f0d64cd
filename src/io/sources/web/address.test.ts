import { expect, test } from 'vitest';
import { formatAddress, webAddress } from './address.ts';

const hub = (owner: string, name: string, revision = 'main', path = '') => ({
  ...{ kind: 'hub', owner, name, revision, path },
});

test.each([
  ['hf://datasets/lab/set', hub('lab', 'set')],
  ['hf://lab/set', hub('lab', 'set')],
  ['hf://lab/set/', hub('lab', 'set')],
  ['hf://lab/set@v2.1', hub('lab', 'set', 'v2.1')],
  ['hf://lab/set@v2.1/day 1/left', hub('lab', 'set', 'v2.1', 'day 1/left')],
  [
    'hf://datasets/lab/set@refs/convert/parquet/default',
    hub('lab', 'set', 'refs/convert/parquet', 'default'),
  ],
  ['hf://lab/set@feature%2Fx/a', hub('lab', 'set', 'feature/x', 'a')],
  ['hf://lab/set/a//b', hub('lab', 'set', 'main', 'a/b')],
  ['https://huggingface.co/datasets/lab/set', hub('lab', 'set')],
  [
    'https://huggingface.co/datasets/lab/set/tree/main/data/chunk-000',
    hub('lab', 'set', 'main', 'data/chunk-000'),
  ],
  ['https://hf.co/datasets/lab/set/blob/v1/a%20b.mcap', hub('lab', 'set', 'v1', 'a b.mcap')],
])('%s is a dataset', (text, expected) => {
  const address = webAddress(text);
  expect(address).toEqual(expected);
  expect(webAddress(formatAddress(address!))).toEqual(expected);
});

test.each([
  ...['hf://', 'hf://lab', 'hf://datasets/set', 'hf://models/lab/set', 'hf://spaces/lab/set', 'hf://../set'],
  ...['hf://lab/..', 'hf://lab/set/../../x', 'hf://lab/set@', 'hf://lab/set@a%2F../b', 'hf://lab/set@a%3Fb'],
  ...['hf://user:secret@lab/set', 'hf://lab/set?x', 'ftp://lab/set', 'file:///etc', 'https://u:p@host/x/'],
  ...['https://host/x/?signature=1', 'https://host/x/#a', 'https://', 'http://[::1'],
])('%s is refused', (text) => {
  expect(() => webAddress(text)).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('a path is none, and other addresses are folders of a web server', () => {
  for (const path of ['/recordings/day-1', 'day 1', 'C:\\day']) expect(webAddress(path)).toBeNull();
  expect(webAddress('https://host/day 1/')).toMatchObject({ kind: 'folder' });
  expect(webAddress('https://huggingface.co.evil.test/datasets/lab/set')).toMatchObject({ kind: 'folder' });
});
