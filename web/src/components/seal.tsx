import type { SealState } from '#quality/report/views';
import { Glyph } from './glyph.tsx';

interface SealProps {
  /** Undefined while it is computed. */
  readonly seal: SealState | undefined;
  /** Name of the sealed document, such as `receipt`. */
  readonly of: string;
}

/** Shows whether the hash of a document, computed in this browser, matches its seal. */
export function Seal({ seal, of }: SealProps) {
  return (
    <p className="seal" role="status">
      {seal === undefined ? 'Verifying the hash…' : <Said seal={seal} of={of} />}
    </p>
  );
}

function Said({ seal, of }: { readonly seal: SealState; readonly of: string }) {
  if (seal.state === 'not_assessable')
    return (
      <>
        <Glyph name="review" /> Not verified: {seal.reason}.
      </>
    );
  if (seal.state === 'broken')
    return (
      <>
        <Glyph name="reject" /> Hash mismatch: this {of} was changed. Computed hash <code>{seal.hash}</code>,
        recorded hash <code>{seal.sealed}</code>.
      </>
    );
  return (
    <>
      <Glyph name="accept" /> Verified in this browser: <code>{seal.hash}</code>
    </>
  );
}
