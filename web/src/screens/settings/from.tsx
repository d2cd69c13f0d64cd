type Origin =
  | 'default'
  | 'use case'
  | 'workspace'
  | 'project'
  | 'tenant'
  | 'policy'
  | 'environment'
  | 'pinned';

/** Who set a value: the further from the default, the plainer. */
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
