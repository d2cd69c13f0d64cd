DROP INDEX "jobs_measured";--> statement-breakpoint
CREATE INDEX "runs_measured" ON "runs" USING btree ("tenant_id","finished_at") WHERE estimate IS NOT NULL AND status IN ('succeeded', 'partial');--> statement-breakpoint
CREATE INDEX "jobs_measured" ON "jobs" USING btree ("tenant_id","finished_at") WHERE estimate IS NOT NULL AND status IN ('succeeded', 'partial');