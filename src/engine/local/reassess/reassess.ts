import { canonicalJson, type JsonObject } from '#core';
import type { Component, Receipt } from '#core/api';
import { readRecipe } from '#formats/recipes';
import { checks } from '#quality/readiness';
import type { Recordings } from '../../open-recordings.ts';
import { kindSetByHand } from '../../steps/measure/kinds.ts';
import { unfinishedError } from '../../steps/measure/unit-faults.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';

type ReassessOptions = Pick<AssessOptions, 'settings' | 'workers' | 'kind' | 'limit'>;

/** A receipt to compare with its source: small, the rest is loaded only on a difference. */
export interface SealedReceipt {
  readonly key: string;
  readonly content_hash: string;
  load(): Receipt;
}

/** Returns a key of a receipt's episode: its locator and id. Episodes of two datasets may have the same key. */
export function receiptKey({ episode: { id, locator } }: Receipt): string {
  // Canonical JSON, since parsed receipts may have another member order.
  return canonicalJson([locator, id]);
}

/**
 * Assesses `source` again with the receipts' settings (including a kind set by hand) and returns the differences of each
 * receipt that is not reproduced; empty if all are. All receipts must be of one assessment: the settings are taken from the
 * first. Throws `unfinished` if the source could not be measured completely here.
 */
export async function reassess<Sealed extends SealedReceipt>(
  receipts: readonly Sealed[],
  source: Recordings,
  options: ReassessOptions,
  hooks: AssessHooks,
): Promise<ReadonlyMap<Sealed, readonly string[]>> {
  const first = receipts[0].load();
  const byHand = first.kind.evidence[0]?.startsWith(kindSetByHand) === true;
  const result = await assess(
    source,
    {
      settings: receiptSettings(first),
      ...options,
      ...(byHand ? { kind: first.kind.kind } : {}),
      ...(await receiptRecipe(first)),
      ...receiptRate(first),
      ...(first.pictures === undefined ? {} : { pictures: first.pictures }),
      receipts: true,
    },
    hooks,
  );
  try {
    if (result.incomplete.length > 0) throw unfinishedError(result.incomplete, 'verify it again');
    return compareAll(receipts, result.receipts(), typeof source === 'string' ? source : 'the source');
  } finally {
    await result.close();
  }
}

/** Returns the recipe in the receipt, validated like one that a user wrote. */
async function receiptRecipe({ episode: { cut } }: Receipt): Promise<Pick<AssessOptions, 'recipe'>> {
  if (cut?.recipe == null) return {};
  return { recipe: await readRecipe(JSON.stringify(cut.recipe), 'the recipe of the receipt') };
}

/** Returns the requested rate of the receipt. A rate from a mapping file is read again with the recordings. */
function receiptRate({ episode: { declared_rate: rate } }: Receipt): Pick<AssessOptions, 'rate_hz'> {
  return rate?.source === '--rate-hz' ? { rate_hz: rate.hz } : {};
}

function compareAll<Sealed extends SealedReceipt>(
  receipts: readonly Sealed[],
  made: Iterable<string>,
  source: string,
): Map<Sealed, readonly string[]> {
  const missing = new Map(receipts.map((receipt) => [`${receipt.key} ${receipt.content_hash}`, receipt]));
  const keys = new Set(receipts.map(({ key }) => key));
  const others = new Map<string, Receipt>();
  for (const json of made) {
    const now: Receipt = JSON.parse(json);
    const key = receiptKey(now);
    if (!missing.delete(`${key} ${now.content_hash}`) && keys.has(key)) others.set(key, now);
  }
  const differences = new Map<Sealed, readonly string[]>();
  for (const receipt of missing.values()) {
    const now = others.get(receipt.key);
    const then = receipt.load();
    differences.set(
      receipt,
      now === undefined
        ? [`no episode ${then.episode.id} at ${then.episode.locator.path} in ${source}`]
        : listDifferences(then, now),
    );
  }
  return differences;
}

/** Returns the settings of a receipt, from its thresholds, weights and loaders. */
function receiptSettings(receipt: Receipt): JsonObject {
  const rows: Record<string, JsonObject> = {};
  for (const component of receipt.checks) {
    const check = checks.get(component.id);
    if (check !== undefined)
      rows[component.id] = differenceFrom(check.threshold.value, check.weight, component);
  }
  return { checks: rows, ...(receipt.loaders === undefined ? {} : { loaders: receipt.loaders }) };
}

function differenceFrom(threshold: number, weight: number, component: Component): JsonObject {
  return {
    enabled: component.status !== 'disabled',
    threshold_offset: component.threshold - threshold,
    weight_factor: weight === 0 ? 1 : component.weight / weight,
  };
}

const maxDifferences = 8;

/** Returns the differences of two receipts, as JSON pointers with both values. */
function listDifferences(then: Receipt, now: Receipt): string[] {
  const found: string[] = [];
  compare('', then, now, found);
  const listed = found.filter((line) => !line.startsWith('/content_hash'));
  const more = listed.length - maxDifferences;
  return more > 0 ? [...listed.slice(0, maxDifferences), `and ${more} more differences`] : listed;
}

function compare(pointer: string, then: unknown, now: unknown, found: string[]): void {
  if (isObject(then) && isObject(now)) {
    for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
      compare(`${pointer}/${key}`, then[key], now[key], found);
    }
  } else if (toCanonical(then) !== toCanonical(now)) {
    found.push(`${pointer}: receipt ${shorten(then)}, source ${shorten(now)}`);
  }
}

function toCanonical(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
