import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Chat } from '../screens/copilot/chat.tsx';
import type { ChatSubject } from '../screens/copilot/use-chat.ts';

interface CopilotPanelProps {
  readonly project_id: string;
  /** Whether it is shown; a closed panel keeps its chat, including an answer that is being written, and the draft. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The copilot beside a screen of a project. The chat continues while the user opens other screens. */
export function CopilotPanel({ project_id, isOpen, onClose }: CopilotPanelProps) {
  const [chat, setChat] = useState(0);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) panel.current?.querySelector('textarea')?.focus();
  }, [isOpen]);
  return (
    <aside
      ref={panel}
      id="copilot-panel"
      className="copilot-panel"
      aria-label="Copilot"
      hidden={!isOpen}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header>
        <h2>Copilot</h2>
        <button type="button" className="quiet" onClick={() => setChat(chat + 1)}>
          New chat
        </button>
        <button type="button" className="quiet" aria-label="Close the copilot" onClick={onClose}>
          ×
        </button>
      </header>
      <Chat key={chat} project_id={project_id} opened={null} about={useSubject()} />
    </aside>
  );
}

/** Returns the object that the current screen is about. */
function useSubject(): ChatSubject | undefined {
  const { episodeId, runId, sliceId } = useParams({ strict: false });
  if (episodeId !== undefined) return { kind: 'episode', id: episodeId };
  if (runId !== undefined) return { kind: 'run', id: runId };
  return sliceId === undefined ? undefined : { kind: 'slice', id: sliceId };
}
