import { AssayError } from '#core';
import { type ExportRow, exportRows, type Store } from '#store';

/** Episodes that are named in a refusal. */
const mostNamed = 20;

/** Throws `conflict` naming episodes that a locked slice holds for evaluation: no policy may be trained on them. */
export async function demandNotHeldOut(
  { database }: Pick<Store, 'database'>,
  row: Pick<ExportRow, 'tenant_id' | 'id'>,
): Promise<void> {
  const { count, episodes } = await exportRows.heldOutEpisodes(database, row, mostNamed);
  const [first] = episodes;
  if (first === undefined) return;
  const names = episodes.map(({ name }) => name).join(', ');
  throw new AssayError(
    'conflict',
    `${count} of the episodes are held out for evaluation: ${names}${count > episodes.length ? ', …' : ''}`,
    {
      advice: 'leave them out with "without", or export them with "purpose": "evaluation"',
      details: { held_out: count, episodes: episodes.map((one) => ({ ...one })) },
    },
  );
}
