ALTER TABLE "export_episodes" ADD COLUMN "stage" text;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "dropped_by" jsonb;