import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AssayError, errorCodes, type JsonObject, type JsonValue } from '#core';

/** An answer as text for any client, and as structure for those that read it. */
export function toolAnswer(answer: JsonValue): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    ...(isObject(answer) ? { structuredContent: { ...answer } } : {}),
  };
}

/** A failure as the model is told it: what, why, and what to do. Nothing internal leaves. */
export function toolFailure(thrown: unknown): CallToolResult {
  const error = thrown instanceof AssayError ? thrown : new AssayError('internal', 'the tool failed');
  const { code, message, advice, details } = error;
  const told = { code, title: errorCodes[code].title, message, advice, details };
  return {
    ...toolAnswer({
      error: code === 'internal' ? { ...told, message: 'the tool failed', details: {} } : told,
    }),
    isError: true,
  };
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
