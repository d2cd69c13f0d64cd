import { z } from 'zod';
import { type ErrorCode, errorCodes } from '#core';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** Body of an error answer: RFC 9457 `application/problem+json`, with additional members for programs. */
export const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(codes),
    request_id: z.string(),
    /** Advice: what to do next. */
    advice: z.string().optional(),
    /** Violations by their JSON pointers into the request. */
    errors: z.array(z.strictObject({ pointer: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof problemSchema>;
