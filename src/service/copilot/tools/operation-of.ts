import { AssayError } from '#core';
import { type operationRows, operations } from '#core/api/operations';

type Row = (typeof operationRows)[number];

/** A row of the contract with its own types. */
export function operationOf<Id extends Row['id']>(id: Id): Extract<Row, { readonly id: Id }> {
  for (const row of operations) if (isRow(row, id)) return row;
  throw new AssayError('internal', `there is no operation ${id}`);
}

const isRow = <Id extends string>(
  row: { readonly id: string },
  id: Id,
): row is Extract<Row, { readonly id: Id }> => row.id === id;
