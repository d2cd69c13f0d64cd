import { z } from 'zod';
import { EndpointFault } from './endpoint-fault.ts';

/** What a model wrote, held against the form that was asked for. Throws `EndpointFault` with what is wrong. */
export function readAnswer<Answer>(text: string, form: z.ZodType<Answer>): Answer {
  const read = form.safeParse(jsonIn(text));
  if (read.success) return read.data;
  throw new EndpointFault(`gave an answer of another form: ${z.prettifyError(read.error).slice(0, 300)}`, {
    code: 'endpoint_failed',
    passes: true,
  });
}

/** Some models think aloud first, or put the answer into a fence. */
function jsonIn(text: string): unknown {
  const said = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(said);
  try {
    return JSON.parse(fenced?.[1] ?? said);
  } catch {
    throw new EndpointFault('gave an answer that is no JSON', { code: 'endpoint_failed', passes: true });
  }
}
