ALTER TABLE "episodes" ADD COLUMN "pictures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "picture_mpx" double precision;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "estimate" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "estimate" jsonb;--> statement-breakpoint
CREATE INDEX "jobs_measured" ON "jobs" USING btree ("finished_at") WHERE estimate IS NOT NULL AND status IN ('succeeded', 'partial');