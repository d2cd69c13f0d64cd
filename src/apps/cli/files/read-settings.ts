import { readFileSync } from 'node:fs';
import { AssayError, asUnreadable, messageOf } from '#core';

/** The settings file a person named. Throws `invalid_settings`, `not_found`. */
export function readSettings(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'name a readable JSON file');
  }
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new AssayError('invalid_settings', `${file} is not JSON: ${messageOf(thrown)}`, { path: file });
  }
}
