import { defineRegistry } from '#kernel';
import type { Check } from './check.ts';
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

/** Every readiness check, in the order in which receipts list them. */
export const checks = defineRegistry<Check>([
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
]);
