import type { AnnotationSettings } from '#client';
import { Action } from '../../components/action.tsx';

type Preset = AnnotationSettings['presets'][number];

interface PresetsProps {
  readonly presets: readonly Preset[];
  readonly busy: boolean;
  readonly onChoose: (id: Preset['id']) => void;
}

/**
 * Buttons for the presets offered for the use case, each with a summary; disabled ones show the reason. The API
 * accepts all presets.
 */
export function Presets({ presets, busy, onChoose }: PresetsProps) {
  return (
    <ul className="presets" aria-label="Presets">
      {presets
        .filter(({ offered }) => offered)
        .map(({ id, title, summary, disabled, reason }) => (
          <li key={id}>
            <Action
              needs="engineer"
              grouped
              busy={busy}
              not={disabled ? reason : null}
              onAct={() => onChoose(id)}
            >
              {title}
            </Action>
            <span className="faint">{summary}</span>
          </li>
        ))}
    </ul>
  );
}
