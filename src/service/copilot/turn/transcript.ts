import type { ModelMessage } from 'ai';
import type { ChatRequest, ToolEnvelope } from '#core/api';
import { withholdMedia, withholdWithin } from '../boundary/withhold-media.ts';
import type { ModelToolCall } from '../providers/call-model.ts';
import { asData } from './as-data.ts';

/** The talk as a model is shown it: what people typed or pasted comes without media. */
export const messagesOf = ({ messages }: ChatRequest): ModelMessage[] =>
  messages.map(({ role, content }) => ({ role, content: withholdMedia(content) }));

/** One call of a tool with how it ended. */
export interface EndedCall {
  readonly call: ModelToolCall;
  readonly envelope: ToolEnvelope;
}

/** What a round of tools adds to the talk: the model's own words and calls, and what came of each. */
export function roundOf(text: string, ended: readonly EndedCall[]): ModelMessage[] {
  const calls = ended.map(({ call: { call_id, tool, input, malformed } }) => ({
    ...{ type: 'tool-call' as const, toolCallId: call_id, toolName: tool },
    input: malformed ? {} : withholdWithin(input),
  }));
  const results = ended.map(({ call: { call_id, tool }, envelope }) => ({
    ...{ type: 'tool-result' as const, toolCallId: call_id, toolName: tool },
    output: { type: 'text' as const, value: asData(tool, envelope) },
  }));
  const words = text === '' ? [] : [{ type: 'text' as const, text: withholdMedia(text) }];
  return [
    { role: 'assistant', content: [...words, ...calls] },
    { role: 'tool', content: results },
  ];
}
