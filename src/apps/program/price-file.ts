import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { AssayError, asUnreadable, messageOf } from '#core';
import { type PriceList, writtenPricesSchema } from '#core/api';

const issuesNamed = 4;
const advice = 'docs/models.md#prices shows one';

/**
 * The price list of a file, in YAML or JSON; `compute_usd_per_s` counts where the file does not say. Throws
 * `invalid_settings` naming file and place, `not_found`, `not_permitted`.
 */
export function readPrices(file: string, compute_usd_per_s: number): PriceList {
  const path = resolve(file);
  const parsed = writtenPricesSchema.safeParse(documentIn(path));
  if (parsed.success)
    return { ...parsed.data, compute_usd_per_s: parsed.data.compute_usd_per_s ?? compute_usd_per_s };
  const said = parsed.error.issues
    .slice(0, issuesNamed)
    .map(({ path: place, message }) => `${pointer(place)}: ${message}`);
  throw new AssayError('invalid_settings', `the price list ${path} cannot be used: ${said.join('; ')}`, {
    path,
    advice,
  });
}

function documentIn(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw asUnreadable(thrown, path, 'ASSAY_PRICES must name a readable YAML or JSON file');
  }
  try {
    // An empty file is a list that says nothing.
    return parse(text, { logLevel: 'error', maxAliasCount: 16 }) ?? {};
  } catch (thrown) {
    throw new AssayError(
      'invalid_settings',
      `the price list ${path} is no YAML or JSON: ${messageOf(thrown)}`,
      {
        path,
        advice,
        cause: thrown,
      },
    );
  }
}

const pointer = (place: readonly PropertyKey[]): string =>
  place.length === 0
    ? 'the whole'
    : place.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
