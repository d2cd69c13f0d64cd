import { defineRegistry } from '#core';
import { keyboardCommands, lastCommand, repeatedCommands, velocityCommands } from './command-twins.ts';
import { groundFailsafe, paraphrasedTexts, scriptedMotion, tenSteps } from './episode-twins.ts';
import { gripperPartlyUsed, gripperStep, gripperUnused } from './gripper-twins.ts';
import { idleEnd, idleStart, leaderRests, restingTremor } from './rest-twins.ts';
import { quaternionSign, simulatedNoise, slightOffset, zeroChannels } from './signal-twins.ts';
import type { Twin } from './twin.ts';
import { coarseVideo, lerobotVideo, longGroups } from './video-twins.ts';

/** Registry of all clean controls (valid recordings that look like a fault). */
export const twins = defineRegistry<Twin>([
  idleStart,
  coarseVideo,
  longGroups,
  lerobotVideo,
  groundFailsafe,
  gripperPartlyUsed,
  gripperStep,
  gripperUnused,
  repeatedCommands,
  idleEnd,
  keyboardCommands,
  lastCommand,
  leaderRests,
  paraphrasedTexts,
  quaternionSign,
  restingTremor,
  scriptedMotion,
  simulatedNoise,
  slightOffset,
  tenSteps,
  velocityCommands,
  zeroChannels,
]);
