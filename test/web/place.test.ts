import { expect, test } from 'vitest';
import { webAddress } from '#io/sources/web';
import { isWebPlace, placeProblem } from '../../web/src/screens/sources/place.ts';

test.each([
  ...[
    '/recordings/day-1',
    'C:\\recordings',
    '\\\\host\\share',
    '',
    ' hf://lerobot/pusht ',
    'hf://datasets/lab/set@v1/a',
  ],
  ...['hf://lab/set@refs/convert/parquet', 'https://host/folder/', 'https://huggingface.co/datasets/lab/set'],
  ...['http://10.0.0.1/set/', 's3://lab-bucket/days/1', 's3://lab'],
])('%s is sent to the service', (text) => {
  expect(placeProblem(text)).toBeNull();
});

test.each([
  ['lerobot/pusht', /hf:\/\/lerobot\/pusht/],
  ['recordings', /absolute path/],
  ['hf://lerobot', /OWNER\/NAME/],
  ['hf://models/lab/set', /OWNER\/NAME/],
  ['https://', /valid URL/],
  ['https://user:secret@host/', /password/],
  ['https://host/?token=a', /\?/],
  ['s3://', /BUCKET/],
  ['ftp://host/a', /cannot be read/],
])('%s is refused in the form, saying how to write it', (text, why) => {
  expect(placeProblem(text)).toMatch(why);
});

test('what the form refuses as an address, the service refuses as well', () => {
  for (const text of [
    'hf://lerobot',
    'hf://models/lab/set',
    'https://',
    'https://user:secret@host/',
    'ftp://host/a',
  ]) {
    expect(placeProblem(text)).not.toBeNull();
    expect(() => webAddress(text)).toThrow();
  }
  expect([isWebPlace(' hf://a/b'), isWebPlace('s3://a'), isWebPlace('/a')]).toEqual([true, false, false]);
});
