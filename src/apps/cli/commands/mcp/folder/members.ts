import { z } from 'zod';

/** Members that several tools take. */
export const pathMember = z
  .string()
  .max(4096)
  .default('.')
  .meta({ description: 'below the folder that was opened; absent: all of it' });

export const limitMember = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'only the first so many episodes of each dataset' });
