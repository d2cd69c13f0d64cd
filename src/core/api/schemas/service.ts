import { z } from 'zod';

export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readinessSchema = z
  .strictObject({
    status: z.literal('ready'),
    /** `embedded`: in this process. `server`: a PostgreSQL server, which other processes may share. */
    database: z.enum(['embedded', 'server']),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof readinessSchema>;
