import { useEffect, useRef } from 'react';

const keys: readonly (readonly [keys: string, action: string])[] = [
  ['Space', 'Play or pause'],
  ['← →', 'Back or forward 1 second, with Shift 5 seconds'],
  [', .', 'Previous or next frame'],
  ['n p', 'Next or previous flag or segment'],
  ['l', 'Loop the current flag or segment'],
  ['− +', 'Slower or faster'],
  ['i o', 'Zoom the timeline in or out'],
  ['0', 'Show the whole episode'],
  ['Home End', 'Go to the start or end'],
  ['[ ]', 'Open the previous or next episode of the list'],
  ['Drag', 'Zoom to a time range; double-click shows the whole episode'],
  ['Ctrl + scroll', 'Zoom around the pointer'],
  ['← → ↑ ↓', 'Turn the 3D view while it has the focus; + and − zoom, 0 resets it'],
];

/** Dialog with all keys of the player. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="key-help"
      aria-label="Keys of the player"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2>Keys of the player</h2>
      <dl>
        {keys.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
