type Origin =
  | 'default'
  | 'use case'
  | 'workspace'
  | 'project'
  | 'tenant'
  | 'policy'
  | 'environment'
  | 'pinned';

/** Label that shows where a value was set; values of the project are highlighted. */
export function From({
  origin,
  note,
}: {
  readonly origin: Origin;
  readonly note?: string | null | undefined;
}) {
  const isOwn = origin === 'project';
  return (
    <span className={isOwn ? 'from is-own' : 'from'} title={note ?? undefined}>
      {origin}
    </span>
  );
}
