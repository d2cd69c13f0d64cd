import { createFollowing, type JobEventCursor, type JobEventRow, jobEventRows } from '#store';

/** Events of a project's jobs, as they come. */
export const jobEvents = createFollowing<JobEventCursor, JobEventRow>({
  read: jobEventRows.readJobEvents,
  isOf: (row, cursor) => row.project_id === cursor.project_id && row.tenant_id === cursor.tenant_id,
});
