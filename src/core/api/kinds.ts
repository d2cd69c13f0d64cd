import { z } from 'zod';

/** Kind of an episode, by what its streams record. */
export const kindSchema = z
  .enum(['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only', 'vision-asset'])
  .meta({ id: 'Kind' });
