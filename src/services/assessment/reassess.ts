import type { Component, Receipt } from '#contract';
import { canonicalJson, type JsonObject } from '#kernel';
import { checks } from '#readiness';
import { assess } from './assess.ts';
import { kindSetByHand } from './episode-measurer.ts';
import type { AssessHooks, AssessOptions } from './options.ts';

export type ReassessOptions = Pick<AssessOptions, 'settings' | 'workers' | 'limit'>;

/**
 * Assesses `source` again as the receipts were judged (settings and a kind set by hand are in the receipts) and says,
 * for each receipt that is not what comes out, where they differ. Receipts of one assessment only: the settings are
 * taken from the first.
 */
export async function reassess(
  receipts: readonly Receipt[],
  source: string,
  options: ReassessOptions,
  hooks: AssessHooks,
): Promise<ReadonlyMap<Receipt, readonly string[]>> {
  const first = receipts[0];
  const result = await assess(
    source,
    {
      settings: settingsOf(first),
      ...options,
      ...(first.kind.evidence[0]?.startsWith(kindSetByHand) === true ? { kind: first.kind.kind } : {}),
      receipts: true,
    },
    hooks,
  );
  try {
    const wanted = new Map(receipts.map((receipt) => [keyOf(receipt), receipt]));
    const differences = new Map<Receipt, readonly string[]>();
    for (const json of result.receipts()) {
      const now: Receipt = JSON.parse(json);
      const then = wanted.get(keyOf(now));
      if (then === undefined) continue;
      wanted.delete(keyOf(now));
      if (now.content_hash !== then.content_hash) differences.set(then, differencesOf(then, now));
    }
    for (const missing of wanted.values()) {
      differences.set(missing, [
        `${source} gives no episode ${missing.episode.id} at ${missing.episode.locator.path}`,
      ]);
    }
    return differences;
  } finally {
    await result.close();
  }
}

function keyOf({ episode: { id, locator } }: Receipt): string {
  // Canonical, since a parsed receipt may hold its members in another order than one just made.
  return canonicalJson([locator, id]);
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
