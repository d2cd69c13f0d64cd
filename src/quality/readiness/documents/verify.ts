import { AssayError, canonicalJson, clamp, hiddenAmbiguity, messageOf, sha256, significant } from '#core';
import { type Component, type Receipt, type ReceiptFlag, receiptSchema } from '#core/api';
import { settingBounds } from '#core/api/bounds';
import type { Check, ComparedNotes } from '../check.ts';
import { checks } from '../check-registry.ts';
import { withoutEchoes } from '../comparing/echoes.ts';
import { engine } from '../engine.ts';
import { decide, judgeCheck } from '../scoring.ts';
import { hashOfSettings, type ResolvedCheck } from '../settings.ts';

export interface Verification {
  /** Nothing speaks against the receipt. */
  readonly ok: boolean;
  /** What speaks against it, each naming the place. */
  readonly problems: readonly string[];
  /** What was seen and is allowed: another layout of the same content, a judgement by another version. */
  readonly notes: readonly string[];
  /** What the text says, where it could be read at all. */
  readonly receipt: Receipt | null;
}

/**
 * Verifies a receipt with nothing but its text: that it is a receipt, that its content is what was sealed, and that
 * judging its own measured inputs again gives its scores, flags and decision. A copy in another layout (pretty-printed)
 * says the same and passes with a note; a text that two readers could understand differently does not.
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
  const text = typeof document === 'string' ? document : utf8(document);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw refused(`not JSON: ${messageOf(thrown)}`);
  }
  if (canonicalJson(value) !== text.trimEnd()) {
    const ambiguity = hiddenAmbiguity(text);
    if (ambiguity !== null) throw refused(ambiguity);
    notes.push('not in canonical form; the content was verified in its canonical form');
  }
  const parsed = receiptSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw refused(`not a receipt: /${issue.path.map(String).join('/')} ${issue.message}`);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('not UTF-8 text');
  }
}

function refused(message: string): AssayError {
  return new AssayError('verification_failed', message);
}

function checkHash({ content_hash, ...rest }: Receipt, problems: string[]): void {
  const actual = sha256(canonicalJson(rest));
  if (actual !== content_hash) problems.push(`content_hash says ${content_hash}, the content has ${actual}`);
}

function checkRecipe({ episode: { cut } }: Receipt, problems: string[]): void {
  if (cut === undefined) return;
  const actual = cut.recipe === null ? null : sha256(canonicalJson(cut.recipe));
  if (actual !== cut.recipe_hash)
    problems.push(`recipe_hash says ${cut.recipe_hash}, its recipe has ${actual}`);
}

function checkJudgement(receipt: Receipt, problems: string[], notes: string[]): void {
  const verdict = decide(receipt.checks, receipt.flags, receipt.findings);
  for (const key of ['score', 'graded_fraction', 'decision', 'decision_reason'] as const) {
    if (verdict[key] !== receipt[key])
      problems.push(`${key} says ${receipt[key]}, its checks and flags give ${verdict[key]}`);
  }
  if (receipt.engine.version !== engine.version) {
    notes.push(
      `judged by version ${receipt.engine.version}, this is ${engine.version}: checks were not judged again`,
    );
    return;
  }
  checkComponents(receipt, problems);
}

function checkComponents(receipt: Receipt, problems: string[]): void {
  const ids = receipt.checks.map((component) => component.id).join(', ');
  if (ids !== checks.ids.join(', ')) {
    problems.push(`checks lists ${ids}; this version has ${checks.ids.join(', ')}`);
    return;
  }
  const settings: Record<string, ResolvedCheck> = {};
  const flags: ReceiptFlag[] = [];
  receipt.checks.forEach((component, i) => {
    const own = settingsOf(component);
    settings[component.id] = own;
    checkBounds(checks.rows[i], own, problems);
    flags.push(...judgedAgain(checks.rows[i], component, own, problems));
  });
  if (canonicalJson(withoutEchoes(flags)) !== canonicalJson(receipt.flags))
    problems.push('flags are not those that the checks raise when judged again');
  if (hashOfSettings(settings) !== receipt.settings_hash)
    problems.push('settings_hash does not belong to the thresholds and weights of the checks');
}

function settingsOf({ status, threshold, weight }: Component): ResolvedCheck {
  return { enabled: status !== 'disabled', threshold, weight };
}

function checkBounds(check: Check, { threshold, weight }: ResolvedCheck, problems: string[]): void {
  const [low, high] = settingBounds.threshold_offset.map((offset) =>
    significant(clamp(check.threshold.value + offset, 0, 1)),
  );
  if (threshold < low || threshold > high)
    problems.push(`${check.id}: threshold ${threshold} is outside ${low} to ${high}`);
  const heaviest = significant(check.weight * settingBounds.weight_factor[1]);
  if (weight < 0 || weight > heaviest)
    problems.push(`${check.id}: weight ${weight} is outside 0 to ${heaviest}`);
}

/** The flags that judging gives; what differs otherwise goes to `problems`. */
function judgedAgain(
  check: Check,
  component: Component,
  settings: ResolvedCheck,
  problems: string[],
): readonly ReceiptFlag[] {
  if (component.status !== 'scored') return [];
  try {
    // The schema has them as any JSON; a measurement of another shape makes judging fail, which is caught.
    const values = component.inputs as Parameters<Check['judge']>[0];
    const notes = component.compared as ComparedNotes | undefined;
    const judged = judgeCheck(check, { status: 'measured', values }, notes, settings);
    if (canonicalJson(judged.component) !== canonicalJson(component))
      problems.push(`${check.id}: score says ${component.score}, its inputs give another`);
    return judged.flags;
  } catch (thrown) {
    problems.push(`${check.id}: its inputs cannot be judged (${messageOf(thrown)})`);
    return [];
  }
}
