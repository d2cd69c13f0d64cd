import { useState } from 'react';

interface ShownOnceProps {
  /** Name of the secret, such as `New token`. */
  readonly what: string;
  readonly secret: string;
}

/** Secret that is shown only once, with a copy button. */
export function ShownOnce({ what, secret }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  return (
    <p className="shown-once" role="status">
      {what}. Copy it now; it is not shown again: <code>{secret}</code>{' '}
      {navigator.clipboard !== undefined && (
        <button
          type="button"
          className="quiet"
          onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </p>
  );
}
