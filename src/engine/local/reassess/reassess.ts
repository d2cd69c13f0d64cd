import { canonicalJson, type JsonObject } from '#core';
import type { Component, Receipt } from '#core/api';
import { readRecipe } from '#formats/recipes';
import { checks } from '#quality/readiness';
import type { Recordings } from '../../recordings/open-recordings.ts';
import { kindSetByHand } from '../../steps/measure/kind-set-by-hand.ts';
import { unfinishedError } from '../../steps/measure/unfinished.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';

type ReassessOptions = Pick<AssessOptions, 'settings' | 'workers' | 'kind' | 'limit'>;

/** A receipt to be held against its source: small, the rest is loaded where it differs. */
export interface SealedReceipt {
  readonly key: string;
  readonly content_hash: string;
  load(): Receipt;
}

/** What a receipt is found again by; episodes of two datasets may share it. */
export function receiptKey({ episode: { id, locator } }: Receipt): string {
  // Canonical, since a parsed receipt may hold its members in another order than one just made.
  return canonicalJson([locator, id]);
}

/**
 * Assesses `source` again as the receipts were judged (settings and a kind set by hand are in the receipts) and says,
 * for each receipt that is not among what comes out, where it differs from what does. Receipts of one assessment only:
 * the settings are taken from the first. Throws `unfinished` where the source could not be measured whole here.
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
      settings: settingsOf(first),
      ...options,
      ...(byHand ? { kind: first.kind.kind } : {}),
      ...(await recipeOf(first)),
      ...rateOf(first),
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

/** The recipe that the recording was cut by, as the receipt carries it; checked like one that a person wrote. */
async function recipeOf({ episode: { cut } }: Receipt): Promise<Pick<AssessOptions, 'recipe'>> {
  if (cut?.recipe == null) return {};
  return { recipe: await readRecipe(JSON.stringify(cut.recipe), 'the recipe of the receipt') };
}

/** A rate that was asked for; one in a mapping file is read again with the recordings. */
function rateOf({ episode: { declared_rate: rate } }: Receipt): Pick<AssessOptions, 'rate_hz'> {
  return rate?.source === '--rate-hz' ? { rate_hz: rate.hz } : {};
}

function compareAll<Sealed extends SealedReceipt>(
  receipts: readonly Sealed[],
  made: Iterable<string>,
  source: string,
): Map<Sealed, readonly string[]> {
  const wanted = new Map(receipts.map((sealed) => [`${sealed.key} ${sealed.content_hash}`, sealed]));
  const keys = new Set(receipts.map(({ key }) => key));
  const others = new Map<string, Receipt>();
  for (const json of made) {
    const now: Receipt = JSON.parse(json);
    const key = receiptKey(now);
    if (!wanted.delete(`${key} ${now.content_hash}`) && keys.has(key)) others.set(key, now);
  }
  const differences = new Map<Sealed, readonly string[]>();
  for (const sealed of wanted.values()) {
    const now = others.get(sealed.key);
    const then = sealed.load();
    differences.set(
      sealed,
      now === undefined
        ? [`${source} gives no episode ${then.episode.id} at ${then.episode.locator.path}`]
        : differencesOf(then, now),
    );
  }
  return differences;
}

/** The settings a receipt was judged under, from the thresholds and weights it lists. */
function settingsOf(receipt: Receipt): JsonObject {
  const rows: Record<string, JsonObject> = {};
  for (const component of receipt.checks) {
    const check = checks.get(component.id);
    if (check !== undefined)
      rows[component.id] = differenceFrom(check.threshold.value, check.weight, component);
  }
  return { checks: rows };
}

function differenceFrom(threshold: number, weight: number, component: Component): JsonObject {
  return {
    enabled: component.status !== 'disabled',
    threshold_offset: component.threshold - threshold,
    weight_factor: weight === 0 ? 1 : component.weight / weight,
  };
}

const shown = 8;

/** Where two receipts differ, as JSON pointers with both values. */
function differencesOf(then: Receipt, now: Receipt): string[] {
  const found: string[] = [];
  compare('', then, now, found);
  const listed = found.filter((line) => !line.startsWith('/content_hash'));
  const more = listed.length - shown;
  return more > 0 ? [...listed.slice(0, shown), `and ${more} more differences`] : listed;
}

function compare(pointer: string, then: unknown, now: unknown, found: string[]): void {
  if (isObject(then) && isObject(now)) {
    for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
      compare(`${pointer}/${key}`, then[key], now[key], found);
    }
  } else if (sealed(then) !== sealed(now)) {
    found.push(`${pointer}: the receipt says ${brief(then)}, the source gives ${brief(now)}`);
  }
}

function sealed(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
