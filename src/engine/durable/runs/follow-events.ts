import { createFollowing, type EventCursor, type RunEventRow, runEventRows } from '#store';

/** Events of runs, as they come. */
export const runEvents = createFollowing<EventCursor, RunEventRow>({
  read: async (database, cursors) => {
    const rows = await runEventRows.readRunEvents(database, cursors);
    return { rows, more: rows.length === runEventRows.eventsAtOnce };
  },
  isOf: (row, cursor) => row.run_id === cursor.run_id && row.tenant_id === cursor.tenant_id,
});
