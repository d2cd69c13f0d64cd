import { canonicalJson, type ErrorCode, type JsonValue, sha256 } from '#core';
import { appendAudit, type Call } from '#service/operations';
import type { Store } from '#store';
import type { ToolEffect } from './tool.ts';

interface ToolUse {
  readonly id: string;
  readonly effect: ToolEffect;
  readonly input: JsonValue;
  readonly outcome: 'done' | ErrorCode;
}

/**
 * Notes that a tool was used, whoever confirmed it. What it changed, its use case has noted under the same request id.
 */
export function auditTool(store: Store, call: Call, { id, effect, input, outcome }: ToolUse): Promise<void> {
  return appendAudit(store, call, {
    action: 'use_tool',
    object_type: 'tool',
    object_id: id,
    before: null,
    after: null,
    detail: { effect, outcome, arguments_hash: argumentHash(id, input) },
  });
}

/** Of what a tool was asked to do, its defaults filled in: an approval is of this and nothing else. */
export function argumentHash(tool_id: string, input: JsonValue): string {
  return sha256(canonicalJson({ tool: tool_id, input }));
}
