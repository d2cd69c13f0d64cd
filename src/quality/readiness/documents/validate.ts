import { AssayError, canonicalJson, clamp, hiddenAmbiguity, messageOf, sha256, significant } from '#core';
import {
  type Component,
  type ReadinessSettings,
  type Receipt,
  type ReceiptFlag,
  readinessSettingsSchema,
  receiptSchema,
} from '#core/api';
import { settingBounds } from '#core/api/bounds';
import { describeLoaders, listSeverities, listUnknownLoaders } from '#formats/rules';
import type { Check, ComparisonNotes } from '../check.ts';
import { checks } from '../check-registry.ts';
import { missingEvidenceStart } from '../missing-evidence.ts';
import { engine } from '../receipt.ts';
import { limitSeverity, removeEchoes } from '../run-checks.ts';
import { decide, hashSettings, judgeCheck, type ResolvedCheck } from '../scoring.ts';

/** Result of verifying a receipt. */
export interface Verification {
  /** `true` if there are no problems. */
  readonly ok: boolean;
  /** Reasons why the receipt is not valid, each naming the field. */
  readonly problems: readonly string[];
  /**
   * Observations that do not invalidate the receipt: another layout of the same content, an evaluation by
   * another version.
   */
  readonly notes: readonly string[];
  /** The parsed receipt; `null` if the text could not be parsed. */
  readonly receipt: Receipt | null;
}

/**
 * Verifies a receipt without its recordings and returns all problems, without throwing for a bad document: its
 * schema, its hash, and that its measured inputs give its scores, flags and decision. A pretty-printed copy passes
 * with a note; a text that two JSON parsers could read differently fails.
 */
export function verifyReceipt(document: string | Uint8Array): Verification {
  const problems: string[] = [];
  const notes: string[] = [];
  try {
    const receipt = parse(document, notes);
    checkHash(receipt, problems);
    checkRecipe(receipt, problems);
    checkJudgement(receipt, problems, notes);
    return { ok: problems.length === 0, problems, notes, receipt };
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { ok: false, problems: [thrown.message], notes, receipt: null };
  }
}

function parse(document: string | Uint8Array, notes: string[]): Receipt {
  const text = typeof document === 'string' ? document : decodeUtf8(document);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw createVerificationError(`not JSON: ${messageOf(thrown)}`);
  }
  if (canonicalJson(value) !== text.trimEnd()) {
    const ambiguity = hiddenAmbiguity(text);
    if (ambiguity !== null) throw createVerificationError(ambiguity);
    notes.push('not in canonical form; the content was verified after canonicalisation');
  }
  const parsed = receiptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw createVerificationError(`not a receipt: /${issue.path.map(String).join('/')} ${issue.message}`);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw createVerificationError('not UTF-8 text');
  }
}

function createVerificationError(message: string): AssayError {
  return new AssayError('verification_failed', message);
}

function checkHash({ content_hash, ...rest }: Receipt, problems: string[]): void {
  const actual = sha256(canonicalJson(rest));
  if (actual !== content_hash)
    problems.push(`content_hash mismatch: the receipt says ${content_hash}, its content hashes to ${actual}`);
}

function checkRecipe({ episode: { cut } }: Receipt, problems: string[]): void {
  if (cut === undefined) return;
  const actual = cut.recipe === null ? null : sha256(canonicalJson(cut.recipe));
  if (actual !== cut.recipe_hash)
    problems.push(
      `recipe_hash mismatch: the receipt says ${cut.recipe_hash}, its recipe hashes to ${actual}`,
    );
}

function checkJudgement(receipt: Receipt, problems: string[], notes: string[]): void {
  const verdict = decide(receipt.checks, receipt.flags, receipt.findings);
  // How a reason describes missing evidence differs between versions, so that part is not compared.
  const [decision_reason] = receipt.decision_reason.split(missingEvidenceStart);
  const stated = { ...receipt, decision_reason };
  for (const key of ['score', 'graded_fraction', 'decision', 'decision_reason'] as const) {
    if (verdict[key] !== stated[key])
      problems.push(`${key} is ${stated[key]}, but its checks and flags give ${verdict[key]}`);
  }
  if (receipt.engine.version !== engine.version) {
    notes.push(
      `evaluated by version ${receipt.engine.version}, this is ${engine.version}: checks were not re-evaluated`,
    );
    return;
  }
  checkComponents(receipt, problems);
}

function checkComponents(receipt: Receipt, problems: string[]): void {
  const ids = receipt.checks.map((component) => component.id).join(', ');
  if (ids !== checks.ids.join(', ')) {
    problems.push(`checks are ${ids}; this version has ${checks.ids.join(', ')}`);
    return;
  }
  const settings: Record<string, ResolvedCheck> = {};
  const flags: ReceiptFlag[] = [];
  receipt.checks.forEach((component, i) => {
    const componentSettings = readSettings(component);
    settings[component.id] = componentSettings;
    checkBounds(checks.rows[i], componentSettings, problems);
    flags.push(...rejudge(checks.rows[i], component, componentSettings, problems));
  });
  if (!areFlagsOf(receipt, removeEchoes(flags)))
    problems.push('the flags differ from those that the checks raise when re-evaluated');
  if (hashSettings(settings, receipt.loaders) !== receipt.settings_hash)
    problems.push('settings_hash does not match the thresholds and weights of the checks and the loaders');
}

/**
 * Returns whether a receipt has the raised flags. A blocking one may be less severe in it, as far as a loader of the format
 * takes what it reports: which loader judged the dataset may depend on files that the receipt does not name.
 */
function areFlagsOf({ flags, episode }: Receipt, raised: readonly ReceiptFlag[]): boolean {
  const isOf = (flag: ReceiptFlag, own: ReceiptFlag) => {
    const limits = [undefined, ...listSeverities(episode.locator.format, flag.code)];
    return limits.some((limit) => canonicalJson(limitSeverity(flag, limit)) === canonicalJson(own));
  };
  return flags.length === raised.length && raised.every((flag, at) => isOf(flag, flags[at]));
}

function readSettings({ status, threshold, weight }: Component): ResolvedCheck {
  return { enabled: status !== 'disabled', threshold, weight };
}

function checkBounds(check: Check, { threshold, weight }: ResolvedCheck, problems: string[]): void {
  const [low, high] = settingBounds.threshold_offset.map((offset) =>
    significant(clamp(check.threshold.value + offset, 0, 1)),
  );
  if (threshold < low || threshold > high)
    problems.push(`${check.id}: threshold ${threshold} is not between ${low} and ${high}`);
  const heaviest = significant(check.weight * settingBounds.weight_factor[1]);
  if (weight < 0 || weight > heaviest)
    problems.push(`${check.id}: weight ${weight} is not between 0 and ${heaviest}`);
}

/**
 * Re-evaluates one check from its inputs and returns the flags. Other differences are added to `problems`.
 */
function rejudge(
  check: Check,
  component: Component,
  settings: ResolvedCheck,
  problems: string[],
): readonly ReceiptFlag[] {
  if (component.status !== 'scored') return [];
  try {
    // The schema accepts any JSON; inputs of another shape make `judgeCheck` throw, which is caught below.
    const values = component.inputs as Parameters<Check['judge']>[0];
    const notes = component.compared as ComparisonNotes | undefined;
    const judged = judgeCheck(check, { status: 'measured', values }, notes, settings);
    if (canonicalJson(judged.component) !== canonicalJson(component))
      problems.push(`${check.id}: score is ${component.score}, but its inputs give a different score`);
    return judged.flags;
  } catch (thrown) {
    problems.push(`${check.id}: its inputs cannot be evaluated (${messageOf(thrown)})`);
    return [];
  }
}

/**
 * Parses user-supplied readiness settings; throws `invalid_settings` with the JSON pointer of the first problem if
 * they do not match the schema or name an unknown loader.
 */
export function parseSettings(raw: unknown): ReadinessSettings {
  const parsed = readinessSettingsSchema.safeParse(raw);
  if (parsed.success) {
    requireKnownLoaders(parsed.data.loaders ?? []);
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  throw new AssayError('invalid_settings', `settings: ${issue.message}`, {
    place: `/${issue.path.map(String).join('/')}`,
    advice:
      'pass an object { "checks": { "<check id>": { "enabled", "threshold_offset", "weight_factor" } }, "loaders": ["<loader id>"] }',
  });
}

function requireKnownLoaders(ids: readonly string[]): void {
  const [unknown] = listUnknownLoaders(ids);
  if (unknown === undefined) return;
  throw new AssayError('invalid_settings', `settings: unknown loader: ${unknown}`, {
    place: `/loaders/${ids.indexOf(unknown)}`,
    advice: `choose from ${describeLoaders()}`,
  });
}
