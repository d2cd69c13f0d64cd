import { z } from 'zod';

/** What an episode is by its streams. */
export const kindSchema = z
  .enum(['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only', 'vision-asset'])
  .meta({ id: 'Kind' });
