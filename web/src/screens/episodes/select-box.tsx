import type { Selection } from './use-selection.ts';

interface SelectBoxProps {
  readonly selection: Selection;
  readonly index: number;
  readonly id: string;
  readonly name: string;
}

/** Checkbox that selects an episode; a click with Shift selects the range. */
export function SelectBox({ selection, index, id, name }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      title="Select; with Shift a range"
      checked={selection.has(id)}
      onClick={({ shiftKey }) => selection.toggle(index, shiftKey)}
      readOnly
    />
  );
}
