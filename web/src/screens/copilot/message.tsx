import { Glyph } from '../../components/glyph.tsx';
import { spaced } from '../../components/words.ts';
import type { ChatMessage, Question, ToolCall } from './use-chat.ts';

interface MessageProps {
  readonly message: ChatMessage;
  /** Whether its confirmations can still be approved. */
  readonly asks: boolean;
  readonly onApprove: (question: Question) => void;
}

/** Chat message with tool calls and confirmations to approve. */
export function Message({ message, asks, onApprove }: MessageProps) {
  const { role, content, tools, questions, note } = message;
  return (
    <article className={`message is-${role}`} aria-label={role === 'user' ? 'You' : 'Copilot'}>
      {tools.length > 0 && (
        <ul className="tools">
          {tools.map((call) => (
            <Tool key={call.call_id} call={call} />
          ))}
        </ul>
      )}
      <p className="message-text">{content}</p>
      {note !== null && <p className="faint">{note}</p>}
      {questions.map((question) => (
        <div key={question.call_id} className="question">
          <p>{question.prompt}</p>
          <pre className="detail">{JSON.stringify(question.arguments, null, 2)}</pre>
          <button
            type="button"
            className="button is-main"
            disabled={!asks}
            onClick={() => onApprove(question)}
          >
            Approve: {spaced(question.tool)}
          </button>
        </div>
      ))}
    </article>
  );
}

const glyphs = { ok: 'accept', error: 'reject', needs_confirmation: 'review' } as const;

function Tool({ call: { tool, arguments: inputs, status, error } }: { readonly call: ToolCall }) {
  const title = (
    <>
      {status === null ? '…' : <Glyph name={glyphs[status]} />} {spaced(tool)}
      {status === 'needs_confirmation' && <span className="faint"> needs your approval</span>}
    </>
  );
  return (
    <li>
      {inputs === null ? (
        title
      ) : (
        <details>
          <summary>{title}</summary>
          <pre className="detail">{JSON.stringify(inputs, null, 2)}</pre>
        </details>
      )}
      {error !== null && <p className="faint">{error}</p>}
    </li>
  );
}
