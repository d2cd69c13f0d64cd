import { z } from 'zod';
import { checkedDocument } from './text/checked-document.ts';

const rateSchema = z.strictObject({ rate_hz: z.number().positive().max(1e6) });

/** The rate in Hz of a mapping file that declares nothing else. Throws `unreadable_input`, naming what does not fit. */
export function parseRate(text: string, path: string): number {
  return checkedDocument(text, rateSchema, {
    path,
    what: 'mapping that declares a rate',
    code: 'unreadable_input',
    advice: 'write rate_hz: and a number, in Hz, and nothing else; docs/mapping.md has what tables need',
  }).rate_hz;
}
