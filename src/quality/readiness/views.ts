import { significant } from '#core';
import type { Component, Receipt } from '#core/api';
import type { CheckId } from './check.ts';

/** `integrity`: the data was captured correctly. `semantic`: texts and labels describe what happened. */
export type ViewId = 'integrity' | 'semantic';

/** View of each check. The utility view contains signals instead of checks. */
export const viewOf: Readonly<Record<CheckId, ViewId>> = {
  timeline_integrity: 'integrity',
  signal_sync: 'integrity',
  episode_length: 'integrity',
  kinematic_sanity: 'integrity',
  action_state_agreement: 'integrity',
  camera_coverage: 'integrity',
  image_integrity: 'integrity',
  language_presence: 'semantic',
  language_quality: 'semantic',
  gripper_activity: 'semantic',
  gripper_consistency: 'semantic',
  annotation_coverage: 'semantic',
};

interface CheckView {
  /** Σ w·s / Σ w over the view's scored checks; null when none was scored. */
  readonly score: number | null;
  readonly checks: readonly Component[];
}

/**
 * Something that a training target needs from an episode: present, absent, or not assessable with the reason.
 */
export interface UtilitySignal {
  readonly signal: 'actions' | 'states' | 'cameras' | 'instruction' | 'outcome' | 'labels';
  readonly status: 'present' | 'absent' | 'not_assessable';
  readonly reason: string;
}

/**
 * Checks of a receipt grouped into the integrity and semantic views, and the signals of the utility view.
 */
export interface ReceiptViews {
  readonly integrity: CheckView;
  readonly semantic: CheckView;
  /** Has no score on purpose: nothing in it was measured on a trained policy. */
  readonly utility: { readonly signals: readonly UtilitySignal[] };
}

/**
 * Groups the checks and facts of a receipt into integrity, semantic and utility views. Nothing is measured or
 * evaluated again, so no view can contradict the receipt.
 */
export function createViews(receipt: Omit<Receipt, 'content_hash'>): ReceiptViews {
  return {
    integrity: checkView(receipt, 'integrity'),
    semantic: checkView(receipt, 'semantic'),
    utility: { signals: listUtilitySignals(receipt) },
  };
}

function checkView({ checks }: Pick<Receipt, 'checks'>, view: ViewId): CheckView {
  const views: Readonly<Record<string, ViewId>> = viewOf;
  const viewChecks = checks.filter((component) => views[component.id] === view);
  let weight = 0;
  let sum = 0;
  for (const component of viewChecks) {
    if (component.status !== 'scored') continue;
    weight += component.weight;
    sum += component.weight * component.score;
  }
  return { score: weight > 0 ? significant(sum / weight) : null, checks: viewChecks };
}

function listUtilitySignals({ episode, streams, checks }: Omit<Receipt, 'content_hash'>): UtilitySignal[] {
  const withRole = (signal: UtilitySignal['signal'], role: string): UtilitySignal => {
    const ids = streams
      .filter((stream) => stream.role === role && stream.sample_count > 0)
      .map(({ id }) => id);
    return ids.length > 0
      ? { signal, status: 'present', reason: ids.join(', ') }
      : { signal, status: 'absent', reason: `no ${role} stream` };
  };
  const { tasks, outcome } = episode;
  const labels = checks.find(({ id }) => id === 'annotation_coverage');
  return [
    withRole('actions', 'action'),
    withRole('states', 'state'),
    withRole('cameras', 'camera'),
    tasks === null
      ? { signal: 'instruction', status: 'not_assessable', reason: 'the format has no task texts' }
      : tasks.some((text) => text.trim() !== '')
        ? { signal: 'instruction', status: 'present', reason: tasks.join('; ') }
        : { signal: 'instruction', status: 'absent', reason: 'the task text is empty' },
    outcome.value === 'unknown'
      ? { signal: 'outcome', status: 'not_assessable', reason: outcome.reason }
      : { signal: 'outcome', status: 'present', reason: outcome.reason },
    labels?.status === 'scored'
      ? {
          signal: 'labels',
          status: 'present',
          reason: 'the Label coverage and validity check scores the labels',
        }
      : { signal: 'labels', status: 'absent', reason: labels?.reason ?? 'no labels' },
  ];
}
