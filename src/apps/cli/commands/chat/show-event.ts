import type { CopilotChatEvent } from '@assay/client';
import type { Io } from '../../io.ts';
import { printable } from '../../printable.ts';

const longest = 160;

/** The assistant's words to standard output as they come, what it does to standard error; or everything as JSON lines. */
export async function showEvent(event: CopilotChatEvent, io: Io, json: boolean): Promise<void> {
  if (json) return io.out(`${JSON.stringify({ event: event.event, data: event.data })}\n`);
  if (event.event === 'token') return io.out(event.data.text);
  const line = lineOf(event);
  if (line !== null) io.note(`${printable(line)}\n`);
  if (event.event === 'done') await io.out('\n');
}

/** Null for what needs no line. */
function lineOf(event: CopilotChatEvent): string | null {
  switch (event.event) {
    case 'start':
      return event.data.degraded
        ? `assay: no model answers${event.data.reason === null ? '' : `: ${event.data.reason}`}`
        : `assay: ${event.data.model} answers`;
    case 'tool_call':
      return short(`  → ${event.data.tool} ${JSON.stringify(event.data.arguments)}`);
    case 'tool_result':
      return `  ← ${event.data.tool} ${resultOf(event.data.result)}`;
    case 'usage': {
      const { prompt_tokens, completion_tokens, cost_usd } = event.data;
      return `  ${prompt_tokens} + ${completion_tokens} tokens, $${cost_usd}`;
    }
    case 'error':
      return `assay: ${event.data.message} (${event.data.code})`;
    case 'done':
      return event.data.stop_reason === 'complete'
        ? null
        : `assay: the turn ended: ${event.data.stop_reason}`;
    default:
      return null;
  }
}

type Result = Extract<CopilotChatEvent, { event: 'tool_result' }>['data']['result'];

function resultOf(result: Result): string {
  if (result.status === 'error') return `${result.error.code}: ${result.error.message}`;
  return result.status === 'ok' ? 'done' : 'waits for a yes';
}

const short = (line: string): string => (line.length > longest ? `${line.slice(0, longest)}…` : line);
