import { readFileSync } from 'node:fs';
import { AssayError, messageOf, wrapReadError } from '#core';

/** Reads a settings file as JSON, without validating it. Throws `invalid_settings` if it is not JSON, `not_found`. */
export function readSettings(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'pass a readable JSON file');
  }
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new AssayError('invalid_settings', `${file} is not valid JSON: ${messageOf(thrown)}`, {
      path: file,
    });
  }
}
