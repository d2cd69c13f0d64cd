import { defineRegistry } from '#core';
import type { Check, ComparisonNotes } from './check.ts';
import { actionStateAgreement } from './checks/action-state-agreement.ts';
import { annotationCoverage } from './checks/annotation-coverage.ts';
import { cameraCoverage } from './checks/camera-coverage.ts';
import { episodeLength } from './checks/episode-length.ts';
import { gripperActivity } from './checks/gripper-activity.ts';
import { gripperConsistency } from './checks/gripper-consistency.ts';
import { imageIntegrity } from './checks/image-integrity.ts';
import { kinematicSanity } from './checks/kinematic-sanity.ts';
import { languagePresence } from './checks/language-presence.ts';
import { languageQuality } from './checks/language-quality.ts';
import { signalSync } from './checks/signal-sync.ts';
import { timelineIntegrity } from './checks/timeline-integrity.ts';
import { comparisons } from './comparison-registry.ts';

/**
 * Returns a check that also declares and raises the flags of the comparisons whose `raises` name it. Checks
 * without such comparisons are returned unchanged.
 */
function withComparisonFlags(check: Check): Check {
  const raising = comparisons.rows.filter(({ raises }) => raises?.check === check.id);
  if (raising.length === 0) return check;
  const raised = (notes: ComparisonNotes) =>
    raising.flatMap(({ id, raises }) => (notes[id] === undefined ? [] : raises!.judge(notes[id])));
  return {
    ...check,
    flags: [...check.flags, ...raising.flatMap(({ raises }) => raises!.flags)],
    judge: (values, notes) => [...check.judge(values, notes), ...raised(notes)],
  };
}

/** All readiness checks, in the order in which receipts list them. */
export const checks = defineRegistry<Check>(
  [
    timelineIntegrity,
    signalSync,
    episodeLength,
    kinematicSanity,
    actionStateAgreement,
    gripperActivity,
    gripperConsistency,
    languagePresence,
    languageQuality,
    cameraCoverage,
    imageIntegrity,
    annotationCoverage,
  ].map(withComparisonFlags),
);
