import type { Finding } from '#client';
import { Glyph } from './glyph.tsx';
import { codeTitle } from './words.ts';

/** A finding with its message and what to do, as an item of a list. */
export function FindingItem({
  finding: { severity, code, path, message, advice },
}: {
  readonly finding: Finding;
}) {
  return (
    <li className="finding">
      <Glyph name={severity} />
      <div>
        <p>
          <b>{codeTitle(code)}</b> {path !== null && <code className="faint">{path}</code>}
        </p>
        <p>{message}</p>
        <p className="advice">{advice}</p>
      </div>
    </li>
  );
}
