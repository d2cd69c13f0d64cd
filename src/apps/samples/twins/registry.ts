import { defineRegistry } from '#core';
import { coarseVideo } from './coarse-video.ts';
import { gripperPartlyUsed } from './gripper-partly-used.ts';
import { gripperStep } from './gripper-step.ts';
import { gripperUnused } from './gripper-unused.ts';
import { groundFailsafe } from './ground-failsafe.ts';
import { repeatedCommands } from './held-commands.ts';
import { idleEnd } from './idle-end.ts';
import { idleStart } from './idle-start.ts';
import { keyboardCommands } from './keyboard-commands.ts';
import { lastCommand } from './last-command.ts';
import { leaderRests } from './leader-rests.ts';
import { lerobotVideo } from './lerobot-video.ts';
import { longGroups } from './long-groups.ts';
import { paraphrasedTexts } from './paraphrased-texts.ts';
import { quaternionSign } from './quaternion-sign.ts';
import { restingTremor } from './resting-tremor.ts';
import { scriptedMotion } from './scripted-motion.ts';
import { simulatedNoise } from './simulated-noise.ts';
import { slightOffset } from './slight-offset.ts';
import { tenSteps } from './ten-steps.ts';
import type { Twin } from './twin.ts';
import { velocityCommands } from './velocity-commands.ts';
import { zeroChannels } from './zero-channels.ts';

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
