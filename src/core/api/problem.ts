import { z } from 'zod';
import { type ErrorCode, errorCodes } from '#core';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** An error's body: RFC 9457 `application/problem+json`, with members that name what was wrong. */
export const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(codes),
    request_id: z.string(),
    /** What to do next. */
    advice: z.string().optional(),
    /** Where in the request: JSON pointers. */
    errors: z.array(z.strictObject({ pointer: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof problemSchema>;
